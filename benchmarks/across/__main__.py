"""``make eval-hub``: recall across repositories, with and without a hub.

    python -m benchmarks.across --engine postgresql --show false

docs/hub-recall.md says what is measured, and how to read it.
"""

import argparse
import json
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Final

from benchmarks.across.cases import Data, of_programs, of_projects
from benchmarks.across.figures import Counts, Judged, by_kind, table, verdict
from benchmarks.across.organisation import Organisation
from benchmarks.eval_fingerprints import DATA
from gitmem.parts.hub.opening import open_engine
from gitmem.parts.hub.protocol import Engine
from gitmem.parts.hub.scan import ScanHub
from tests.hub import nodes, servers

_TAIL: Final = 300
_PAGE: Final = Path(__file__).resolve().parent.parent.parent / "docs" / "hub-recall.md"
_START: Final = '<!-- figures of one run, written by: make eval-hub ARGS="--page" -->\n'
_END: Final = "<!-- end of figures -->"
_TITLES: Final[Mapping[str, str]] = {
    "programs": "Programs:",
    "projects": "Projects (the own memory knows nothing of them):",
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the tables, and write the figures if asked to."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--data", default=DATA, help="folder of the labelled outputs")
    parser.add_argument("--engine", choices=("scan", "postgresql", "opensearch"), default="scan")
    parser.add_argument("--show", choices=("false", "missed"), help="what was wrong, in dev only")
    parser.add_argument("--json", help="write the figures to this file")
    parser.add_argument("--page", action="store_true", help="write the tables into the page")
    options = parser.parse_args(arguments)
    if why_not := _missing(options.engine):
        print(why_not, file=sys.stderr)
        return 1
    results: dict[str, list[Counts]] = {}
    sets = {"programs": of_programs()}
    try:
        sets["projects"] = of_projects(options.data)
    except FileNotFoundError as error:
        print(f"projects: skipped, there is no {error.filename}\n")
    for name, data in sets.items():
        judged = ask_all(data, options.engine)
        rows = results[name] = by_kind(judged)
        print("\n".join((f"{name}, hub on {options.engine}", *table(rows), *verdict(rows), "")))
        print("".join(_shown(judged, options.show)), end="")
    if options.json:
        with open(options.json, "w", encoding="utf-8") as file:
            figures = {name: [row._asdict() for row in rows] for name, rows in results.items()}
            json.dump({"engine": options.engine, **figures}, file, indent=1)
    if options.page:
        _PAGE.write_text(with_figures(_PAGE.read_text("utf-8"), results), "utf-8")
    return 0


def with_figures(page: str, results: Mapping[str, Sequence[Counts]]) -> str:
    """Give the text of the page with these figures."""
    head, start, rest = page.partition(_START)
    _, end, tail = rest.partition(_END)
    if not (start and end and results.keys() == _TITLES.keys()):
        raise ValueError("the page has no place for figures, or not all of them were measured")
    lines = (
        line for name, rows in results.items() for line in (_TITLES[name], "", *table(rows), "")
    )
    return "".join((head, start, *(f"{line}\n" for line in lines), end, tail))


def ask_all(data: Data, engine: str, *, words: bool = True) -> list[Judged]:
    """Fill a hub with the records, and ask all questions."""
    with tempfile.TemporaryDirectory(prefix="gitmem-across-") as folder, _open(engine) as opened:
        organisation = Organisation(folder, data.filed, opened)
        with organisation.asking(words=words) as answer:
            return [Judged(case, answer(case)) for case in data.cases]


def _missing(engine: str) -> str:
    """Say what an engine lacks here; empty: nothing."""
    if engine == "opensearch" and not nodes.is_here():
        return nodes.WHY_NOT
    return servers.WHY_NOT if engine == "postgresql" and not servers.binaries() else ""


@contextmanager
def _open(engine: str) -> Iterator[Engine]:
    if engine == "scan":
        yield ScanHub()
        return
    with ExitStack() as stack:
        if engine == "opensearch":
            (node,) = nodes.cluster(1)
            stack.callback(node.stop)
            address = nodes.address([node], "across")
        else:
            server = servers.primary()
            stack.callback(server.stop)
            address = server.address()
        hub = open_engine(address)
        stack.callback(hub.close)
        yield hub


def _shown(judged: Sequence[Judged], what: str | None) -> Iterator[str]:
    """Show what was wrong in the half for tuning; the other half is looked at by nobody."""
    for each in judged:
        case = each.case
        missed = case.right and not each.is_right((*each.answer.own, *each.answer.foreign))
        wrong = each.twins + each.wrong
        if case.split == "dev" and (wrong if what == "false" else what and missed):
            right = ", ".join(sorted(case.right)) or "nothing"
            yield f"--- {case.kind}: {right}; wrongly: {', '.join(wrong) or 'nothing'}\n"
            yield f"{case.text.rstrip()[-_TAIL:]}\n"


if __name__ == "__main__":
    sys.exit(main())
