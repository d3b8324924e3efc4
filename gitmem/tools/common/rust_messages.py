"""What the compiler of Rust says, for people and as JSON."""

import json
import re
from collections.abc import Sequence
from typing import Final

from gitmem.output.failure import Failure, FailureLocation, ParserResult, excerpt
from gitmem.tools.common.reading import number, one, passed_over

HEAD: Final = re.compile(r"error(?:\[(?P<code>E\d{4}|\w+::\w+)\])?: (?P<message>\S.*)$")
_ARROW: Final = re.compile(r"\s*(?:-->|╭▸) (?P<file>.+?):(?P<line>\d+):(?P<column>\d+)\s*$")
_MARKED: Final = re.compile(r"\s*(?:\||│)\s*[\^_━]")
_BODY: Final = re.compile(
    r"\s*(?:\d+ +[|│~+-]|[|│]|=|\.\.\.|-->|:::|╭▸|╰|note:|help:|\d+ [+~-])|\s*$"
)
FOLLOWS: Final = re.compile(
    r"(?:could not compile|failed to run custom build command|aborting due to"
    r"|test failed, to rerun|process didn't exit|build failed|doctest failed"
    r"|\d+ targets? failed|could not document|`.*` test failed)"
)
"""What is said after the messages, and follows from them."""
_EXPECTED: Final = re.compile(r"expected [^\s,].*?, found .+$")
_VAGUE: Final = ("mismatched types", "type annotations needed", "`?` couldn't convert the error")
_MOST: Final = 120


def read_message(lines: Sequence[str], at: int, head: re.Match[str]) -> ParserResult | None:
    """Read a message for people, up to where its source ends."""
    near = next(
        (one_ for one_ in range(at + 1, min(at + 4, len(lines))) if _ARROW.match(lines[one_])), 0
    )
    if not near and not head["code"]:
        return None
    arrow = _ARROW.match(lines[near]) if near else None
    if arrow and not arrow["file"].endswith((".rs", ".toml")):
        return None
    end, source = (near or at) + 1, ""
    while end < len(lines) and end < at + _MOST and lines[end].strip() and _BODY.match(lines[end]):
        if not source and _MARKED.match(lines[end]):
            source = re.split(r"[|│]", lines[end - 1], maxsplit=1)[-1].strip()
        end += 1
    place = None
    if arrow:
        place = FailureLocation(
            arrow["file"], number(arrow["line"]), number(arrow["column"]), source
        )
    label = next((match for line in lines[at:end] if (match := _EXPECTED.search(line))), None)
    message = _labelled(head["message"], label[0].strip() if label else "")
    failure = Failure("rustc", "rust", "", head["code"] or "", message, location=place)
    return one(failure, lines, at, end)


def read_event(lines: Sequence[str], at: int) -> ParserResult | None:
    """Read a message as JSON, alone or as cargo hands it on."""
    try:
        data = json.loads(lines[at])
    except (ValueError, RecursionError):
        return None
    message = data.get("message") if isinstance(data, dict) else None
    if not isinstance(message, dict):
        message = data if isinstance(data, dict) and "rendered" in data else None
    if not message or message.get("level") not in ("error", "error: internal compiler error"):
        return passed_over(at, at + 1) if message else None
    text, spans, code = message.get("message"), message.get("spans"), message.get("code")
    if not isinstance(text, str):
        return None
    if FOLLOWS.match(text):
        return passed_over(at, at + 1)
    rendered = str(message.get("rendered") or text).split("\n")
    name = code.get("code") if isinstance(code, dict) else ""
    failure = Failure(
        tool="rustc",
        language="rust",
        code=name if isinstance(name, str) else "",
        message=_labelled(text, _label(spans)),
        location=_span(spans),
        excerpt=excerpt(rendered, 0, len(rendered)),
    )
    return ParserResult((failure,), at, at + 1)


def _labelled(message: str, label: str) -> str:
    """Add what stands at the mark, where the message says the same of many mistakes."""
    return f"{message}: {label}" if message in _VAGUE and label else message


def _label(spans: object) -> str:
    for span in spans if isinstance(spans, list) else ():
        if isinstance(span, dict) and span.get("is_primary"):
            label = span.get("label")
            return label if isinstance(label, str) else ""
    return ""


def _span(spans: object) -> FailureLocation | None:
    for span in spans if isinstance(spans, list) else ():
        if isinstance(span, dict) and span.get("is_primary"):
            file, line, column = (
                span.get("file_name"),
                span.get("line_start"),
                span.get("column_start"),
            )
            if isinstance(file, str) and isinstance(line, int) and isinstance(column, int):
                texts = span.get("text")
                first = texts[0] if isinstance(texts, list) and texts else None
                code = first.get("text") if isinstance(first, dict) else ""
                return FailureLocation(file, line, column, str(code or "").strip())
    return None
