"""Screenshots become the error records that their text would have become."""

import difflib
import io
import os
from pathlib import Path
from typing import Final, NamedTuple

import pytest

pytest.importorskip("PIL", reason="needs Pillow: pip install gitmem-native[ocr]")
pytest.importorskip(
    "rapidocr_onnxruntime", reason="the reader has no release for this Python: 3.11 or 3.12 have"
)

from PIL import Image

from gitmem.matching.fingerprint import fingerprints
from gitmem.matching.parse import parse
from gitmem.memory.models.screenshots import picture_content
from gitmem.output.failure import Failure
from gitmem.pictures.picture_text import read
from tests.depth import amount
from tests.editor_page import BROWSER, picture
from tests.editor_page import THEMES as EDITORS
from tests.screens import Style, plain, terminal, there

_OUTPUTS: Final = os.path.join(os.path.dirname(__file__), "..", "tools")
_QUOTES: Final = str.maketrans("\u2018\u2019", "''")

# A real output, and which of its lines the terminal shows.
OUTPUTS: Final = {
    "python": ("python/attribute-311", 0, 20),
    "python, syntax": ("python/syntax-311", 0, 10),
    "python, chained": ("python/chain-38", 0, 40),
    "pytest, short": ("pytest/short", 7, 20),
    "pytest, long": ("pytest/long", 9, 28),
    "node": ("node/undefined", 0, 12),
    "node, module": ("node/module", 0, 12),
    "tsc": ("typescript/plain", 1, 6),
    "tsc, pretty": ("typescript/pretty", 1, 12),
    "gcc": ("gcc/compile", 0, 12),
    "cargo": ("cargo/build", 9, 18),
    "go": ("go/panic", 0, 10),
    "java": ("jvm/trace", 0, 12),
    "javac": ("jvm/compile", 0, 12),
    "mypy": ("mypy/plain", 0, 6),
    "ruby": ("ruby/nil", 0, 12),
}  # fmt: skip
STYLES: Final = tuple(
    style
    for style in (
        Style("dejavu", 14, "dark"),
        Style("dejavu", 16, "light", window=True),
        Style("dejavu-bold", 13, "dracula"),
        Style("dejavu", 12, "paper"),
        Style("dejavu-oblique", 15, "light"),
        Style("dejavu", 18, "solarized", form="JPEG"),
        Style("dejavu", 20, "green"),
        Style("dejavu", 13, "dark", window=True, form="WEBP"),
        Style("jetbrains-mono", 16, "light"),
        Style("cousine", 14, "dracula"),
        Style("fira-code", 15, "dark"),
        Style("ubuntu-mono", 16, "solarized"),
        Style("source-code-pro", 14, "light"),
        Style("liberation", 14, "dark"),
    )
    if there(style)
)
_EACH: Final = amount(share=1, ci=1, whole=3)
"""Pictures of one output, each in another style; a picture takes two seconds."""


def shown(name: str) -> str:
    path, first, end = OUTPUTS[name]
    with open(os.path.join(_OUTPUTS, f"{path}.txt"), encoding="utf-8") as file:
        return "\n".join(file.read().split("\n")[first:end])


def first_failure(text: str) -> Failure | None:
    found = [one for one in parse(text) if one.severity not in {"consequence", "warning"}]
    return found[0] if found else None


def place(failure: Failure) -> tuple[str, int | None]:
    spot = failure.location or (failure.frames[-1] if failure.frames else None)
    return (spot.file, spot.line) if spot else ("", None)


class Score(NamedTuple):
    """How near a picture's failure is to that of its text."""

    type: bool
    message: float
    path: bool
    line: bool
    frames: bool
    fingerprint: bool
    words: float


def score(text: str, read_text: str) -> Score:
    # Of quotes only one kind is written, whichever the tool has chosen.
    wanted, got = first_failure(plain(text).translate(_QUOTES)), first_failure(read_text)
    assert wanted is not None
    words = difflib.SequenceMatcher(None, plain(text).split(), read_text.split(), autojunk=False)
    if got is None:
        return Score(False, 0.0, False, False, False, False, words.ratio())
    return Score(
        (wanted.error_type, wanted.code) == (got.error_type, got.code),
        difflib.SequenceMatcher(None, wanted.message, got.message, autojunk=False).ratio(),
        place(wanted)[0] == place(got)[0],
        place(wanted)[1] == place(got)[1],
        [one[:3] for one in wanted.frames] == [one[:3] for one in got.frames],
        fingerprints(wanted) == fingerprints(got),
        words.ratio(),
    )


