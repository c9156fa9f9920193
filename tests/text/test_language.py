"""Which texts are in English: other languages are told apart, and nothing English is called foreign."""

from __future__ import annotations

import re
import unicodedata
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import pincite
from pincite.text import UNSPACED, find_language, foreign_script, language_doubt

FOREIGN = [
    ("German", "Der Umsatz stieg im ersten Quartal um 12 Prozent auf 10 Millionen Euro."),
    ("German", "Die Firma wurde 1987 in Hamburg gegründet und hat heute 300 Mitarbeiter."),
    ("German", "Das Gericht hat die Klage nicht angenommen."),
    ("French", "Le chiffre d'affaires a augmenté de 12 % au premier trimestre."),
    ("French", "La société est la plus grande du pays, et elle emploie 300 personnes."),
    ("French", "Le tribunal n'a pas accepté la plainte."),
    ("Spanish", "Los ingresos subieron un 12 % en el primer trimestre hasta los 10 millones."),
    ("Spanish", "La empresa no tiene planes para vender la fábrica de Sevilla."),
    ("Italian", "I ricavi sono aumentati del 12% nel primo trimestre, fino a 10 milioni di euro."),
    ("Italian", "La società non ha intenzione di vendere la fabbrica che si trova a Torino."),
    ("Portuguese", "A receita da empresa subiu 12% no primeiro trimestre e não deve cair até o fim do ano."),
    ("Portuguese", "O conselho aprovou a venda da fábrica em maio, mas os trabalhadores não foram ouvidos."),
    ("Dutch", "De omzet van het bedrijf steeg in het eerste kwartaal met 12 procent."),
    ("Dutch", "De raad heeft het voorstel in mei goedgekeurd, maar niet alle leden waren het daarmee eens."),
    ("Swedish", "Omsättningen ökade med 12 procent under det första kvartalet och var den högsta på tio år."),
    ("Swedish", "Styrelsen godkände inte förslaget som lades fram i maj."),
    (
        "Danish or Norwegian",
        "Omsætningen steg med 12 procent i det første kvartal, og det er ikke første gang.",
    ),
    ("Danish or Norwegian", "Omsetningen økte med 12 prosent i første kvartal, og det er ikke første gang."),
    (
        "Finnish",
        "Yhtiön liikevaihto kasvoi ensimmäisellä neljänneksellä 12 prosenttia, ja se on enemmän kuin ennen.",
    ),
    ("Finnish", "Hallitus ei hyväksynyt ehdotusta, joka oli tehty toukokuussa."),
    ("Polish", "Przychody spółki wzrosły w pierwszym kwartale o 12 procent i były wyższe niż przed rokiem."),
    ("Polish", "Zarząd nie zatwierdził projektu, który został przedstawiony w maju."),
    ("Czech", "Tržby společnosti vzrostly v prvním čtvrtletí o 12 procent a byly nejvyšší za deset let."),
    ("Hungarian", "A cég bevétele az első negyedévben 12 százalékkal nőtt, és ez több, mint tavaly."),
    ("Romanian", "Veniturile companiei au crescut cu 12 la sută în primul trimestru și sunt mai mari."),
    ("Turkish", "Şirketin geliri ilk çeyrekte yüzde 12 arttı ve bu son on yılın en yüksek rakamı oldu."),
    ("Turkish", "Kurul, mayıs ayında sunulan öneriyi kabul etmedi ve yeni bir plan istedi."),
    (
        "Indonesian",
        "Pendapatan perusahaan naik 12 persen pada kuartal pertama dan tidak akan turun tahun ini.",
    ),
    ("Indonesian", "Dewan direksi menyetujui penjualan pabrik itu pada bulan Mei."),
    ("Vietnamese", "Doanh thu của công ty đã tăng 12% trong quý đầu tiên và sẽ không giảm trong năm nay."),
    ("Vietnamese", "Hội đồng không thông qua đề án được trình vào tháng năm."),
    ("Cyrillic script", "Выручка компании выросла на 12 процентов в первом квартале."),
    ("Cyrillic script", "Рада не схвалила пропозицію, яку подали у травні."),
    ("Chinese", "公司第一季度的收入增长了12%，达到1000万美元。"),
    ("Chinese", "微软公司(Microsoft Corporation)在2023年收购了动视暴雪(Activision Blizzard)。"),
    ("Japanese", "同社の売上高は第1四半期に12%増加した。"),
    ("Japanese", "ソニーグループ(Sony Group)は5月に工場の売却を承認しなかった。"),
    ("Korean", "회사의 매출은 1분기에 12% 증가했다."),
    ("Arabic script", "ارتفعت إيرادات الشركة بنسبة 12٪ في الربع الأول."),
    ("Hebrew script", "ההכנסות של החברה עלו ב-12% ברבעון הראשון."),
    ("Devanagari script", "पहली तिमाही में कंपनी का राजस्व 12% बढ़ा।"),
    ("Greek", "Τα έσοδα της εταιρείας αυξήθηκαν κατά 12% το πρώτο τρίμηνο."),
    ("Thai", "รายได้ของบริษัทเพิ่มขึ้น 12% ในไตรมาสแรก"),
    ("another language", "Tekjur félagsins jukust um tólf prósent á fyrsta ársfjórðungi og urðu hærri."),
]

