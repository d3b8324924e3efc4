"""Faults that a compiler or a linter tells, each in a line of one form and those below it."""

from collections.abc import Sequence
from typing import Final

from gitmem.lazy_pattern import lazily
from gitmem.output.failure import MAX_MESSAGE, Failure, ParserResult
from gitmem.tools.common.compared import place_of
from gitmem.tools.common.reading import one, passed_over
from gitmem.tools.output_parts import Parse

_MOST_BELOW: Final = 12
_WARNING: Final = lazily(r"(?i)warn")


def faults_of(
    tool: str, language: str, pattern: str, *, mild: str = "", told: str = "", shown: str = ""
) -> Parse:
    """Make what reads the faults of a tool.

    Args:
        tool: its name.
        language: of the code.
        pattern: of a whole line. Groups: ``message``, and those that it has of ``file``,
            ``line``, ``column``, ``level``, ``type`` and ``code``.
        mild: pattern of levels, or of messages of a tool without these, that are no faults.
        told: pattern of lines below that go on with the message, without a group or with one
            that holds what is told.
        shown: pattern of lines below that quote the code.

    """
    head, harmless = lazily(pattern), lazily(mild or r"(?!)")
    more, code = lazily(told or r"(?!)"), lazily(shown or r"(?!)")

    def parse(lines: Sequence[str], at: int, floor: int) -> ParserResult | None:  # noqa: ARG001
        match = head.match(lines[at])
        if match is None:
            return None
        said = match.groupdict()
        words = [said["message"].strip()]
        end = at + 1
        while end < len(lines) and end <= at + _MOST_BELOW:
            if further := more.match(lines[end]):
                words.append(next((text for text in further.groups() if text), further[0]).strip())
            elif not code.match(lines[end]):
                break
            end += 1
        level = said.get("level") or ""
        if harmless.fullmatch(level if "level" in said else words[0]):
            return passed_over(at, end)
        failure = Failure(
            tool,
            language,
            said.get("type") or "",
            said.get("code") or "",
            "\n".join(words)[:MAX_MESSAGE],
            severity="warning" if _WARNING.match(level) else "error",
        )
        if file := said.get("file"):
            place = place_of(file, said.get("line"), said.get("column"))
            failure = failure._replace(location=place)
        return one(failure, lines, at, end)

    return parse
