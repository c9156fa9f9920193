from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.config import (
    ALIASES,
    SWITCHES,
    LlmSettings,
    PanelSettings,
    Performance,
    Settings,
    defaults,
    load_settings,
    settings_from,
    with_overrides,
    without_effect,
)
from pincite.errors import ConfigError

# Every key of the specification's configuration, with values that all differ from our defaults.
SPECIFIED = """
citation_accuracy:
  enabled: true
  span_matching: {tolerance_chars: 4, min_overlap_threshold: 0.6, max_span_length: 9000}
  llm_evaluation: {model: "some/model", temperature: 0.5, max_tokens: 50, retry_attempts: 1}
  quality_thresholds:
    span_accuracy: 0.7
    citation_validity: 0.9
    answer_consistency: 0.7
    hallucination_tolerance: 0.2
  performance: {batch_size: 5, cache_results: false, parallel_evaluation: false}
  reporting: {detailed_span_analysis: false, hallucination_details: false, confidence_intervals: true}
quality_control:
  inter_annotator_agreement: {target_agreement: 0.9, min_annotators: 3, recalibration_threshold: 0.7}
  validation_checks:
    span_bounds_check: false
    document_existence_check: false
    text_extraction_validation: false
  error_handling: {max_retries: 1, fallback_scoring: 0.5, error_logging: false}
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder below another, so that files are looked for upwards without meeting the project's own."""
    inner = tmp_path / "a" / "b"
    inner.mkdir(parents=True)
    # A file here ends the search, so that nothing above the test's own folder is ever found.
    (tmp_path / "pincite.toml").write_text("")
    return inner


def load(
    folder: Path, config: Path | None = None, environment: dict[str, str] | None = None, **flags: object
) -> Settings:
    return load_settings(config, folder=folder, environment=environment or {}, **flags)


def test_nothing_given_gives_the_defaults(folder: Path) -> None:
    assert load(folder) == Settings()


def test_pincite_toml_is_found_upwards(folder: Path) -> None:
    (folder.parent / "pincite.toml").write_text('select = ["PIN1", "pin203"]\nfail-under = 0.9\n')
    settings = load(folder)
    assert settings.select == ("PIN1", "PIN203")
    assert settings.fail_under == 0.9


def test_the_table_in_pyproject_is_found(folder: Path) -> None:
    (folder / "pyproject.toml").write_text(
        "[tool.pincite]\nstrict = true\n[tool.pincite.limits]\nanswer_bytes = 7\n"
    )
    settings = load(folder)
    assert settings.strict
    assert settings.limits.answer_bytes == 7


def test_a_pyproject_without_our_table_does_not_end_the_search(folder: Path) -> None:
    (folder / "pyproject.toml").write_text('[project]\nname = "uses-pincite"\n')
    (folder.parent / "pincite.toml").write_text("strict = true\n")
    assert load(folder).strict


def test_pincite_toml_beats_pyproject_in_the_same_folder(folder: Path) -> None:
    (folder / "pyproject.toml").write_text("[tool.pincite]\nstrict = true\n")
    (folder / "pincite.toml").write_text("strict = false\n")
    assert not load(folder).strict


def test_a_flag_beats_the_environment_which_beats_the_file(folder: Path) -> None:
    (folder / "pincite.toml").write_text("fail_under = 0.1\ntolerance_chars = 1\nlanguage = 'de'\n")
    environment = {"PINCITE_FAIL_UNDER": "0.2", "PINCITE_TOLERANCE_CHARS": "2"}
    settings = load(folder, environment=environment, fail_under=0.3)
    assert (settings.fail_under, settings.tolerance_chars, settings.language) == (0.3, 2, "de")


def test_an_explicit_file_is_used_instead_of_a_found_one(folder: Path) -> None:
    (folder / "pincite.toml").write_text("strict = true\n")
    other = folder / "other.toml"
    other.write_text("offsets = 'page'\n")
    settings = load(folder, other)
    assert settings.offsets == "page"
    assert not settings.strict


