from __future__ import annotations

import xml.etree.ElementTree as ET

from pincite.reports import reliability_svg
from pincite.reports.agreement import reliability_lines
from pincite.stats import reliability

LABELS = [True, False, True, True, False, False, True, True, False, True]
SCORES = [0.9, 0.1, 0.8, 0.7, 0.3, 0.2, 0.95, 0.6, 0.55, 1.0]
CURVE = reliability(LABELS, SCORES, bins=5)


def test_the_picture_is_well_formed_whatever_a_judge_is_called() -> None:
    evil = 'llm:<script>alert("x")</script>&\x00\x1b[31m\ud800' + "m" * 200
    tree = ET.fromstring(reliability_svg(CURVE, CURVE, evil, ["a < b", "c & d"]).encode("utf-8"))
    assert tree.tag.endswith("svg")
    assert not list(tree.iter("{http://www.w3.org/2000/svg}script"))


def test_every_bin_is_a_point_of_each_curve_within_the_frame() -> None:
    tree = ET.fromstring(reliability_svg(CURVE, CURVE, "rules/1", ["one", "two"]))
    points = [one for one in tree.iter("{http://www.w3.org/2000/svg}circle") if len(one)]
    assert len(points) == 2 * len(CURVE)
    for point in points:
        assert 62 <= float(point.attrib["cx"]) <= 62 + 360
        assert 58 <= float(point.attrib["cy"]) <= 58 + 360


def test_the_text_shows_each_bin_with_a_bar() -> None:
    lines = reliability_lines(CURVE)
    assert len(lines) == 1 + len(CURVE)
    assert all(line.count("◆") == 1 for line in lines)
    assert lines[1].split()[0] == "0.15"


def test_no_bins_draw_an_empty_frame() -> None:
    ET.fromstring(reliability_svg([], [], "rules/1", []))
