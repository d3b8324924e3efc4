"""Patterns of code that were found or suggested: as text, and as dicts for JSON."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, Final

from gitmem import plurals
from gitmem.render.lists import row_line
from gitmem.render.text import one_line, safe

if TYPE_CHECKING:
    from gitmem.learning.extracted import Extracted, ExtractedPattern, SuggestedPattern
    from gitmem.render.text import Painter

_MOST_LINES: Final = 12


def plain(made: "Extracted", painter: "Painter", *, code: bool) -> Iterator[str]:
    """List what was found, each with what was recognised of it."""
    ids = made.written or ("",) * len(made.found)
    for number, (one, id_) in enumerate(zip(made.found, ids, strict=True)):
        if code and number:
            yield ""
        pattern = one.pattern
        plural = "" if pattern.methods == 1 else "s"
        methods = f"{pattern.methods} method{plural}" if pattern.what == "class" else ""
        yield painter.line(0, [
            (id_, ("yellow",)),
            (pattern.category, ("cyan",)),
            (one_line(pattern.name), ("bold",)),
            (f"{pattern.level} ({pattern.ways})", ()),
            (methods, ()),
            (", ".join(pattern.traits), ()),
            (_place(one), ("dim",)),
        ])  # fmt: skip
        if code:
            yield from (f"    {safe(line)}" for line in pattern.code.split("\n"))


def _place(one: "ExtractedPattern") -> str:
    place = f"{one_line(one.path)}:{one.pattern.first}" if one.path else ""
    return f"{place} {one.fix}".strip()


def counted(made: "Extracted") -> Iterator[str]:
    """Say what was passed over, known or written, a line each."""
    yield from made.notes
    yield from (f"passed over: {number} ({why})" for why, number in made.passed.items())
    new = plurals.counted(len(made.found), "new pattern")
    same = f", {made.repeated} the same as another" if made.repeated else ""
    yield f"{new}, {made.known} known already{same}"
    if made.found and not made.written:
        yield "nothing was written: --record writes them, --only NAME picks some"


def as_data(made: "Extracted") -> dict[str, Any]:
    """Give what was found as plain data."""
    ids: Sequence[str | None] = made.written or (None,) * len(made.found)
    return {
        "patterns": [
            {
                "id": id_,
                "name": one.pattern.name,
                "category": one.pattern.category,
                "what": one.pattern.what,
                "language": one.pattern.language,
                "complexity": one.pattern.level,
                "mccabe": one.pattern.ways,
                "methods": one.pattern.methods,
                "traits": list(one.pattern.traits),
                "digest": one.pattern.digest,
                "path": one.path,
                "lines": [one.pattern.first, one.pattern.last],
                "commit": one.commit,
                "fix": one.fix,
                "when_to_use": one.when,
                "code": one.pattern.code,
            }
            for one, id_ in zip(made.found, ids, strict=True)
        ],
        "known": made.known,
        "repeated": made.repeated,
        "passed": made.passed,
        "notes": made.notes,
    }


def suggestions(found: "Sequence[SuggestedPattern]", painter: "Painter") -> Iterator[str]:
    """List patterns for a task: what each is good for, and how it begins."""
    for number, one in enumerate(found):
        if number:
            yield ""
        record = one.record
        yield row_line(one.hit.row, painter)
        yield painter.line(2, [
            (one_line(record.language), ("cyan",)),
            (one_line(record.category), ("cyan",)),
            (f"complexity {record.complexity}" if record.complexity else "", ()),
            (one_line(record.when_to_use), ()),
        ])  # fmt: skip
        lines = safe(record.code).rstrip("\n").split("\n") if record.code else []
        yield from (f"    {line}".rstrip() for line in lines[:_MOST_LINES])
        if len(lines) > _MOST_LINES:
            left = len(lines) - _MOST_LINES
            yield painter.paint(
                f"    … {plurals.counted(left, 'more line')}: gitmem show {one.hit.row.id}", "dim"
            )


def suggestions_as_data(found: "Sequence[SuggestedPattern]") -> list[dict[str, Any]]:
    """Give suggestions as plain data."""
    from gitmem.render.as_json import row  # noqa: PLC0415  start-up

    return [
        row(one.hit.row)
        | {
            "score": round(one.hit.score, 6),
            "language": one.record.language,
            "category": one.record.category,
            "complexity": one.record.complexity,
            "when_to_use": one.record.when_to_use,
            "code": one.record.code,
        }
        for one in found
    ]