def test_the_environment_may_name_the_file(folder: Path) -> None:
    other = folder / "other.toml"
    other.write_text("strict = true\n")
    assert load(folder, environment={"PINCITE_CONFIG": str(other)}).strict


def test_the_whole_configuration_of_the_specification_loads(folder: Path) -> None:
    file = folder / "citations.yaml"
    file.write_text(SPECIFIED)
    settings = load(folder, file)
    assert settings.tolerance_chars == 4
    assert settings.min_overlap_threshold == 0.6
    assert settings.max_span_length == 9000
    assert settings.fail_under == 0.9
    assert settings.batch_size == 5
    assert settings.llm.model == "some/model"
    assert settings.thresholds.hallucination_tolerance == 0.2
    assert settings.reporting.confidence_intervals
    assert settings.agreement.min_annotators == 3
    assert settings.errors.fallback_scoring == 0.5
    assert set(settings.ignore) == {"PIN101", "PIN105", "PIN106", "PIN204", "PIN205"}


def test_every_key_of_the_specification_changes_the_settings(folder: Path) -> None:
    import yaml

    for root, sections in yaml.safe_load(SPECIFIED).items():
        for section, keys in sections.items():
            if section == "enabled":
                keys, section = {"enabled": False}, ""
            for key, value in keys.items():
                file = folder / "one.yaml"
                tree = {root: {section: {key: value}} if section else {key: value}}
                file.write_text(yaml.safe_dump(tree))
                assert load(folder, file) != Settings(), key


def test_the_roots_of_the_specification_may_be_left_out(folder: Path) -> None:
    file = folder / "c.yml"
    file.write_text("span_matching:\n  tolerance_chars: 3\nvalidation_checks:\n  span_bounds_check: true\n")
    settings = load(folder, file)
    assert settings.tolerance_chars == 3
    assert settings.ignore == ()


def test_the_specification_also_loads_from_toml(folder: Path) -> None:
    file = folder / "c.toml"
    file.write_text("[citation_accuracy.quality_thresholds]\ncitation_validity = 0.7\n")
    assert load(folder, file).fail_under == 0.7


def test_an_unknown_key_is_refused_with_the_nearest_one(folder: Path) -> None:
    file = folder / "c.yaml"
    file.write_text("citation_accuracy:\n  span_matching:\n    tolerance_char: 3\n")
    with pytest.raises(ConfigError, match=r"c\.yaml.*tolerance_char'; did you mean '.*tolerance_chars'"):
        load(folder, file)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("fail_under = 90\n", "fail_under: expected a number from 0 to 1, found 90"),
        ("fail_under = 'high'\n", "fail_under: expected a number from 0 to 1, found the text 'high'"),
        ("fail_under = nan\n", "found nan"),
        ("strict = 1\n", "strict: expected true or false, found 1"),
        ("strict = 'yes'\n", "strict: expected true or false, found the text 'yes'"),
        ("offsets = 'line'\n", "offsets: expected 'document' or 'page', found the text 'line'"),
        ("tolerance_chars = -1\n", "tolerance_chars: expected a whole number, 0 or more, found -1"),
        ("tolerance_chars = true\n", "whole number, 0 or more, found true"),
        ("tolerance_chars = 1.5\n", "whole number, 0 or more, found 1.5"),
        ("tolerance_chars = 2024-01-01\n", "whole number, 0 or more, found a date"),
        ("judge = ['rules']\n", "judge: expected a text, found a list"),
        ("select = ['E501']\n", "not a code"),
        ("select = 5\n", "select: expected a list of texts, found a number"),
        ("sources = [1]\n", "sources: expected a list of texts, found a list that holds 1"),
        ("alerts.command = 'curl -H key'\n", "alerts.command: expected a list of texts, found a text$"),
        ("evaluation.metrics = [['x']]\n", "expected a list of texts, found a list that holds a list"),
        ("evaluation.resamples = 5\n", "a whole number from 100 to 1,000,000, found 5"),
        ("evaluation.confidence_level = 1\n", "a number above 0 and below 1, found 1"),
        ("limits = 5\n", "limits is a table of keys, not a number"),
        ("max_span_length = 0\n", "max_span_length: expected a whole number, 1 or more, found 0"),
        ("selct = []\n", "did you mean 'select'"),
        ("[evaluation]\nfoo = 1\n", "no setting 'evaluation.foo'; evaluation has confidence_level, "),
        ("nope = 1\n", r"no setting 'nope'; docs/configuration\.md lists them all"),
        ("x = [\n", "cannot be read"),
        ("fail_under = 0.5\n[quality_thresholds]\ncitation_validity = 0.6\n", "same thing"),
    ],
)
def test_a_wrong_value_is_an_error_that_names_the_file_and_the_key(
    folder: Path, text: str, said: str
) -> None:
    (folder / "pincite.toml").write_text(text)
    with pytest.raises(ConfigError, match=said) as caught:
        load(folder)
    assert "pincite.toml" in str(caught.value)


