"""Is a fix one that can be replayed, and what is true of it: asked without gitmem."""

import re
from typing import Final, NamedTuple

from benchmarks.replay.clones import Clone, Ended, ReplayError
from benchmarks.replay.mining import Bug
from gitmem.capture.patches import Line, parse_patch

_FAILED: Final = re.compile(r"^(?:FAILED|ERROR) (\S+\.py(?:::\S.*?)?)(?: - .*)?$", re.MULTILINE)
_NO_NAME: Final = re.compile(
    r"^E +ImportError: cannot import name '(\w+)'"
    r"|: undefined: (?:\w+\.)?(\w+)$|has no field or method (\w+)\)?$|unknown field (\w+) in struct"
    r"|^error\[E\d+\]: (?:cannot find|no) [\w, ]+ (?:named )?`(\w+)`"
    r"|^error\[E0432\]: unresolved imports? `(?:\w+::)*(\w+)`"
    r"|does not provide an export named '(\w+)'",
    re.MULTILINE,
)
"""What an interpreter or a compiler says of a name that is not there, so that no test can run."""
_NO_ATTRIBUTE: Final = re.compile(r"^E +AttributeError: .*has no attribute '(\w+)'", re.MULTILINE)
"""The same of a method or a property, which is new where all tests that fail lack one."""
_DEFINES: Final = (
    r"\b(?:def|class|func|fn|struct|enum|trait|type|const|let|var|function)\s+(?:\([^)]*\)\s*)?"
)
_NO_TESTS: Final = frozenset({4, 5})
"""How pytest exits that could not begin, or ran nothing."""


class Truth(NamedTuple):
    """What is true of a bug that shows, and is gone after its fix.

    Attributes:
        bug: the fix.
        output: what its tests print on the code before it.
        failing: the tests that fail then, by name; empty where the runner lists none.
        partial: a part of the code's patch after which the tests still fail; empty if none is.
        partial_output: what they print then.

    """

    bug: Bug
    output: str
    failing: frozenset[str]
    partial: str = ""
    partial_output: str = ""

    @property
    def needed(self) -> frozenset[Line]:
        """The lines of the code's patch that surely mend it.

        A first part in files of its own, after which the tests still fail, may be about something
        else.
        """
        lines = self.bug.code.lines
        part = parse_patch(self.partial)
        rest = {file for file, _, _ in lines - part.lines}
        return lines if part.files & rest else lines - part.lines

    @property
    def shown(self) -> str:
        """All that was printed while it was there."""
        return f"{self.output}\n{self.partial_output}"


def prove(clone: Clone, bug: Bug, *, partly: bool) -> Truth | None:
    """Run a fix's tests before and after it; None where that is not red and green.

    Args:
        clone: where to run; it has no memory.
        bug: the fix.
        partly: also look for a part of the fix that does not suffice.

    """
    try:
        clone.checkout(bug.parent)
        clone.apply(bug.test_patch)
        red = clone.run(bug.tests, watched=False)
        if not _is_red(red) or wants_something_new(bug, red.text):
            return None
        clone.apply(bug.code_patch)
        if clone.run(bug.tests, watched=False).code != 0:
            return None
    except ReplayError:
        return None
    truth = Truth(bug, red.text, failing_tests(red.text))
    return _with_part(clone, truth) if partly and len(bug.hunks) > 1 else truth


def _with_part(clone: Clone, truth: Truth) -> Truth:
    bug = truth.bug
    part = bug.hunks[0]
    clone.checkout(bug.parent)
    clone.apply(bug.test_patch)
    try:
        clone.apply(part)
    except ReplayError:
        return truth
    red = clone.run(bug.tests, watched=False)
    if not _is_red(red) or not failing_tests(red.text) <= truth.failing:
        return truth
    return truth._replace(partial=part, partial_output=red.text)


def _is_red(ended: Ended) -> bool:
    return ended.code > 0 and ended.code not in _NO_TESTS


def wants_something_new(bug: Bug, output: str) -> bool:
    """Tell whether tests can't run for a name that the commit adds: it is no fix of what was."""
    names = {next(filter(None, match.groups())) for match in _NO_NAME.finditer(output)}
    attributes = _NO_ATTRIBUTE.findall(output)
    if len(attributes) >= max(len(failing_tests(output)), 1):
        names.update(attributes)
    lines = {sign: [line for _, mark, line in bug.code.lines if mark == sign] for sign in "+-"}
    return any(
        any(map(new.search, lines["+"])) and not any(map(new.search, lines["-"]))
        for name in names
        for new in [re.compile(rf"{_DEFINES}{name}\b|^{name}\b\s*(?:[:=]|\S+$)")]
    )


def failing_tests(output: str) -> frozenset[str]:
    """Name the tests that pytest's summary lists as failed."""
    return frozenset(_FAILED.findall(output))
