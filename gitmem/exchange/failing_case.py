"""A failing case of a report; its text is parsed as the tool's output would be."""

import textwrap

from gitmem.matching.parse import parse
from gitmem.output.failure import MAX_MESSAGE, Failure, Test

_RULE = "_" * 20
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
    failures = parse(_headed(name, text, tool, collecting=collecting), tool or None) if text else []
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


def _of_node(text: str) -> str:
    """Give what node:test wraps: the cause, where there is one, else the error itself."""
    _, separator, cause = text.partition("\n  cause: ")
    if separator:
        return textwrap.dedent(f"  {cause}")
    return text.strip().removeprefix("[").replace("\n] {\n", "\n{\n", 1)


def _headed(name: str, text: str, tool: str, *, collecting: bool) -> str:
    """Put the head before the text that the tool's own output has there."""
    if tool == "go":
        return f"--- FAIL: {name.rpartition('::')[2]} (0.00s)\n{text}\nFAIL\n"
    if tool == "vitest":
        broken = "" if " > " in name else f" [ {name} ]"
        return f" FAIL  {name}{broken}\n{text.strip(chr(10))}\n"
    if tool == "node":
        return _of_node(text)
    if tool != "pytest":
        return text
    short = name if collecting else name.rpartition("::")[2]
    head = f"ERROR collecting {short}" if collecting else short
    return f"{_RULE} {head} {_RULE}\n{text.strip(chr(10))}\n"