def test_everything_that_is_wrong_is_told_at_once(folder: Path) -> None:
    (folder / "pincite.toml").write_text("strict = 1\n[evaluation]\nworkers = 'two'\nwrkers = 2\n")
    with pytest.raises(ConfigError) as caught:
        load(folder, environment={"PINCITE_OFFSETS": "line", "PINCITE_NOSUCH": "1"}, fail_under=7)
    lines = str(caught.value).splitlines()
    assert len(lines) == 6
    for line, said in zip(
        lines, ("strict", "evaluation.workers", "wrkers", "NOSUCH", "OFFSETS", "fail_under"), strict=True
    ):
        assert said in line


def test_of_a_file_of_another_kind_only_the_first_problems_are_told(folder: Path) -> None:
    (folder / "pincite.toml").write_text("".join(f"key_{number} = 1\n" for number in range(5000)))
    with pytest.raises(ConfigError) as caught:
        load(folder)
    assert len(str(caught.value).splitlines()) == 21
    assert str(caught.value).endswith("and more")


def test_a_broken_file_is_told_by_line_and_column(folder: Path) -> None:
    (folder / "c.yaml").write_text("a:\n  - [1\n")
    with pytest.raises(ConfigError, match=r"c\.yaml: cannot be read: line 3, column 1: .*expected ',' or"):
        load(folder, folder / "c.yaml")
    (folder / "c.yaml").write_bytes(b"a: \xff")
    with pytest.raises(ConfigError, match=r"c\.yaml: cannot be read: it is not UTF-8 text"):
        load(folder, folder / "c.yaml")


def test_a_section_is_overridden_by_its_own_record_alone() -> None:
    assert with_overrides(Settings(), {"llm": LlmSettings(max_tokens=7)}).llm.max_tokens == 7
    for wrong in (Settings(), {"max_tokens": 7}):
        with pytest.raises(ConfigError, match=r"llm: expected its record \(LlmSettings\)"):
            with_overrides(Settings(), {"llm": wrong})


def test_a_wrong_variable_is_an_error_that_names_it(folder: Path) -> None:
    with pytest.raises(ConfigError, match=r"PINCITE_FAIL_UNDRE.*did you mean 'PINCITE_FAIL_UNDER'"):
        load(folder, environment={"PINCITE_FAIL_UNDRE": "0.5"})
    with pytest.raises(ConfigError, match="PINCITE_FAIL_UNDER"):
        load(folder, environment={"PINCITE_FAIL_UNDER": "many"})


@pytest.mark.parametrize(
    ("word", "value"), [("1", True), ("true", True), ("ON", True), ("no", False), ("0", False)]
)
def test_the_environment_knows_words_for_yes_and_no(folder: Path, word: str, value: bool) -> None:
    assert load(folder, environment={"PINCITE_STRICT": word}).strict is value


