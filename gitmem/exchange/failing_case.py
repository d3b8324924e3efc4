"""A failing case of a report; its text is parsed as the tool's output would be."""

from gitmem.matching.parse import parse
from gitmem.output.failure import MAX_MESSAGE, Failure, Test
from gitmem.tools.choice import load, values
from gitmem.tools.common.closing import LOOKED_AT, telling_line
from gitmem.tools.common.compared import compared

_LONGEST = 4_000


def read_case(
    name: str,
    status: str,
    text: str,
    *,
    tool: str = "",
    language: str = "",
    error_type: str = "",
    message: str = "",
    printed: str = "",
    collecting: bool = False,
) -> Failure:
    """Give the failure of a case.

    Args:
        name: name of the test, or of the file that could not be collected.
        status: ``failed`` or ``error``.
        text: what the tool said, as in its output; may be empty.
        tool: who said it, if that is known.
        language: of the code, if that is known.
        error_type: what the report says beside the text; it fills what that leaves open.
        message: likewise.
        printed: what the test printed; it tells what went wrong if the report does not.
        collecting: the case is a file that could not be collected.

    """
    text = text.strip() and text
    output = _as_output(name, text, tool, collecting=collecting) if text else printed
    failures = parse(output, tool or None) if output else []
    if text:
        failures = [failure for failure in failures if failure.severity != "hint"]
    elif printed and not failures:
        lines = printed.split("\n")[-LOOKED_AT:]
        failures = [
            Failure(message=telling_line(lines, 0, len(lines)), excerpt=printed[-_LONGEST:])
        ]
    best = next((failure for failure in failures if failure.frames or failure.location), None)
    failure = best or (failures[0] if failures else Failure(excerpt=output[:_LONGEST]))
    if failure.error_type in {"", failure.message}:
        failure = failure._replace(error_type=error_type)
    if failure.error_type and message == failure.error_type:
        message = ""  # an exception without a message, of which reports of Java repeat the type
    silent = "" if failure.error_type or printed else f"{name} failed"  # as of a runner's output
    test = (failure.test or Test(name))._replace(name=name, status=status)
    if not (test.expected or test.actual):
        expected, actual = compared(failure.message.split("\n"))
        test = test._replace(expected=expected, actual=actual)
    if not test.message:
        test = test._replace(message=(failure.message or message).partition("\n")[0])
    return failure._replace(
        tool=failure.tool if best else (tool or failure.tool),
        language=failure.language or language,
        message=(failure.message or message or ("" if best else text.strip() or silent))[
            :MAX_MESSAGE
        ],
        test=test,
        severity="error",
    )


def _as_output(name: str, text: str, tool: str, *, collecting: bool) -> str:
    """Give the text of a case as the tool's own output has it."""
    case = load(tool).reports.case if tool in values("reports.case") else None
    return case(name, text, collecting=collecting) if case else text
