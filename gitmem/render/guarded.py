"""Fixes that a change takes back, two lines each; the same words on every face."""

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Final

from gitmem import plurals
from gitmem.render.text import one_line

if TYPE_CHECKING:
    from gitmem.answers.guarded import Guarded, Proof, TakenBack
    from gitmem.render.text import Painter

WHAT: Final = {
    "back": "takes back",
    "dropped": "drops",
    "again": "has in another place what was the cause before",
    "rule": "matches the rule of",
}


def plain(fixes: "Iterable[TakenBack]", painter: "Painter") -> Iterator[str]:
    """Write fixes that a change takes back as lines of text, two each."""
    for taken in fixes:
        yield painter.line(
            0,
            [
                (place(taken), ("yellow",)),
                (f"{taken.sureness}:", ("bold",)),
                (f"{WHAT[taken.change.how]} {taken.fix.id}", ()),
                (one_line(taken.fix.title), ("bold",)),
            ],
        )
        yield painter.line(2, [(details(taken), ("dim",))])


def heading(taken: "TakenBack") -> str:
    """Say what the change does to which fix."""
    return f"{WHAT[taken.change.how]} {taken.fix.id} {one_line(taken.fix.title)}"


def place(taken: "TakenBack") -> str:
    """Give where it shows, as compilers write places."""
    return one_line(f"{taken.change.path}:{taken.change.line}")


def reason(taken: "TakenBack") -> str:
    """Say how sure it is, and everything else but where, in one line."""
    return f"{taken.sureness}: {details(taken)}"


def details(taken: "TakenBack") -> str:
    """Say what it fixed, since when that is known, what proves it, and why it is told."""
    error = f"{taken.error.id}: {one_line(taken.error.title)}, " if taken.error else ""
    return f"{error}seen {taken.seen}; {one_line(taken.evidence)}; {one_line(taken.why)}"


def proved(taken: "TakenBack", proof: "Proof") -> str:
    """Say in one line what came of running what had proved a fix."""
    line = one_line(taken.proof)
    outcomes = {
        "still fixed": f"still fixed: passes: {line}",
        "back": f"back: {taken.error.id if taken.error else ''} shows again: {line}",
        "unclear": f"unclear: exits with {proof.exit_code}, and not with that error: {line}",
        "not run": f"not run: {line or 'no command is recorded that proved it'}",
    }
    return f"{taken.fix.id}  {outcomes[proof.result]}"


def counted(guarded: "Guarded") -> str:
    """Say in one line how much was looked at."""
    fixes = plurals.counted(guarded.fixes, "fix", "fixes")
    fixes += f" and {plurals.counted(guarded.rules, 'rule')}" if guarded.rules else ""
    files = plurals.counted(guarded.files, "file")
    if guarded.taken_back:
        taken = plurals.counted(len(guarded.taken_back), "fix", "fixes")
        return f"{taken} taken back, of {fixes} in {files}"
    return f"no fix is taken back, of {fixes} in {files}"
