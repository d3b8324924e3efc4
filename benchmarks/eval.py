"""All evaluations of recall in one run: fingerprints, the label *same error*, errors, decisions.

``make eval`` prints the tables and writes ``build/eval.json``; ``make eval DATA=folder`` takes
another folder of the same form. What is not there is skipped, with the reason.
"""

import argparse
import json
import os
import sys
from collections.abc import Sequence
from typing import Any, Final

from benchmarks import (
    eval_fingerprints,
    eval_retrieval,
    eval_sameness,
    eval_similar,
    retrieval_data,
)

FIGURES: Final = ("r1", "r5", "mrr10")


def evaluate(folder: str) -> dict[str, Any]:
    """Evaluate on a folder; print tables; give the figures as fractions, None where skipped."""
    results: dict[str, Any] = dict.fromkeys(
        (
            "errors",
            "errors_semantic",
            "decisions",
            "decisions_semantic",
            "fingerprint",
            "same_error",
            "similar",
        )
    )
    families: dict[str, Any] = {}
    groups = os.path.join(folder, eval_fingerprints.FILE)
    if os.path.exists(groups):
        fingerprints = eval_fingerprints.evaluate(groups)
        eval_fingerprints.show(fingerprints)
        results["fingerprint"] = fingerprints["fingerprint"]
        families["fingerprint"] = fingerprints["families"]
    else:
        print(f"fingerprints: skipped, there is no {eval_fingerprints.FILE} in {folder}")
    if os.path.exists(os.path.join(folder, eval_sameness.POOL)):
        same = eval_sameness.evaluate(folder)
        print("\n".join(eval_sameness.lines(same)))
        exact = same.levels["exact"]
        results["same_error"] = exact._asdict() | {"precision": exact.precision}
        past = retrieval_data.read(folder, "errors")
        useful = eval_similar.sample(eval_similar.Pool(past), past.sources)
        print("\n".join(eval_similar.lines(useful)))
        results["similar"] = useful._asdict() | {"share": useful.share}
    retrieval = eval_retrieval.evaluate(folder)
    for task in ("errors", "decisions"):
        semantic = f"{task}{eval_retrieval.SEMANTIC}"
        if retrieval[task] is None:
            print(f"{task}: skipped, there is no {task}_pool.jsonl in {folder}")
        elif retrieval[semantic] is None:
            print(f"{semantic}: skipped, the extra semantic is not installed")
        for name in (task, semantic):
            if retrieval[name] is not None:
                results[name] = {figure: retrieval[name][figure] for figure in FIGURES}
    if retrieval["families"]:
        print("\n".join(eval_retrieval.lines(retrieval)))
    return results | {"families": families | retrieval["families"]}


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the figures, and write them if asked to."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--data", default=eval_fingerprints.DATA, help="folder of the data")
    parser.add_argument("--json", help="write the figures to this file")
    options = parser.parse_args(arguments)
    results = evaluate(options.data)
    if options.json:
        with open(options.json, "w", encoding="utf-8") as file:
            json.dump(results, file, indent=2)
    return 0


if __name__ == "__main__":
    sys.exit(main())