ENGLISH = [
    "Revenue rose by 12% to $10 million in the first quarter.",
    "Costs flat.",
    "Revenue up 12%, margins stable, outlook positive",
    "No change",
    "Paris, Berlin, Madrid, São Paulo, Zürich, Malmö, Kraków",
    "José García, Jürgen Müller, Øystein Sørensen, Zoë Brontë, Łukasz Żak",
    "Ludwig van Beethoven, Vincent van Gogh, Charles de Gaulle, Leonardo da Vinci, Otto von Bismarck",
    "Mies van der Rohe and Le Corbusier met in Berlin.",
    "The Universidad de los Andes and the Banco de la República are in Bogotá.",
    "Rio de Janeiro, Santiago de Compostela, Puerto de la Cruz, Las Palmas de Gran Canaria",
    "Deutsche Bank AG, Société Générale SA, Banco Santander SA, Crédit Agricole",
    "Smith et al. 2020; Jones et al. 2021; Müller et al. 2019; de la Cruz et al. 2018",
    "(Smith et al., 2020; O'Brien & Jones, 2019; van der Berg et al., 2021)",
    "As shown in prior work [1, 2, 5], attention is quadratic in length (Vaswani et al., 2017).",
    "def add(self, x, y): return x + y",
    "for (int i = 0; i < n; i++) { sum += a[i]; } // no loop is unrolled",
    "SELECT name, sum(total) FROM orders WHERE date > '2020-01-01' GROUP BY name",
    "git commit -m 'Fix parser' && git push origin main",
    "import numpy as np\nimport pandas as pd\ndf = pd.read_csv('data.csv')",
    "E = mc^2; F = ma; PV = nRT",
    "α = 0.05, β = 0.2, σ² = 1.3, Δx ≥ 5 µm",
    "The error bound is ε ≤ δ/2 for all ε > 0, where λ is the largest eigenvalue of Σ.",
    "∑ xᵢ ≤ ∫ f(x) dx",
    "H₂SO₄ + 2 NaOH → Na₂SO₄ + 2 H₂O",
    "TNF-α and IL-1β levels were elevated in β-thalassaemia patients treated with γ-globulin.",
    "Year | Revenue | Costs\n2019 | 10.5 | 9.1\n2020 | 11.2 | 9.4",
    "12.5\t13.1\t14.9",
    "ISO 9001:2015, IEC 61508, RFC 2616, EN 50128",
    "THE BOARD APPROVED THE MERGER IN MAY",
    "NASA, UN, WHO, IMF, OECD, DOS, OS, LA, UNESCO",
    "MIT and ETH Zürich publish under CC BY 4.0.",
    "cost per unit, non-GAAP, pro forma, per capita, ad hoc",
    "de facto, in vitro, a priori, ex ante, vice versa, et cetera",
    "The café's naïve façade fooled no one.",
    "Beijing (北京; pinyin: Běijīng) is the capital of China.",
    "The word 寿司 (sushi) refers to the vinegared rice, not to the fish.",
    "Moscow (Russian: Москва) is the largest city of Russia by population.",
    "Tel Aviv (Hebrew: תֵּל־אָבִיב) was founded in 1909.",
    "Arizona ([ˌærɪˈzoʊnə]) is a state in the Southwest.",
    "Bad Bunny's full name is Benito Antonio Martínez Ocasio.",
    "Mötley Crüe played heavy rock music.",
    "Penélope Cruz modelled for L'Oréal.",
    "Simón Bolívar is known as El Libertador.",
    "Solána Imani Rowe was born in 1990.",
    "Los Angeles is larger than San Diego and Las Vegas.",
    "El Niño and La Niña drive rainfall.",
    "Die Zeit, Le Monde, El País, La Repubblica and De Telegraaf reported it.",
    "Die casting is cheap; the die was cast.",
    "The man was in a hat; was he?",
    "An old war hero",
    "Do no harm",
    "I am so sorry",
    "Not applicable",
    "Yes",
    "Yes, see page 12",
    "https://example.com/de/la/les/index.html",
    "user@example.com, +49 30 1234567",
    "- apples\n- pears\n- plums",
    "Aspirin 100 mg once daily; metformin 500 mg twice daily; ramipril 5 mg",
    "Homo sapiens, Canis lupus familiaris, Escherichia coli, Mus musculus",
    "Quercus robur is native to most of Europe.",
    "habeas corpus, stare decisis, res judicata, amicus curiae",
    "Brown v. Board of Education, 347 U.S. 483 (1954)",
    "§ 230(c)(1) shields providers from liability.",
    "q: what is the melting point of iron? a: 1538 °C",
    "lol idk tbh gonna check later",
    "Colour, behaviour and organisation are spelled thus.",
    "GPT-4, BERT, T5, LLaMA-2 70B, Mixtral 8x7B",
    "Chopin's Étude Op. 10 No. 3, Debussy's Clair de lune, Ravel's Boléro",
    "She played the Prélude à l'après-midi d'un faune by Debussy at the opening of the hall.",
    "The film Le fabuleux destin d'Amélie Poulain was released in 2001 and was a success abroad.",
    "Coca-Cola Femsa, Grupo Bimbo, América Móvil, Cemex",
    "",
    "   ",
    "1,234",
    "...",
    "🙂🙂🙂",
]


