"""Fixes that a change takes back, two lines each; the same words on every face."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final

from gitmem import plurals
from gitmem.render.as_json import row
from gitmem.render.text import one_line

if TYPE_CHECKING:
    from gitmem.answers.guarded import Guarded, TakenBack
    from gitmem.render.text import Painter

_WHAT: Final = {
    "back": "takes back",
    "dropped": "drops",
    "again": "has in another place what was the cause before",
}


def plain(guarded: "Guarded", painter: "Painter") -> Iterator[str]:
    """Write what a change takes back as lines of text."""
    for taken in guarded.taken_back:
        yield painter.line(
            0,
            [
                (place(taken), ("yellow",)),
                (f"{taken.sureness}:", ("bold",)),
                (f"{_WHAT[taken.change.how]} {taken.fix.id}", ()),
                (one_line(taken.fix.title), ("bold",)),
            ],
        )
        yield painter.line(2, [(details(taken), ("dim",))])


def place(taken: "TakenBack") -> str:
    """Give where it shows, as compilers write places."""
    return one_line(f"{taken.change.path}:{taken.change.line}")


def sentence(taken: "TakenBack") -> str:
    """Say in one line what is taken back."""
    how = f"{_WHAT[taken.change.how]} {taken.fix.id} ({one_line(taken.fix.title)})"
    return f"{taken.sureness}: {how}; {details(taken)}"


def details(taken: "TakenBack") -> str:
    """Say what it fixed, since when that is known, what proves it, and why it is told."""
    error = f"{taken.error.id}: {one_line(taken.error.title)}, " if taken.error else ""
    return f"{error}seen {taken.seen}; {one_line(taken.evidence)}; {taken.why}"


def counted(guarded: "Guarded") -> str:
    """Say in one line how much was looked at."""
    fixes = plurals.counted(guarded.fixes, "fix", "fixes")
    files = plurals.counted(guarded.files, "file")
    if guarded.taken_back:
        taken = plurals.counted(len(guarded.taken_back), "fix", "fixes")
        return f"{taken} taken back, of {fixes} in {files}"
    return f"no fix is taken back, of {fixes} in {files}"


def as_data(guarded: "Guarded") -> dict[str, Any]:
    """Give it as plain data."""
    return {
        "taken_back": [
            {
                "fix": row(taken.fix),
                "error": row(taken.error) if taken.error else None,
                "how": taken.change.how,
                "path": taken.change.path,
                "line": taken.change.line,
                "places": taken.change.places,
                "of": taken.change.of,
                "sureness": taken.sureness,
                "score": round(taken.change.sureness, 3),
                "why": taken.why,
                "proof": taken.proof,
                "seen": taken.seen,
            }
            for taken in guarded.taken_back
        ],
        "fixes": guarded.fixes,
        "files": guarded.files,
        "cut": guarded.cut,
    }
