"""One failing test as pytest shows it: entries of source lines, places and ``E`` lines."""

import re
from collections.abc import Sequence
from typing import Final, NamedTuple

from gitmem.output.failure import MAX_MESSAGE, Failure, FailureLocation, StackFrame, Test, bounded
from gitmem.tools.common.pytest_lines import named_subtest
from gitmem.tools.common.python_traces import GROUP, HEAD, SYNTAX, chain, group

_PLACE: Final = re.compile(
    r"(?P<file>[^\s:>][^:\n]{0,400}|[A-Za-z]:[^:\n]{1,400}|<[^>\n]{1,200}>):(?P<line>\d+):"
    r"(?: in (?P<function>.{1,300})| (?P<type>[\w.]{1,200}))?\s*$"
)
_SAID: Final = re.compile(r"E(?: {1,60}(.*))?$")
_TYPED: Final = re.compile(
    r"(?P<type>[A-Za-z_][\w.]{0,200}(?:\[[^\]]{0,80}\])?)(?:: (?P<message>.*))?$"
)
_DEF: Final = re.compile(r"\s*(?:async )?def (\w+)\(")
_AT_SETUP: Final = re.compile(r"ERROR (?:at (?:setup|teardown) of|collecting) (.+)$")
_SUBTEST: Final = re.compile(r"(?<=[\w\]]) (?P<label>\[[^\]]*\] ?(?:\(.*\))?|\(.*\))$")
_LINK: Final = re.compile(
    r"(?:During handling of the above exception|The above exception was the direct cause)"
)
_EQUAL: Final = re.compile(r"assert (.{1,2000}?) == (.{1,2000})$")
_WORKER_CRASHED: Final = "the worker crashed"
_CRASHED: Final = re.compile(r"worker '\w+' crashed while running '(?P<test>[^'\n]{1,400})'$")
_EXAMPLE: Final = (": DocTestFailure", ": UnexpectedException")
_SYNTAX: Final = re.compile(r'E\s+File "([^"]{1,400})", line (\d+)')


class TraceBlock(NamedTuple):
    """The name in the head of a block, and the lines of its trace."""

    name: str
    lines: Sequence[str]


class _ChainedException(NamedTuple):
    """One exception of a chain."""

    frames: list[StackFrame]
    said: list[str]
    error_type: str


def _is_example(lines: Sequence[str]) -> bool:
    """Tell by its last line whether a block may be of an example of doctest."""
    last = next((line for line in reversed(lines) if line.strip()), "")
    return last.endswith(_EXAMPLE)


def read(block: TraceBlock) -> Failure | None:
    """Read the block of one test; None if it holds no failure."""
    if _is_example(block.lines):
        from gitmem.tools.common.examples import read_pytest

        if example := read_pytest(block.name, block.lines):
            return example
    if crashed := next(filter(None, map(_CRASHED.match, block.lines)), None):
        test = Test(crashed["test"], "error", message=_WORKER_CRASHED)
        return Failure("pytest", "python", message=_WORKER_CRASHED, test=test)
    parts = [_part(lines, block.name) for lines in _split(block.lines)]
    failures = [_failure(part) for part in parts if part.said or part.error_type]
    native = next((at for at, line in enumerate(block.lines) if HEAD in line), None)
    if not failures and native is not None:
        traced = _traced(block.lines, native)
        failures = [*reversed(traced.causes), traced] if traced else []
    if not failures:
        return None
    *causes, last = failures
    causes.reverse()
    return last._replace(
        tool="pytest", causes=tuple(causes), test=_test(block, last), location=_place(last, block)
    )


def _traced(lines: Sequence[str], at: int) -> Failure | None:
    """Read a trace as Python itself writes it: of exception groups pytest writes no other."""
    if GROUP not in lines[at]:
        return chain(lines, at)[0]
    result = group(lines, at)
    return result.failures[0] if result else None


