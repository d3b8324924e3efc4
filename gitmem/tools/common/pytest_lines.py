"""What pytest says of a failing test in one line: its short summary, and ``--tb=line``."""

import re
from collections.abc import Collection, Sequence
from typing import Final

from gitmem.output.failure import Failure, FailureLocation, ParserResult, StackFrame, Test
from gitmem.tools.common.frames import foreign
from gitmem.tools.common.reading import number, one

SUMMARY: Final = re.compile(
    r"(?:\[gw\d+\] (?:\[ *\d+%\] )?)?(FAILED|ERROR|SUBFAILED)"
    r"(?P<label>\[.*?\] ?(?:\(.*?\))?|\(.*?\))? (?P<name>(?:\S+?\.\w+(?=::)|\S+?\.(?:py|txt|rst"
    r"|md|feature|ya?ml|toml|ipynb)(?= - |\s*$))(?:::(?:[^\[\s]|\[.*?\](?= - | *$)|\[)+)*)"
    r"(?: - (?P<reason>.*))?\s*$"
)
LINE_STYLE: Final = re.compile(r"(?P<file>[^\s:][^:\n]{0,400}\.py):(?P<line>\d+): (?P<said>.+)$")
IN_SUBTESTS: Final = re.compile(r"contains \d+ failed subtests?$")
"""What is said of a test of which only rows failed, each of which is told for itself."""
_TWICE: Final = re.compile(r"\"(?P<text>'[^'\"]*')\"")
_SAID: Final = re.compile(
    r"(?P<type>[A-Za-z_][\w.]{0,200}?(?:Error|Exception|Warning|Exit|Failed"
    r"|[A-Z]\w+))(?:: (?P<message>.*))?$"
)
_CUT: Final = re.compile(
    r"(?P<type>[A-Za-z_][\w.]{0,200}?(?:Error|Exception|ExceptionGroup)):(?P<message>)\.\.\.$"
)


def named_subtest(name: str, label: str) -> str:
    """Name one row of a test that has several: each is a test of its own."""
    bare = _TWICE.sub(r"\g<text>", label.replace("] (", "]("))  # a worker quotes values twice
    return f"{name} {bare}" if label else name


def read_summary(
    lines: Sequence[str], at: int, status: str, name: str, reason: str
) -> ParserResult:
    """Read a line of the short summary; the block above says more, if there is one."""
    typed = _SAID.match(reason) or _CUT.match(reason)
    if typed:
        error_type, message = typed["type"], typed["message"] or ""
    elif reason.endswith("...") and " " not in reason:
        error_type = message = ""  # of a type that was cut nothing is told
    else:
        error_type, message = ("AssertionError" if reason.startswith("assert ") else ""), reason
    test = Test(name=name, status="error" if status == "ERROR" else "failed", message=reason)
    failure = Failure(
        tool="pytest",
        language="python",
        error_type=error_type,
        message=message.removesuffix("..."),
        test=test,
    )
    return one(failure, lines, at, at + 1)


def read_line(match: re.Match[str], line: str) -> Failure:
    """Read a line of the section of failures, where each has no more."""
    typed = _SAID.match(match["said"])
    error_type = typed["type"] if typed else "AssertionError"
    message = (typed["message"] or "") if typed else match["said"]
    # Not where unittest compares.
    compares = foreign(StackFrame(match["file"]), "python")
    place = None if compares else FailureLocation(match["file"], number(match["line"]))
    return Failure(
        tool="pytest",
        language="python",
        error_type=error_type,
        message=message,
        location=place,
        excerpt=line,
    )


_RULE: Final = "_" * 20
_MODULE: Final = re.compile(r"test_\w+|\w+_test")


def as_output(name: str, text: str, *, collecting: bool) -> str:
    """Put the head before the text of a case that stands there in the output."""
    short = name if collecting else name.rpartition("::")[2]
    head = f"ERROR collecting {short}" if collecting else short
    return f"{_RULE} {head} {_RULE}\n{text.strip(chr(10))}\n"


def node_id(owner: str, name: str, *, file: str, messages: Collection[str]) -> str:
    """Give the node id; without ``file``, the module is the last part that is named like one."""
    parts = owner.split(".") if owner else []
    if not parts:
        # A file that can't be collected has its dotted path as its name.
        broken = "collection failure" in messages
        return name.replace(".", "/") + ".py" if broken else name
    named = [at for at, part in enumerate(parts) if _MODULE.fullmatch(part)]
    last = named[-1] if named else len(parts) - 1
    path = file or "/".join(parts[: last + 1]) + ".py"
    classes = parts[len(file.removesuffix(".py").split("/")) :] if file else parts[last + 1 :]
    return "::".join([path, *classes, name])
