"""Patterns of code that were found or suggested: as text, and as dicts for JSON."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, Final

from gitmem import plurals
from gitmem.render.as_json import row
from gitmem.render.lists import row_line
from gitmem.render.text import one_line, safe

if TYPE_CHECKING:
    from gitmem.learning.pattern_results import Extracted, ExtractedPattern, SuggestedPattern
    from gitmem.render.text import Painter

_MOST_LINES: Final = 12


def plain(extracted: "Extracted", painter: "Painter", *, code: bool) -> Iterator[str]:
    """List what was found, each with what was recognised of it."""
    ids = extracted.written or ("",) * len(extracted.found)
    for number, (extracted_pattern, id_) in enumerate(zip(extracted.found, ids, strict=True)):
        if code and number:
            yield ""
        pattern = extracted_pattern.pattern
        plural = "" if pattern.methods == 1 else "s"
        methods = f"{pattern.methods} method{plural}" if pattern.what == "class" else ""
        yield painter.line(
            0,
            [
                (id_, ("yellow",)),
                (pattern.category, ("cyan",)),
                (one_line(pattern.name), ("bold",)),
                (f"{pattern.level} ({pattern.ways})", ()),
                (methods, ()),
                (", ".join(pattern.traits), ()),
                (_place(extracted_pattern), ("dim",)),
            ],
        )
        if code:
            yield from (f"    {safe(line)}" for line in pattern.code.split("\n"))


def _place(extracted_pattern: "ExtractedPattern") -> str:
    position = (
        f"{one_line(extracted_pattern.path)}:{extracted_pattern.pattern.first}"
        if extracted_pattern.path
        else ""
    )
    return f"{position} {extracted_pattern.fix}".strip()


def counted(extracted: "Extracted") -> Iterator[str]:
    """Say what was passed over, known or written, a line each."""
    yield from extracted.notes
    yield from (f"skipped: {number} ({why})" for why, number in extracted.passed.items())
    new = plurals.counted(len(extracted.found), "new pattern")
    same = f", {extracted.repeated} the same as another" if extracted.repeated else ""
    yield f"{new}, {extracted.known} known already{same}"
    if extracted.found and not extracted.written:
        yield "nothing was written: --record writes them, --only NAME picks some"


def as_data(extracted: "Extracted") -> dict[str, Any]:
    """Give what was found as plain data."""
    ids: Sequence[str | None] = extracted.written or (None,) * len(extracted.found)
    return {
        "patterns": [
            {
                "id": id_,
                "name": extracted_pattern.pattern.name,
                "category": extracted_pattern.pattern.category,
                "what": extracted_pattern.pattern.what,
                "language": extracted_pattern.pattern.language,
                "complexity": extracted_pattern.pattern.level,
                "mccabe": extracted_pattern.pattern.ways,
                "methods": extracted_pattern.pattern.methods,
                "traits": list(extracted_pattern.pattern.traits),
                "digest": extracted_pattern.pattern.digest,
                "path": extracted_pattern.path,
                "lines": [extracted_pattern.pattern.first, extracted_pattern.pattern.last],
                "commit": extracted_pattern.commit,
                "fix": extracted_pattern.fix,
                "when_to_use": extracted_pattern.when,
                "code": extracted_pattern.pattern.code,
            }
            for extracted_pattern, id_ in zip(extracted.found, ids, strict=True)
        ],
        "known": extracted.known,
        "repeated": extracted.repeated,
        "passed": extracted.passed,
        "notes": extracted.notes,
    }


def suggestions(patterns: "Sequence[SuggestedPattern]", painter: "Painter") -> Iterator[str]:
    """List patterns for a task: what each is good for, and how it begins."""
    for number, suggested in enumerate(patterns):
        if number:
            yield ""
        record = suggested.record
        yield row_line(suggested.hit.row, painter)
        yield painter.line(
            2,
            [
                (suggested.hit.source, ("yellow",)),
                (one_line(record.language), ("cyan",)),
                (one_line(record.category), ("cyan",)),
                (f"complexity {record.complexity}" if record.complexity else "", ()),
                (one_line(record.when_to_use), ()),
            ],
        )
        lines = safe(record.code).rstrip("\n").split("\n") if record.code else []
        yield from (f"    {line}".rstrip() for line in lines[:_MOST_LINES])
        if len(lines) > _MOST_LINES:
            left = len(lines) - _MOST_LINES
            yield painter.paint(
                f"    … {plurals.counted(left, 'more line')}: gitmem show {suggested.hit.row.id}",
                "dim",
            )


def suggestions_as_data(patterns: "Sequence[SuggestedPattern]") -> list[dict[str, Any]]:
    """Give suggestions as plain data."""
    return [
        row(suggested.hit.row)
        | {
            "score": round(suggested.hit.score, 6),
            "layer": suggested.hit.layer,
            "language": suggested.record.language,
            "category": suggested.record.category,
            "complexity": suggested.record.complexity,
            "when_to_use": suggested.record.when_to_use,
            "code": suggested.record.code,
        }
        for suggested in patterns
    ]