@pytest.mark.parametrize(("language", "text"), FOREIGN)
def test_another_language_is_known(language: str, text: str) -> None:
    assert find_language(text) == language


@pytest.mark.parametrize("text", ENGLISH)
def test_nothing_english_is_called_foreign(text: str) -> None:
    assert find_language(text) in ("English", None)
    assert language_doubt(text, text) is None


def test_enough_english_was_tried() -> None:
    assert len(set(ENGLISH)) >= 60
    assert len({language for language, _ in FOREIGN}) >= 17


def test_a_sentence_is_known_to_be_english_and_names_alone_are_not_known() -> None:
    assert find_language("The board approved the merger in May.") == "English"
    assert find_language("José García, Jürgen Müller") is None


def test_letters_with_their_accents_apart_are_the_same_letters() -> None:
    text = "Přijmy společnosti vzrostly také díky novým zákazníkům, které získala loni."
    assert find_language(text) == find_language(unicodedata.normalize("NFD", text)) == "Czech"


def test_a_doubt_names_the_side_and_the_language() -> None:
    english = "Revenue rose by 12% in the first quarter."
    german = "Der Umsatz stieg im ersten Quartal um 12 Prozent."
    chinese = "公司第一季度的收入增长了12%。"
    assert language_doubt(german, english) == "the claim seems to be in German"
    assert language_doubt(english, chinese) == "the evidence seems to be in Chinese"
    assert language_doubt(english, [english, "12 | 13 | 14"]) is None


def test_evidence_is_foreign_when_more_than_half_of_it_is() -> None:
    claim = english = "Revenue rose by 12% in the first quarter of the year."
    german = "Der Umsatz stieg im ersten Quartal um 12 Prozent."
    assert language_doubt(claim, [english, german]) is None
    assert language_doubt(claim, [english, german, german]) == "the evidence seems to be in German"
    assert language_doubt(claim, []) is None


def test_a_long_text_is_known_by_its_parts() -> None:
    german = "Der Umsatz stieg im ersten Quartal um 12 Prozent und war damit so hoch wie nie. " * 2_000
    assert find_language(german) == "German"
    assert find_language("The revenue of the company rose. " * 5_000) == "English"


@given(st.text(max_size=300))
def test_no_text_breaks_it(text: str) -> None:
    assert find_language(text) is None or find_language(text)


# --- scripts ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("character", "ไລမខあア漢\uf900\U00020000")
def test_scripts_without_spaces(character: str) -> None:
    assert re.fullmatch(f"[{UNSPACED}]", character)


@pytest.mark.parametrize("character", "aéяא한ह5")
def test_scripts_with_spaces(character: str) -> None:
    assert not re.fullmatch(f"[{UNSPACED}]", character)


def test_no_other_module_defines_them() -> None:
    ranges = re.compile(r"u3400-|u4e00-|㐀-|一-")
    found = {
        path.name
        for path in Path(pincite.__file__).parent.rglob("*.py")
        if ranges.search(path.read_text(encoding="utf-8"))
    }
    # `language` tells Chinese from Japanese and Thai by their letters.
    assert found == {"terms.py", "language.py"}


def test_a_claim_in_another_script_than_the_evidence_is_noticed() -> None:
    assert foreign_script("Продажи выросли.", ["Sales rose."]) == "Cyrillic"
    assert foreign_script("Sales rose.", ["Sales rose."]) is None
    assert foreign_script("2024", ["продажи"]) is None
