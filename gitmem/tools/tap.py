"""The Test Anything Protocol: failing points of node:test, tape, Mocha, Vitest, AVA and bats."""

import re
from collections.abc import Sequence
from typing import Final

from gitmem.output.failure import (
    MAX_MESSAGE,
    PLAIN_CODES,
    Failure,
    FailureLocation,
    ParserResult,
    StackFrame,
    Test,
    bounded,
    excerpt,
)
from gitmem.tools.base import Tool, ToolCommand, ToolOutput, ToolTests
from gitmem.tools.common.frames import foreign
from gitmem.tools.common.node_titles import title_above
from gitmem.tools.common.reading import number, passed_over
from gitmem.tools.common.tap_points import POINT, title
from gitmem.tools.common.tap_stream import TapStream
from gitmem.tools.common.v8_traces import DIFFERENCES, FILE_FAILED, error, stack, uncaught
from gitmem.tools.common.yaml_block import read_block

_SUBTEST: Final = re.compile(r"(?P<indent> *)# Subtest: (?P<name>.*)$")
_OPENS: Final = re.compile(r"(?P<indent> *)(?:not )?ok \d+ - (?P<name>.*?)(?: # .*)? \{$")
_PLACE: Final = re.compile(r"(?P<file>\S.*?):(?P<line>\d+)(?::(?P<column>\d+))?\)?$")
_BATS: Final = re.compile(r"in test file (?P<file>.+?), line (?P<line>\d+)\)")
_BATS_COMMAND: Final = re.compile(r"`(?P<code>.*)' (?P<said>failed.*)$")
_PRETTY: Final = re.compile(r" ?\u2717 (?P<name>\S.*?)(?: \[\d+\])?$")
_CURSOR: Final = re.compile(r"   \S.*\d+/\d+$")  # which test runs now
_STANDS: Final = re.compile(
    r"(?:at|in|from) (?P<file>\S{1,300}\.\w{1,10})(?::| (?:on )?line )(?P<line>\d{1,7})"
    r"(?::\d{1,5})?[.:]?$"
)
"""A comment that says nothing but where."""
_LITERALS: Final = frozenset({"true", "false", "null", "undefined", "NaN", "Infinity"})
_SCRIPT: Final = re.compile(r"\.[cm]?[jt]sx?$")
_OF_NODE: Final = frozenset({"operator", "failureType", "stack", "duration_ms"})
"""Fields that only runners of JavaScript write."""
_REASONS: Final = frozenset({"error", "message", "expected", "actual", "operator", "diff"})
"""Fields that say what went wrong."""
_MAY_FAIL: Final = ("skip", "todo")
_MOST_ABOVE: Final = 5_000
_MOST_BELOW: Final = 400


def parse(lines: Sequence[str], at: int, floor: int) -> ParserResult | None:
    """Read a failing point with what is said about it; one that may fail is passed over."""
    if pretty := _PRETTY.match(lines[at]):
        return _pretty(lines, at, pretty["name"])
    point = POINT.match(lines[at])
    if not point or not point["bad"]:
        return None
    depth = len(point["indent"])
    body, end = _body(lines, at + 1, depth)
    note = (point["note"] or "").lower()
    if point["opens"]:
        return passed_over(at, at + 1)
    if note.startswith(_MAY_FAIL):
        return passed_over(at, end)
    fields = read_block(body) if body and body[0].strip() == "---" else {}
    if fields.get("type") == "suite" or fields.get("failureType") == "subtestsFailed":
        return passed_over(at, end)
    if not _REASONS.intersection(fields) and _has_failing_points(lines, at, depth):
        return passed_over(at, end)
    name = _name(lines, at, floor, point, fields)
    failure = _of_fields(fields, title(point)) if fields else _of_text(body, title(point))
    if fields.get("error") == FILE_FAILED:
        failure = _printed(lines, at) or failure
    failure = failure._replace(excerpt=excerpt(lines, at, end))
    place = failure.location
    test = Test(
        name=name,
        expected=fields.get("expected", _signed(fields, "-"))[:1_000],
        actual=fields.get("actual", _signed(fields, "+"))[:1_000],
        message=failure.message.partition("\n")[0][:1_000],
        failing_line=place.line if place else None,
    )
    return ParserResult((failure._replace(test=test),), at, end)


