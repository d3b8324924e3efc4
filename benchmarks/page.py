"""Write the figures of one run into docs/performance.md.

``python -m benchmarks --sizes 1000,10000,100000 --json build/bench.json``, then
``python -m benchmarks.page build/bench.json``. All that stands between the two marks in the
page is written anew, so that no figure there is of another hour than its neighbour.
"""

import argparse
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from benchmarks.report import FORMAT, short

_PAGE: Final = Path(__file__).resolve().parent.parent / "docs" / "performance.md"
START: Final = "<!-- figures of one run, written by: python -m benchmarks.page -->"
END: Final = "<!-- end of figures -->"
_BUSY: Final = 0.5
"""A load that was above this before the run says that the machine was not idle."""
_SAME: Final = ("search-stretch", "search-fresh")
"""Rows that repeat a figure against another target: in the page they would read as slips."""

Figures = Mapping[str, Mapping[str, Any]]


class PageError(Exception):
    """The page has no place for figures, or the figures are of another form."""


def main() -> None:
    """Write the figures of a run into the page."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("figures", type=Path, help="what python -m benchmarks --json wrote")
    parser.add_argument("--page", type=Path, default=_PAGE)
    given = parser.parse_args()
    document = json.loads(given.figures.read_text(encoding="utf-8"))
    text = given.page.read_text(encoding="utf-8")
    given.page.write_text(with_figures(text, document), encoding="utf-8")


def with_figures(text: str, document: Mapping[str, Any]) -> str:
    """Give the page's text with the figures of a run."""
    head, start, rest = text.partition(START)
    _, end, tail = rest.partition(END)
    if not start or not end:
        raise PageError(f"the page has no {START if not start else END}")
    if document.get("format") != FORMAT:
        raise PageError("the figures are of another form; run python -m benchmarks anew")
    written = "\n".join(_lines(document))
    return f"{head}{START}\n{written}\n{END}{tail}"


def _lines(document: Mapping[str, Any]) -> Iterator[str]:
    yield from _introduction(document)
    sizes = {int(size): entries_of_size for size, entries_of_size in document["sizes"].items()}
    yield from _tables({0: document["once"]})
    yield from _tables(sizes)
    missed = list(_missed({0: document["once"], **sizes}))
    if missed:
        yield "\n### Not met in this run\n"
        yield from missed
    else:
        yield "\nEvery target was met in this run."


def _introduction(document: Mapping[str, Any]) -> Iterator[str]:
    yield (
        f"\nOne run on {document['machine']}, from {document['began']} to {document['ended']}; "
        f"medians of {document['runs']} runs."
    )
    before, *later = document["load"]
    if before > _BUSY:
        loads = ", ".join(f"{load:.1f}" for load in (before, *later))
        yield (
            f"\n**The machine was not idle**: its load was {loads} before it and after each size, "
            "one of which is the run's own. Times by the clock are too long by as much."
        )


def _tables(sizes: Mapping[int, Figures]) -> Iterator[str]:
    section = ""
    for key in _keys(sizes.values()):
        entries = {size: entries_of_size.get(key) for size, entries_of_size in sizes.items()}
        last = [entry for entry in entries.values() if entry][-1]
        if last["section"] != section:
            section = last["section"]
            yield f"\n**{section}**\n"
            heads = [f"{size:,}" if size else "figure" for size in sizes]
            yield f"| | {' | '.join(heads)} | target |"
            yield "| --- |" + " ---: |" * len(heads) + " --- |"
        cells = [_cell(entry) for entry in entries.values()]
        yield f"| {last['label']} | {' | '.join(cells)} | {_targets(entries.values())} |"


def _keys(figure_sets: Iterable[Figures]) -> list[str]:
    """Give the rows' names in the order of the largest memory, which has all of them."""
    *_, last = figure_sets
    return [key for key in last if key not in _SAME]


def _cell(entry: Mapping[str, Any] | None) -> str:
    if entry is None:
        return ""
    value = f"{' / '.join(map(short, entry['values']))} {entry['unit']}"
    detail = str(entry["detail"]).partition(", CPU")[0]
    if entry["unit"] == "P":
        value += f" ({detail})"
    return value if entry.get("met", True) else f"**{value}**"


def _targets(entries: Iterable[Mapping[str, Any] | None]) -> str:
    texts = [entry["target"] for entry in entries if entry and "target" in entry]
    return ", ".join(dict.fromkeys(texts))


def _missed(sizes: Mapping[int, Figures]) -> Iterator[str]:
    for size, entries_of_size in sizes.items():
        missed: Sequence[str] = [
            f"{entry['label']} ({' / '.join(map(short, entry['values']))} {entry['unit']}; "
            f"target {entry['target']})"
            for key, entry in entries_of_size.items()
            if not entry.get("met", True) and key not in _SAME
        ]
        if missed:
            where = f"{size:,} records" if size else "whatever the memory"
            yield f"- **{where}**: {'; '.join(missed)}."


if __name__ == "__main__":
    main()