@pytest.mark.slow
@pytest.mark.timeout(1800)
def test_s4_57_pictures_of_terminals_become_the_error_of_their_text(
    capsys: pytest.CaptureFixture[str],
) -> None:
    scores = []
    with capsys.disabled():
        print()  # noqa: T201  the figures are what this test is for
        for at, name in enumerate(OUTPUTS):
            for number in range(_EACH):
                style = STYLES[(at * _EACH + number) % len(STYLES)]
                text = shown(name)
                scores.append(score(text, read(terminal(text, style), name).text))
                told = " ".join(f"{key}={value:.3g}" for key, value in scores[-1]._asdict().items())
                print(f"{name:16} {style!s:40} {told}", flush=True)  # noqa: T201
        columns = zip(Score._fields, zip(*scores, strict=True), strict=True)
        mean = {name: sum(column) / len(scores) for name, column in columns}
        told = " ".join(f"{key} {value:.1%}" for key, value in mean.items())
        print(f"{len(scores)} pictures: {told}")  # noqa: T201
    assert len(scores) == _EACH * len(OUTPUTS)
    # Of one picture each, a single miss counts for six hundredths.
    least = {"type": 0.93, "message": 0.97, "path": 0.93, "line": 0.93, "fingerprint": 0.8}
    if _EACH > 1:
        least = {"type": 0.95, "message": 0.97, "path": 0.95, "line": 0.95, "fingerprint": 0.85}
    assert {name: mean[name] for name, share in least.items() if mean[name] < share} == {}


@pytest.mark.parametrize("theme", ["dark", "light"])
def test_blanks_and_columns_are_put_back(theme: str) -> None:
    lines = [
        "TypeError: can't compare offset-naive and offset-aware datetimes",
        "  if (a  ==  b) and not c:",
        "     ^^^^^^^^^^^^^^^^^^^^^",
        "",
        "===== 2 failed, 11 passed =====",
    ]
    text = "\n".join(lines)
    reading = read(terminal(text, Style("dejavu", 15, theme)), "p")
    assert reading.monospaced
    assert reading.text.rstrip("\n") == text


def test_a_picture_without_letters_has_no_text() -> None:
    assert read(terminal(" \n \n ", Style("dejavu", 30, "dark")), "p").lines == ()


@pytest.mark.parametrize("size", [(8, 8), (8_000, 8), (8, 8_000)], ids=str)
def test_a_picture_of_strange_form_has_no_text(size: tuple[int, int]) -> None:
    file = io.BytesIO()
    Image.effect_noise(size, 200).convert("RGB").save(file, "PNG")
    assert "error" not in read(file.getvalue(), "p").text


@pytest.mark.slow
@pytest.mark.skipif(not BROWSER, reason="needs chromium to draw an editor")
@pytest.mark.parametrize("theme", EDITORS)
@pytest.mark.parametrize(
    ("problem", "code", "wanted"),
    [
        (
            {"folder": "src", "name": "price.ts", "source": "ts", "number": 2322, "line": 2,
             "column": 3, "message": "Type 'string' is not assignable to type 'number'."},
            """function total(prices: Price[]): number {
  <<return>> prices.map((p) => p.amount).join("+");
}""",
            ("typescript", "TS2322", 'return prices.map((p) => p.amount).join("+");'),
        ),
        (
            {"folder": "shop", "name": "cart.py", "source": "Pylance",
             "number": "reportOptionalMemberAccess", "line": 3, "column": 12,
             "message": '"amount" is not a known attribute of "None"'},
            "def total(items):\n    for item in items:\n        return item.<<amount>>\n",
            ("pyright", "reportOptionalMemberAccess", "return item.amount"),
        ),
    ],
    ids=["typescript", "pylance"],
)  # fmt: skip
def test_s4_57_an_editor_with_a_problem_becomes_its_error(
    tmp_path: Path, theme: str, problem: dict[str, str | int], code: str, wanted: tuple[str, ...]
) -> None:
    shown_there = picture_content(read(picture(tmp_path, problem, code, theme), "editor.png").text)
    (failure,) = shown_there.failures
    assert (failure.tool, failure.code) == wanted[:2]
    assert failure.message == problem["message"]
    assert failure.location is not None
    assert failure.location.file == f"{problem['folder']}/{problem['name']}"
    assert (failure.location.line, failure.location.column) == (problem["line"], problem["column"])
    assert failure.location.code == wanted[2]
