"""Compare memory systems on the benchmark in ``recall/``: one table for all.

Run it with ``make compare`` or::

    python -m benchmarks.compare --split test --json build/compare.json [SYSTEM ...]

benchmarks/recall/RESULTS.md tells what is measured, and how another system is plugged in.
"""

import argparse
import json
import os
import sys
from collections.abc import Sequence
from typing import Any, Final

from benchmarks.peers.running import Peer, Run, SkippedError, peers, run
from benchmarks.recall.data import FAMILIES, FOLDER, UNANSWERABLE, Question, pool, questions
from benchmarks.recall.measures import Figure, figures

_COLUMNS: Final = {
    "r1": "R@1",
    "r5": "R@5",
    "mrr10": "MRR@10",
    "trap_first": "trap first",
    "vouched_right": "vouched, right",
    "false_answers": "false answers",
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the tables, and write the figures if asked to."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("systems", nargs="*", help="names out of peers.toml; default: all")
    parser.add_argument("--data", default=FOLDER, help="folder with pool.jsonl and questions.jsonl")
    parser.add_argument("--split", choices=("dev", "test", "all"), default="test")
    parser.add_argument("--folder", default=os.path.join("build", "peers"))
    parser.add_argument("--json", help="write the figures to this file")
    options = parser.parse_args(arguments)
    peers_by_name = {peer.name: peer for peer in peers()}
    if unknown := sorted(set(options.systems) - peers_by_name.keys()):
        parser.error(f"no system called {', '.join(unknown)}; there are {', '.join(peers_by_name)}")
    chosen = [peers_by_name[name] for name in options.systems or peers_by_name]
    split = "" if options.split == "all" else options.split
    try:
        records, all_questions = pool(options.data), questions(options.data, split)
    except FileNotFoundError as error:
        parser.error(f"there is no {error.filename}; --data names a folder as {FOLDER}")
    runs, skipped = _run_all(chosen, records, all_questions, options.folder)
    print(f"{len(records)} records, {len(all_questions)} questions of split {options.split}\n")
    print(report(runs, skipped))
    if options.json:
        with open(options.json, "w", encoding="utf-8") as file:
            json.dump({name: data(done) for name, done in runs.items()}, file, indent=2)
    return 0 if runs else 1


def _run_all(
    chosen: Sequence[Peer],
    records: Sequence[dict[str, Any]],
    all_questions: Sequence[Question],
    folder: str,
) -> tuple[dict[str, Run], dict[str, str]]:
    """Run one after the other; give the runs, and why a system was skipped."""
    runs: dict[str, Run] = {}
    skipped: dict[str, str] = {}
    for peer in chosen:
        print(f"{peer.name} ...", file=sys.stderr)
        try:
            runs[peer.name] = run(peer, records, all_questions, folder)
        except SkippedError as error:
            skipped[peer.name] = str(error)
    return runs, skipped


def report(runs: dict[str, Run], skipped: dict[str, str]) -> str:
    """Write all as Markdown: everything, each family, and what was skipped."""
    parts = []
    figures_by_system = {name: figures(done.answers) for name, done in runs.items()}
    if figures_by_system:
        parts.append(_table("all families", figures_by_system))
    for family in FAMILIES:
        rows = {
            name: figures([answer for answer in done.answers if answer.question.family == family])
            for name, done in runs.items()
        }
        if family != UNANSWERABLE and any(rows.values()):
            parts.append(_table(family, rows))
    if runs:
        parts.append("\n".join(map(_conditions, runs.values())))
    parts.extend(f"{name} was skipped: {why}" for name, why in skipped.items())
    return "\n\n".join(parts)


def _table(label: str, rows: dict[str, dict[str, Figure]]) -> str:
    names = [name for name in _COLUMNS if any(name in row for row in rows.values())]
    lines = [
        f"| {label} | {' | '.join(_COLUMNS[name] for name in names)} |",
        f"| --- |{' --- |' * len(names)}",
    ]
    for system, row in rows.items():
        cells = (_cell(row[name]) if name in row else "-" for name in names)
        lines.append(f"| {system} | {' | '.join(cells)} |")
    return "\n".join(lines)


def _cell(figure: Figure) -> str:
    return f"{100 * figure.value:.1f} ({100 * figure.low:.0f}-{100 * figure.high:.0f})"


def _conditions(done: Run) -> str:
    cut = ", network cut off" if done.offline else ""
    return f"{done.about}: {done.adding:.1f} s to add, {1000 * done.asking:.1f} ms a question{cut}"


def data(done: Run) -> dict[str, Any]:
    """Give the figures of a run as plain data, by family."""
    families = {
        family: {
            name: figure._asdict()
            for name, figure in figures(
                [answer for answer in done.answers if answer.question.family == family]
            ).items()
        }
        for family in FAMILIES
    }
    figures_by_name = {name: figure._asdict() for name, figure in figures(done.answers).items()}
    return {
        "about": done.about,
        "offline": done.offline,
        "seconds_to_add": done.adding,
        "seconds_a_question": done.asking,
        "all": figures_by_name,
        "families": families,
    }


if __name__ == "__main__":
    sys.exit(main())
