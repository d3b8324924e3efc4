"""A failing case of a report; its text is parsed as the tool's output would be."""

from gitmem.matching.parse import parse
from gitmem.output.failure import MAX_MESSAGE, Failure, Test
from gitmem.tools.choice import load, values

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
        collecting: the case is a file that could not be collected.

    """
    failures = (
        parse(_as_output(name, text, tool, collecting=collecting), tool or None) if text else []
    )
    failures = [failure for failure in failures if failure.severity != "hint"]
    best = next((failure for failure in failures if failure.frames or failure.location), None)
    failure = best or (failures[0] if failures else Failure(excerpt=text[:_LONGEST]))
    if failure.error_type in {"", failure.message}:
        failure = failure._replace(error_type=error_type)
    if failure.error_type and message == failure.error_type:
        message = ""  # an exception without a message, of which reports of Java repeat the type
    test = (failure.test or Test(name))._replace(name=name, status=status)
    if not test.message:
        test = test._replace(message=(failure.message or message).partition("\n")[0])
    return failure._replace(
        tool=failure.tool if best else (tool or failure.tool),
        language=failure.language or language,
        message=(failure.message or message or ("" if best else text.strip()))[:MAX_MESSAGE],
        test=test,
        severity="error",
    )


def _as_output(name: str, text: str, tool: str, *, collecting: bool) -> str:
    """Give the text of a case as the tool's own output has it."""
    case = load(tool).reports.case if tool in values("reports.case") else None
    return case(name, text, collecting=collecting) if case else text