def _printed(lines: Sequence[str], at: int) -> Failure | None:
    """Give what ended a file of tests, which node:test passes on as comments above its point."""
    start = at
    while start and lines[start - 1].startswith("# ") and at - start < _MOST_BELOW:
        start -= 1
    printed = [line[2:].replace("\\#", "#") for line in lines[start:at]]
    words = [line for line in printed if not line.startswith("Subtest: ")]
    plain = Failure("node", "javascript", message=words[-1]) if words else None
    return uncaught(printed) or plain


def _has_failing_points(lines: Sequence[str], at: int, depth: int) -> bool:
    """Tell whether a point closes a subtest one of whose own points failed: that was told there."""
    for near in range(at - 1, max(0, at - _MOST_ABOVE) - 1, -1):
        line = lines[near]
        if line.strip() and len(line) - len(line.lstrip()) <= depth:
            return False
        point = POINT.match(line)
        if point and point["bad"] and not (point["note"] or "").lower().startswith(_MAY_FAIL):
            return True
    return False


def _pretty(lines: Sequence[str], at: int, name: str) -> ParserResult | None:
    """Read a failing test as bats shows it on a terminal."""
    end = at + 1
    while end < len(lines) and lines[end].startswith("   ") and not _CURSOR.match(lines[end]):
        end += 1
    if end == at + 1 or "in test file" not in " ".join(lines[at + 1 : end]):
        return None
    failure = _of_text(lines[at + 1 : end], name)
    place = failure.location
    test = Test(
        name=name,
        message=failure.message.partition("\n")[0][:1_000],
        failing_line=place.line if place else None,
    )
    return ParserResult((failure._replace(test=test, excerpt=excerpt(lines, at, end)),), at, end)


def _body(lines: Sequence[str], at: int, depth: int) -> tuple[list[str], int]:
    """Give the lines that belong to a point: a block of YAML, indented ones, or comments."""
    most = min(len(lines), at + _MOST_BELOW)
    end = at
    if at < most and lines[at].strip() == "---":
        while end < most and lines[end].strip() != "...":
            end += 1
        return list(lines[at:end]), min(end + 1, len(lines))
    while end < most and (
        (lines[end].startswith(" " * (depth + 1)) or not lines[end].strip())
        and not POINT.match(lines[end])
    ):
        end += 1
    if end == at:
        while end < most and re.match(r"# ?(?!Subtest|tests \d|pass |fail )", lines[end]):
            end += 1
        return [line[1:] for line in lines[at:end]], end
    while end > at and not lines[end - 1].strip():
        end -= 1
    return list(lines[at:end]), end


def _name(
    lines: Sequence[str], at: int, floor: int, point: re.Match[str], fields: dict[str, str]
) -> str:
    """Put the suites before a point's name; of tape the head above it names the test."""
    name = title(point) or f"test {point['number']}"
    least = max(0, at - _MOST_ABOVE)
    depth = len(point["indent"])
    of_tape = depth == 0 and "operator" in fields and "failureType" not in fields
    if of_tape and (head := title_above(lines, at)):
        return head
    above: list[str] = []
    for near in range(at - 1, least - 1, -1):
        if depth == 0:
            break
        match = _SUBTEST.match(lines[near]) or _OPENS.match(lines[near])
        if match and len(match["indent"]) < depth:
            above.insert(0, match["name"].replace("\\#", "#").strip())
            depth = len(match["indent"])
    del floor
    files = bool(above) and bool(re.fullmatch(r"\S+\.\w+", above[0]))
    joined = " > ".join if files else " \u203a ".join
    return joined([*above, name])


