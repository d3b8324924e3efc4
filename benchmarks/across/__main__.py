"""``make eval-hub``: recall across repositories, with and without a hub.

    python -m benchmarks.across --engine postgresql --show false

docs/hub-recall.md says what is measured, and how to read it.
"""

import argparse
import json
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Final

from benchmarks.across.cases import Data, of_programs, of_projects
from benchmarks.across.figures import Judged, by_kind, table, verdict
from benchmarks.across.organisation import Organisation
from benchmarks.eval_fingerprints import DATA
from gitmem.hub.opening import open_engine
from gitmem.hub.protocol import Engine
from gitmem.hub.scan import ScanHub
from tests.hub import servers

_TAIL: Final = 300


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the tables, and write the figures if asked to."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--data", default=DATA, help="folder of the labelled outputs")
    parser.add_argument("--engine", choices=("scan", "postgresql"), default="scan")
    parser.add_argument("--show", choices=("false", "missed"), help="what was wrong, in dev only")
    parser.add_argument("--json", help="write the figures to this file")
    options = parser.parse_args(arguments)
    if options.engine == "postgresql" and not servers.binaries():
        print(servers.WHY_NOT, file=sys.stderr)
        return 1
    results = {}
    sets = {"programs": of_programs()}
    try:
        sets["projects"] = of_projects(options.data)
    except FileNotFoundError as error:
        print(f"projects: skipped, there is no {error.filename}\n")
    for name, data in sets.items():
        judged = ask_all(data, options.engine)
        rows = by_kind(judged)
        print("\n".join((f"{name}, hub on {options.engine}", *table(rows), *verdict(rows), "")))
        results[name] = [row._asdict() for row in rows]
        print("".join(_shown(judged, options.show)), end="")
    if options.json:
        with open(options.json, "w", encoding="utf-8") as file:
            json.dump({"engine": options.engine, **results}, file, indent=1)
    return 0


def ask_all(data: Data, engine: str, *, words: bool = True) -> list[Judged]:
    """Fill a hub with the records, and ask all questions."""
    with tempfile.TemporaryDirectory(prefix="gitmem-across-") as folder, _open(engine) as opened:
        organisation = Organisation(folder, data.filed, opened)
        with organisation.asking(words=words) as answer:
            return [Judged(case, answer(case)) for case in data.cases]


@contextmanager
def _open(engine: str) -> Iterator[Engine]:
    if engine == "scan":
        yield ScanHub()
        return
    server = servers.primary()
    try:
        hub = open_engine(server.address())
        yield hub
        hub.close()
    finally:
        server.stop()


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