def test_the_environment_has_lists_and_nothing_too(folder: Path) -> None:
    settings = load(
        folder,
        environment={
            "PINCITE_EVALUATION_METRICS": "hit@1, span_f1(average=micro,tolerance=10)",
            "PINCITE_ALERTS_COMMAND": "notify --to 'the team'",
            "PINCITE_ERRORS_FALLBACK_SCORING": "off",
        },
    )
    assert settings.evaluation.metrics == ("hit@1", "span_f1(average=micro,tolerance=10)")
    assert settings.alerts.command == ("notify", "--to", "the team")
    assert settings.errors.fallback_scoring is None
    assert load(folder, environment={"PINCITE_ERRORS_FALLBACK_SCORING": "0"}).errors.fallback_scoring == 0
    with pytest.raises(ConfigError, match="PINCITE_ALERTS_COMMAND: expected a list of texts, found a text"):
        load(folder, environment={"PINCITE_ALERTS_COMMAND": "notify 'the"})


def test_codes_may_be_a_list_or_stand_between_commas(folder: Path) -> None:
    assert load(folder, select=["PIN1,PIN203", "pin4"]).select == ("PIN1", "PIN203", "PIN4")
    assert load(folder, environment={"PINCITE_IGNORE": "PIN3, PIN206"}).ignore == ("PIN3", "PIN206")


def test_paths_in_a_file_count_from_the_file(folder: Path) -> None:
    (folder.parent / "pincite.toml").write_text("sources = ['docs']\nbaseline = 'known.json'\n")
    settings = load(folder)
    assert settings.sources == (str(folder.parent / "docs"),)
    assert settings.baseline == str(folder.parent / "known.json")
    assert load(folder, sources=["docs"]).sources == ("docs",)


def test_a_nested_flag_keeps_what_the_file_says_beside_it(folder: Path) -> None:
    (folder / "pincite.toml").write_text("[limits]\nsource_bytes = 5\n")
    settings = load(folder, limits_answer_bytes=9)
    assert (settings.limits.answer_bytes, settings.limits.source_bytes) == (9, 5)


def test_an_unknown_flag_is_refused(folder: Path) -> None:
    with pytest.raises(ConfigError, match="did you mean 'strict'"):
        load(folder, strickt=True)


def test_a_missing_file_is_a_clear_error(folder: Path) -> None:
    with pytest.raises(ConfigError, match=r"nowhere\.toml: cannot read"):
        load(folder, folder / "nowhere.toml")


@pytest.mark.parametrize(
    "text", ["- a\n- b\n", "just words\n", "a: [unclosed\n", "a: &x *x\n", "\x00", "[" * 5000]
)
def test_what_is_no_configuration_is_a_clear_error(folder: Path, text: str) -> None:
    file = folder / "c.yaml"
    file.write_text(text)
    with pytest.raises(ConfigError, match=r"c\.yaml"):
        load(folder, file)


@pytest.mark.parametrize(
    "text",
    [
        "citation_accuracy: &a\n  citation_accuracy: *a\n",
        "evaluation:\n  metrics: &a [*a]\n",
        "limits: &a\n  <<: *a\n",
    ],
)
def test_yaml_that_contains_itself_is_refused(folder: Path, text: str) -> None:
    file = folder / "c.yaml"
    file.write_text(text)
    with pytest.raises(ConfigError, match=r"c\.yaml: cannot be read: line 2, column \d+: \*a is inside &a"):
        load(folder, file)


def test_merges_that_multiply_are_refused_before_they_are_made(folder: Path) -> None:
    file = folder / "c.yaml"
    lines = ["a0: &a0 {k: v}"]
    lines += [f"a{i}: &a{i} {{<<: [{', '.join([f'*a{i - 1}'] * 10)}]}}" for i in range(1, 10)]
    file.write_text("\n".join(lines))
    with pytest.raises(ConfigError, match="its aliases make it grow without end"):
        load(folder, file)


