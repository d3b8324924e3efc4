"""Packs of knowledge as text and as JSON."""

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from gitmem.render.as_json import row as row_json
from gitmem.render.lists import row_line
from gitmem.render.text import Painter, one_line

if TYPE_CHECKING:
    from gitmem.answers.found import Seeded
    from gitmem.store.readonly import Pack


def packs(packs: "Iterable[Pack]", painter: Painter) -> Iterator[str]:
    """One line a pack: its name, whether it is searched, how much it holds, what it is."""
    each = list(packs)
    widest = max((len(pack.name) for pack in each), default=0)
    for pack in each:
        state, colour = ("on", "green") if pack.on else ("off", "dim")
        if not pack.place:
            state, colour = "not here", "yellow"
        parts = [
            (f"{pack.name:<{widest}}", ("bold",)),
            (f"{state:<3}", (colour,)),
            (f"{pack.records:>4} records" if pack.place else "", ()),
            (one_line(pack.about), ("dim",)),
        ]
        yield painter.line(0, parts)
        if not pack.place and pack.source and pack.source.url:
            yield painter.line(2, [(f"get it with: gitmem pack fetch {pack.name}", ("dim",))])


def contents(seeded: "Seeded", painter: Painter) -> Iterator[str]:
    """The records of a pack, one a line; fixes are shown with their errors."""
    fixes = [row for row in seeded.rows if row.kind == "fix"]
    for row in seeded.rows:
        if row.kind != "fix":
            yield row_line(row, painter)
    counts = seeded.counts
    parts = [
        f"{counts['common_errors']} errors",
        f"{len(fixes)} fixes",
        f"{counts['patterns']} patterns",
        f"{counts['best_practices']} practices",
    ]
    yield painter.paint(", ".join(parts), "dim")


def packs_json(packs: "Iterable[Pack]") -> list[dict[str, Any]]:
    """Packs for programs."""
    return [
        {
            "name": pack.name,
            "about": pack.about,
            "on": pack.on,
            "here": bool(pack.place),
            "records": pack.records,
            "built_in": pack.source is None,
            "url": pack.source.url if pack.source else "",
            "commit": pack.source.commit if pack.source else "",
        }
        for pack in packs
    ]


def seeded_json(seeded: "Seeded") -> dict[str, Any]:
    """A pack's records, and what became of them."""
    return {
        "pack": seeded.pack.name,
        "counts": seeded.counts,
        "records": [row_json(row) for row in seeded.rows],
        "written": list(seeded.written),
        "present": list(seeded.present),
        "different": list(seeded.different),
    }
