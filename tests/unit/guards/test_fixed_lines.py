"""Lines that a fix brought are found where they stand now, and only where that is sure."""

import pytest

from gitmem.diffs import read_files
from gitmem.guards.fixed_lines import SourceText
from tests.unit.guards.changes import diff

BROKEN = "def share(total, people):\n    paid = round(total)\n    return paid / people\n"
GUARD = "    if people < 1:\n        return paid\n"
FIXED = BROKEN.replace("    return paid / people", f"{GUARD}    return paid / people")
ABOVE = "import math\n\n\n"
INDENTED = "class Cart:\n" + "".join(f"    {line}\n" for line in FIXED.splitlines())
CASES = {
    "as it was": (FIXED, [(3, 4)]),
    "further down": (ABOVE + FIXED, [(6, 7)]),
    "indented": (INDENTED, [(4, 5)]),
    "with a comment": (FIXED.replace("< 1:", "< 1:  # nobody"), [(3, 4)]),
    "on one line": (FIXED.replace("1:\n        return", "1: return"), [(3, 3)]),
    "gone": (BROKEN, []),
    "edited": (FIXED.replace("people < 1", "people <= 0"), []),
    "twice, and the lines around tell": (
        FIXED + "\n\ndef other(paid, people):\n" + GUARD + "    return 0\n", [(3, 4)],
    ),
    "twice, and nothing tells": (FIXED + "\n\n" + FIXED, []),
    "empty": ("", []),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_where_the_lines_of_a_fix_stand(name: str) -> None:
    text, lines = CASES[name]
    files = list(read_files(diff({"cart.py": BROKEN}, {"cart.py": FIXED})))
    assert SourceText("cart.py", text).lines_of(files) == lines


@pytest.mark.parametrize("word", ["pass", "}", "x"])
def test_a_word_that_could_be_anybodys_is_found_by_its_neighbours_alone(word: str) -> None:
    before, after = "first = one\nlast = two\n", f"first = one\n{word}\nlast = two\n"
    files = list(read_files(diff({"a.py": before}, {"a.py": after})))
    assert SourceText("a.py", after).lines_of(files) == [(2, 2)]
    assert SourceText("a.py", f"other = 1\n{word}\n").lines_of(files) == []