def _of_fields(fields: dict[str, str], words: str) -> Failure:
    """Make a failure of a block of YAML below a point, which in tape says what was asserted."""
    traced = [
        line if line.lstrip().startswith("at ") else f"    at {line.strip()}"
        for line in fields.get("stack", "").split("\n")
        if re.search(r":\d+\)?$", line)
    ]
    frames, _ = stack([f"    {line.strip()}" for line in traced], 0)
    own = [frame for frame in frames if not foreign(frame, "javascript")]
    at = _PLACE.search(fields.get("at", ""))
    place = None
    if own:
        place = FailureLocation(own[-1].file, own[-1].line)
    elif at:
        file = at["file"].rpartition("(")[2].removeprefix("file://")
        place = FailureLocation(file, int(at["line"]), number(at["column"]))
    message = fields.get("error") or fields.get("message") or ""
    for difference in DIFFERENCES:
        message = message.partition(f"\n{difference}")[0]
    kind = fields.get("name", "")
    if not kind and "operator" not in fields and fields.get("failureType") == "testCodeFailure":
        kind = "Error"  # the one name that node leaves out
    if not message and ("expected" in fields or fields.get("operator")):
        expected, actual = (_quoted(fields.get(key, "")) for key in ("expected", "actual"))
        message = f"{words or fields.get('operator', '')}\nexpected: {expected}\nactual: {actual}"
    if not message:
        message = "\n".join(filter(None, [words, fields.get("diff", "")]))
    code = fields.get("code", "")
    of_node = bool(frames) or not _OF_NODE.isdisjoint(fields)
    of_node |= place is not None and _SCRIPT.search(place.file) is not None
    return Failure(
        tool="node" if of_node else "tap",
        language="javascript" if of_node else "",
        error_type=kind or ("AssertionError" if "operator" in fields else ""),
        code="" if code in PLAIN_CODES else code,
        message=message.strip()[:MAX_MESSAGE],
        frames=bounded(frames),
        location=place,
    )


def _signed(fields: dict[str, str], sign: str) -> str:
    """Give the lines of a difference that bear a sign, without those of its head."""
    lines = fields.get("diff", "").split("\n")
    return "\n".join(
        line[1:].strip() for line in lines if line.startswith(sign) and line[:3] != sign * 3
    )


def _quoted(value: str) -> str:
    """Put words in quotes again, as a test that compares texts is known by its own words."""
    return f"'{value}'" if re.match(r"[^\W\d]", value) and value not in _LITERALS else value


def _of_text(body: Sequence[str], name: str) -> Failure:
    """Make a failure of what stands below a point in words."""
    block = error([line.removeprefix("  ") for line in body])
    if block:
        return block
    words = [line.strip() for line in body if line.strip()]
    joined = " ".join(words)
    bats = _BATS.search(joined)
    if bats:
        command = next((match for word in words if (match := _BATS_COMMAND.match(word))), None)
        code = command["code"] if command else ""
        rest = words[words.index(command.string) + 1 :] if command else []
        message = "\n".join([command.string if command else words[0], *rest])
        frame = StackFrame(bats["file"], "", int(bats["line"]), code)
        place = FailureLocation(bats["file"], int(bats["line"]), None, code)
        return Failure("bats", "shell", "", "", message[:MAX_MESSAGE], (frame,), place)
    stands = [match for word in words if (match := _STANDS.match(word))]
    telling = [word for word in words if not _STANDS.match(word)]
    stood = FailureLocation(stands[0]["file"], int(stands[0]["line"])) if stands else None
    message = "\n".join(telling)[:MAX_MESSAGE] or f"{name} failed"
    return Failure("tap", message=message, location=stood)


TOOL = Tool(
    "tap",
    order=10,
    output=ToolOutput(words=("not ok ", "✗ "), commands=("prove",), parse=parse),
    tests=ToolTests(
        begins=("ok ", "not ok ", "TAP version", "# ", "}"),
        parts=r"# (?P<word>tests|pass|fail|cancelled|skipped|skip|todo) +(?P<number>\d+)$",
        follows=r"(?i: *(?:not )?ok \d| *# | *TAP version )",
        follow=TapStream,
        names_each=True,
    ),
    command=ToolCommand(programs=("tap",)),
)