def _split(lines: Sequence[str]) -> list[Sequence[str]]:
    cuts = [at for at, line in enumerate(lines) if _LINK.match(line)]
    starts, ends = [0, *(cut + 1 for cut in cuts)], [*cuts, len(lines)]
    return [lines[start:end] for start, end in zip(starts, ends, strict=True)]


def _part(lines: Sequence[str], name: str) -> _ChainedException:
    """Gather frames and ``E`` lines; a place stands below a long entry, above a short one."""
    frames: list[StackFrame] = []
    error_lines: list[str] = []
    error_type = function = code = ""
    for at, line in enumerate(lines):
        match = _SAID.match(line)
        if match:
            error_lines.append(match[1] or "")
        elif line.startswith(">"):
            code = line[1:].strip()
        elif line.startswith("_ _"):
            function = code = ""
        elif match := _PLACE.match(line):
            short = match["function"]
            if short:
                source = _below(lines, at + 1)
                frames.append(StackFrame(match["file"], short, int(match["line"]), source))
            else:
                frames.append(_long(match, function or name, code))
                error_type = match["type"] or error_type
            function = code = ""
        elif defined := _DEF.match(line):
            function = function if code else defined[1]
    return _ChainedException(frames, error_lines, error_type)


def _long(match: re.Match[str], function: str, code: str) -> StackFrame:
    name = _AT_SETUP.sub(r"\1", function).split("[", 1)[0]
    return StackFrame(match["file"], name, int(match["line"]), "" if code == "???" else code)


def _below(lines: Sequence[str], at: int) -> str:
    line = lines[at] if at < len(lines) else ""
    return line.strip() if line.startswith("    ") else ""


def _failure(part: _ChainedException) -> Failure:
    error_type, message = part.error_type, "\n".join(part.said)
    typed = _TYPED.match(part.said[0]) if part.said else None
    last = error_type.rsplit(".", 1)[-1]
    if typed and _named(typed["type"], last, message):
        error_type = typed["type"]
        message = "\n".join([typed["message"] or "", *part.said[1:]])
    elif not error_type and message.startswith("assert"):
        error_type = "AssertionError"
    for error_line in part.said if error_type in ("", *SYNTAX) else ():
        typed = _TYPED.match(error_line)
        if typed and typed["type"] in SYNTAX:
            error_type, message = typed["type"], typed["message"] or ""
    return Failure(
        tool="pytest",
        language="python",
        error_type=error_type,
        message=message[:MAX_MESSAGE],
        frames=bounded(part.frames),
    )


def _named(name: str, last: str, message: str) -> bool:
    """Tell whether an ``E`` line starts with the exception rather than with a word of it."""
    tail = name.rsplit(".", 1)[-1]
    return bool(last and tail == last) or (
        not last and tail[:1].isupper() and (": " in message or message == name)
    )


def _test(block: TraceBlock, failure: Failure) -> Test | None:
    setup = _AT_SETUP.match(block.name)
    name = setup[1] if setup else block.name
    if label := _SUBTEST.search(name):
        name = named_subtest(name[: label.start()], label["label"])
    last = failure.frames[-1] if failure.frames else None
    if not name:
        defined = next((match for line in block.lines if (match := _DEF.match(line))), None)
        name = defined[1] if defined and defined[1].startswith("test") else ""
    if not name:
        return None
    first_line = failure.message.split("\n", 1)[0]
    equal = _EQUAL.search(first_line)
    return Test(
        name=name,
        status="error" if setup else "failed",
        expected=equal[2] if equal else "",
        actual=equal[1] if equal else "",
        message=first_line[:1_000],
        failing_function=last.function if last else "",
        failing_line=last.line if last else None,
    )


def _place(failure: Failure, block: TraceBlock) -> FailureLocation | None:
    if failure.error_type in SYNTAX:
        for line in block.lines:
            match = _SYNTAX.match(line)
            if match:
                return FailureLocation(match[1], int(match[2]))
    if not failure.frames:
        return None
    last = failure.frames[-1]
    return FailureLocation(last.file, last.line, None, last.code)