def test_aliases_and_merges_that_end_are_read(folder: Path) -> None:
    file = folder / "c.yaml"
    file.write_text("judge: &j rules\nlimits: &l\n  answer_bytes: 1000\n")
    assert load(folder, file).limits.answer_bytes == 1000
    file.write_text("evaluation:\n  metrics: [&m hit@1, *m]\n")
    assert load(folder, file).evaluation.metrics == ("hit@1", "hit@1")


def test_a_key_that_comes_twice_is_refused(folder: Path) -> None:
    file = folder / "c.yaml"
    file.write_text("judge: rules\njudge: entailment\n")
    with pytest.raises(ConfigError, match="line 2, column 1: the key 'judge' comes twice"):
        load(folder, file)


def test_an_empty_file_gives_the_defaults(folder: Path) -> None:
    file = folder / "c.yaml"
    file.write_text("# nothing\ncitation_accuracy:\n")
    assert load(folder, file) == Settings()


def test_fallback_scoring_is_off_unless_a_number_turns_it_on(folder: Path) -> None:
    file = folder / "c.yaml"
    for text, value in (("null", None), ("false", None), ("0.5", 0.5)):
        file.write_text(f"error_handling:\n  fallback_scoring: {text}\n")
        assert load(folder, file).errors.fallback_scoring == value


def test_settings_that_only_matter_elsewhere_are_named(folder: Path) -> None:
    file = folder / "c.yaml"
    file.write_text(SPECIFIED)
    unused = without_effect(load(folder, file))
    assert "llm.model" in unused
    assert "errors.fallback_scoring" in unused
    assert "thresholds.span_accuracy" in unused
    assert "reporting.confidence_intervals" not in unused
    assert without_effect(Settings()) == ()
    assert not any(name.startswith("llm.") for name in without_effect(Settings(judge="llm")))


def test_settings_of_the_members_of_a_panel_matter() -> None:
    changed = Settings(
        llm=LlmSettings(max_tokens=7),
        panel=PanelSettings(low=0.1),
        performance=Performance(cache_results=False),
    )

    def unused(judge: str) -> set[str]:
        return set(without_effect(msgspec.structs.replace(changed, judge=judge)))

    assert unused("rules") == {"llm.max_tokens", "panel.low", "performance.cache_results"}
    assert unused("llm:tiny") == {"panel.low"}
    assert unused("panel:majority:rules,llm:tiny") == {"panel.low"}
    assert unused("panel:cascade:rules, llm") == set()
    assert unused("panel:cascade:rules,nli:folder") == {"llm.max_tokens", "performance.cache_results"}


def test_every_alias_leads_to_a_setting() -> None:
    assert set(ALIASES.values()) <= set(defaults())
    assert not set(SWITCHES) & set(defaults())


@given(
    st.dictionaries(
        st.text(max_size=8),
        st.recursive(
            st.none() | st.integers() | st.text(max_size=5),
            lambda inner: st.dictionaries(st.text(max_size=8), inner, max_size=3),
            max_leaves=5,
        ),
        min_size=1,
        max_size=3,
    )
)
def test_any_tree_of_unknown_keys_is_refused_and_never_crashes(
    tmp_path_factory: pytest.TempPathFactory, tree: dict[str, object]
) -> None:
    import yaml

    file = tmp_path_factory.getbasetemp() / "any.yaml"
    file.write_text(yaml.safe_dump(tree, allow_unicode=False))
    with pytest.raises(ConfigError):
        load_settings(file, environment={})


def test_a_mapping_is_read_as_a_file_would_be() -> None:
    table = {"citation_accuracy": {"quality_thresholds": {"span_accuracy": 0.9}}, "strict": True}
    read = settings_from(table)
    assert (read.thresholds.span_accuracy, read.strict) == (0.9, True)
    with pytest.raises(ConfigError, match="no setting 'nope'"):
        settings_from({"nope": 1})
