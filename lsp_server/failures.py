"""Other servers' diagnostics as failures, worded as the same tool words them on a terminal.

This gives both the same fingerprint. What servers add for editors (labels, hints, marks that a
fix is offered) is removed.
"""

import re
from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple

from gitmem.output.failure import MAX_MESSAGE, Failure, FailureLocation
from lsp_server.positions import EditorRange

_MOST: Final = 500
"""Diagnostics of one document that are looked at."""
_HINT: Final = 4
_LONGEST_EXCERPT: Final = 1_000
# Tool and language by the source that servers name, lower case.
_TOOLS: Final = {
    "pyright": ("pyright", "python"), "basedpyright": ("pyright", "python"),
    "pylance": ("pyright", "python"), "mypy": ("mypy", "python"), "dmypy": ("mypy", "python"),
    "ruff": ("ruff", "python"), "flake8": ("ruff", "python"), "pycodestyle": ("ruff", "python"),
    "pyflakes": ("ruff", "python"), "pylint": ("pylint", "python"),
    "ts": ("typescript", "typescript"), "typescript": ("typescript", "typescript"),
    "tsserver": ("typescript", "typescript"), "js": ("typescript", "typescript"),
    "eslint": ("eslint", "javascript"), "gcc": ("gcc", "c"), "g++": ("gcc", "c"),
    "clang": ("gcc", "c"), "clangd": ("gcc", "c"), "rustc": ("rustc", "rust"),
    "cargo": ("rustc", "rust"), "rust-analyzer": ("rustc", "rust"), "compiler": ("go", "go"),
    "go": ("go", "go"), "gopls": ("go", "go"), "javac": ("javac", "java"),
}  # fmt: skip
_LANGUAGES: Final = {"cpp": "c++", "typescriptreact": "typescript", "javascriptreact": "javascript"}
_CPP: Final = (".cc", ".cpp", ".cxx", ".hpp", ".hh", ".hxx", ".c++")
_FIXES: Final = re.compile(r" ?\((?:fix(?:es)? available)\)\s*$")
_CODE_AT_END: Final = re.compile(r"  \[(?P<code>[a-z][\w-]*)\]\s*$")


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
    tool, own_language = _TOOLS.get(server, (server, _LANGUAGES.get(language, language)))
    code = _code(raw.get("code"))
    message = message[: 2 * MAX_MESSAGE].replace("\r\n", "\n")
    if tool in _SHAPES:
        code, message = _SHAPES[tool](code, message)
    message = message.strip()[:MAX_MESSAGE]
    if tool == "gcc" and path.lower().endswith(_CPP):
        own_language = "c++"
    location = FailureLocation(path, span.start[0] + 1, span.start[1] + 1, line.strip()[:500])
    label = f" [{code}]" if code else ""
    excerpt = f"{location.file}:{location.line}:{location.column}: {message}{label}"[
        :_LONGEST_EXCERPT
    ]
    return Failure(tool, own_language, "", code, message, location=location, excerpt=excerpt)


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


def _pyright(code: str, message: str) -> tuple[str, str]:
    # Explaining lines are indented by hard blanks; on a terminal their indent says nothing.
    lines = (line.replace("\N{NO-BREAK SPACE}", " ").strip() for line in message.split("\n"))
    return (code if code.startswith("report") else ""), "\n".join(line for line in lines if line)


def _mypy(code: str, message: str) -> tuple[str, str]:
    ended = _CODE_AT_END.search(message)
    if ended:
        message = message[: ended.start()]
    return code or (ended["code"] if ended else ""), message.partition("\n")[0]


def _typescript(code: str, message: str) -> tuple[str, str]:
    lines = "\n".join(line.rstrip() for line in message.split("\n"))
    return (f"TS{code}" if code.isdecimal() else code), lines


def _gcc(code: str, message: str) -> tuple[str, str]:
    # clangd says its own names of errors, capitals, notes below, and that it has a fix.
    first = _FIXES.sub("", message.partition("\n")[0])
    if first[:1].isupper() and not first[1:2].isupper():
        first = first[0].lower() + first[1:]
    return (code if code.startswith("-W") else ""), first


def _rustc(code: str, message: str) -> tuple[str, str]:
    return code, message.partition("\n")[0]


def _go(_code: str, message: str) -> tuple[str, str]:
    return "", "\n".join(line.strip() for line in message.split("\n"))


def _pylint(code: str, message: str) -> tuple[str, str]:
    return code.partition(":")[0], message.partition("\n")[0]


_SHAPES: Final[dict[str, Callable[[str, str], tuple[str, str]]]] = {
    "pyright": _pyright, "mypy": _mypy, "typescript": _typescript, "gcc": _gcc, "rustc": _rustc,
    "go": _go, "pylint": _pylint,
}  # fmt: skip
