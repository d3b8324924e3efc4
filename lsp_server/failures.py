"""Other servers' diagnostics as they come over the wire; ``matching.diagnostic`` reads them."""

from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple

from gitmem.matching import diagnostic
from gitmem.output.failure import MAX_MESSAGE, Failure, FailureLocation
from gitmem.tools.choice import borne, language_of, values
from lsp_server.positions import EditorRange

_MOST: Final = 500
"""Diagnostics of one document that are looked at."""
_HINT: Final = 4
_LANGUAGES: Final = {"cpp": "c++"}


class ForeignDiagnostic(NamedTuple):
    """A diagnostic of another server: its range and its failure."""

    span: EditorRange
    failure: Failure


def read(
    diagnostics: object, path: str, language: str, line_of: Callable[[int], str]
) -> list[ForeignDiagnostic]:
    """Read the diagnostics of a document; what is no diagnostic is passed over.

    Args:
        diagnostics: as they came over the wire: a list of mappings, if all is well.
        path: the document's file, absolute.
        language: the editor's name for the document's language.
        line_of: gives a line of the document by its number from 0.

    """
    if not isinstance(diagnostics, list):
        return []
    foreign = []
    for raw in diagnostics[:_MOST]:
        span = span_in(raw)
        if span is None or raw.get("severity") == _HINT or raw.get("source") == "gitmem":
            continue
        failure = failure_of(raw, path, language, span, line_of(span.start[0]))
        if failure:
            foreign.append(ForeignDiagnostic(span, failure))
    return foreign


def failure_of(
    raw: Mapping[str, Any], path: str, language: str, span: EditorRange, line: str
) -> Failure | None:
    """Make a failure of a diagnostic; None if it says nothing.

    Args:
        raw: the diagnostic, as it came.
        path: the document's file.
        language: the editor's name for its language.
        span: where it is.
        line: the text of its first line.

    """
    source, message = raw.get("source"), raw.get("message")
    if not isinstance(message, str) or not message.strip():
        return None
    server = source.strip().lower() if isinstance(source, str) else ""
    own_language = _language(server, borne(server), path) or _language_shown(language)
    location = FailureLocation(path, span.start[0] + 1, span.start[1] + 1, line.strip()[:500])
    message = message[: 2 * MAX_MESSAGE].replace("\r\n", "\n")
    return diagnostic.failure_of(server, own_language, _code(raw.get("code")), message, location)


def _language(server: str, tool: str, path: str) -> str:
    """Give the language that the tool's own output would tell; empty: any."""
    others = values("languages").get(tool, {})
    return others.get("." + path.rpartition(".")[2].lower(), "") or language_of(server)


def _language_shown(editors_name: str) -> str:
    plain = editors_name.removesuffix("react")  # typescriptreact is TypeScript
    return _LANGUAGES.get(plain, plain)


def _code(code: object) -> str:
    if isinstance(code, Mapping):  # {value, target}, as VS Code hands them out
        code = code.get("value")
    if isinstance(code, bool) or not isinstance(code, int | str):
        return ""
    return str(code).strip()[:100]


def span_in(raw: object) -> EditorRange | None:
    """Give the range of a diagnostic as it came; None where it has none that makes sense."""
    data = raw.get("range") if isinstance(raw, Mapping) else None
    points = [data.get(end) for end in ("start", "end")] if isinstance(data, Mapping) else []
    numbers = [
        point.get(axis) if isinstance(point, Mapping) else None
        for point in points
        for axis in ("line", "character")
    ]
    whole = [each for each in numbers if isinstance(each, int) and not isinstance(each, bool)]
    if len(whole) < 4 or min(whole) < 0 or max(whole) >= 2**31:  # noqa: PLR2004  two points
        return None
    start, end = (whole[0], whole[1]), (whole[2], whole[3])
    return EditorRange(start, max(start, end))
