"""``python -m benchmarks.replay``: a history's real fixes, made once more under gitmem."""

import argparse
import json
import sys
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Final

from benchmarks.replay.clones import Clone, ReplayError, named
from benchmarks.replay.figures import are_met, table, values
from benchmarks.replay.judging import Judgement
from benchmarks.replay.mining import Bug, mine, read
from benchmarks.replay.playing import Learnt, fix, meet_again
from benchmarks.replay.proving import Truth, prove

COMMAND: Final = "python -m pytest -q {tests}"
WAYS: Final = ("test committed first", "nothing committed")
_ROOT: Final = Path(__file__).resolve().parents[2]


def replay(
    repository: Path, command: str, bugs: Iterable[Bug], limit: int, seconds: float
) -> dict[str, Judgement]:
    """Replay fixes in clones, which are removed in the end; judge what was learnt.

    Args:
        repository: whose history it is.
        command: runs the tests; ``{tests}`` stands for the files that a fix touches.
        bugs: candidates, newest first. Those that are not red before and green after are passed
            over.
        limit: the most that are replayed.
        seconds: how long a run may take.

    """
    with tempfile.TemporaryDirectory(prefix="gitmem-replay-") as folder:

        def clone(name: str) -> Clone:
            return Clone(repository, Path(folder, name), command, seconds)

        truths = list(islice(_proven(clone("probe"), bugs), limit))[::-1]
        _progress(f"{len(truths)} fixes can be replayed")
        judgements = {}
        for way in WAYS:
            developer = clone("developer-" + way.split()[0])
            colleague = clone("colleague-" + way.split()[0])
            judgements[way] = _play(developer, colleague, truths, way)
        return judgements


def _proven(probe: Clone, bugs: Iterable[Bug]) -> Iterator[Truth]:
    """Give the fixes that are red before and green after; of every second one a part is tried."""
    number = 0
    for bug in bugs:
        truth = prove(probe, bug, partly=number % 2 == 1)
        text = f"{bug.commit[:10]} {bug.subject}"
        _progress(f"{'  ' if truth else '- '}{text}")
        if truth:
            number += 1
            yield truth


def _play(developer: Clone, colleague: Clone, truths: Sequence[Truth], way: str) -> Judgement:
    judgement = Judgement()
    developer.checkout(truths[0].bug.parent if truths else "HEAD")
    developer.begin()
    done: list[Learnt] = []
    for truth in truths:
        done.append(fix(developer, truth, test_first=way == WAYS[0]))
        judgement.learnt(done[-1])
        _progress(f"{way}: {truth.bug.commit[:10]}: {', '.join(done[-1].records) or 'nothing'}")
    colleague.checkout(truths[-1].bug.commit if truths else "HEAD")
    colleague.take_over(developer.memory)
    for learnt in done:
        if learnt.fixes:
            met = meet_again(colleague, learnt.truth, truths[-1].bug.commit)
            if met:
                judgement.met_again(learnt, met)
    return judgement


def _progress(text: str) -> None:
    """Show how far it is."""
    print(text, file=sys.stderr, flush=True)


def main(arguments: Sequence[str] | None = None) -> int:
    """Replay a history's fixes; 0 if all figures are as good as they shall be, 1 if not."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.replay", description=main.__doc__)
    parser.add_argument(
        "repository", nargs="?", type=Path, default=_ROOT, help="a clone with its history (this)"
    )
    parser.add_argument("--command", default=COMMAND, help=f"runs the tests ({COMMAND})")
    parser.add_argument("--limit", type=int, default=12, help="the most fixes to replay (12)")
    parser.add_argument("--seconds", type=float, default=120, help="a run may take so long (120)")
    parser.add_argument("--tip", default="HEAD", help="the newest commit (HEAD)")
    parser.add_argument(
        "--commit", action="append", default=[], metavar="SHA", help="replay these, newest first"
    )
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures there too")
    options = parser.parse_args(arguments)
    try:
        repository = named(options.repository)
        chosen = (read(repository, commit) for commit in options.commit)
        bugs = filter(None, chosen) if options.commit else mine(repository, options.tip)
        judgements = replay(repository, options.command, bugs, options.limit, options.seconds)
    except ReplayError as error:
        print(f"replay: {error}", file=sys.stderr)
        return 2
    print("\n".join(table(judgements)))
    if options.json:
        data = {
            way: {
                "counts": judgement.counts,
                "figures": values(judgement),
                "remarks": judgement.remarks,
            }
            for way, judgement in judgements.items()
        }
        options.json.write_text(json.dumps(data, indent=2) + "\n", encoding="utf-8")
    return 0 if are_met(list(judgements.values())) else 1


if __name__ == "__main__":
    sys.exit(main())
