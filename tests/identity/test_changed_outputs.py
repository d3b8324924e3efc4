"""Real outputs of all tools, changed: what only varies never splits, what is to be mended always.

``pytest -s`` prints the figures, and the cases that are wrong.
"""

import random
from collections import Counter
from collections.abc import Iterator
from functools import cache
from typing import Final, NamedTuple

import pytest

from benchmarks.eval_identity import CORPUS
from benchmarks.identity import fingerprinted_in, label_of, read_groups
from gitmem.capture.fingerprinted import FingerprintedFailure
from tests.depth import amount, deep
from tests.identity.changes import VARYING, alterations, plain
from tests.tools.test_corpus import SAMPLES, Sample

OUTPUTS: Final = amount(share=70, ci=1_000, whole=1_000)
"""So many outputs are changed, from all over the tools."""
DRAWS: Final = amount(share=1, ci=2, whole=20)
"""So often each change is drawn."""
GROUPS: Final = read_groups(CORPUS)
LARGEST: Final = 40_000
MOST: Final = 12
"""Failures of one output that are altered, each for itself."""


class Outcome(NamedTuple):
    """What became of a changed output's failures."""

    tool: str
    change: str
    right: bool
    case: str


class Output(NamedTuple):
    """One output: whose it is, its name, what it says."""

    tool: str
    name: str
    text: str


def chosen() -> list[Output]:
    """Take outputs from all over the table, of each tool one; very long ones are left out.

    Tools that have none there are taken from the groups of this folder.
    """
    samples = [sample for sample in SAMPLES if len(sample.output) <= LARGEST]
    firsts = {sample.tool: sample for sample in reversed(samples)}
    groups = {group["tool"].replace(" ", "_").replace(":", "_"): group for group in GROUPS}
    taken = dict.fromkeys([*firsts.values(), *samples[:: max(1, len(samples) // OUTPUTS)]])
    return [
        *(Output(sample.tool, sample.name, text_of(sample)) for sample in taken),
        *(
            Output(tool, group["id"], group["a"])
            for tool, group in groups.items()
            if tool not in firsts
        ),
    ]


@cache
def text_of(sample: Sample) -> str:
    return sample.output.decode("utf-8", "replace")


def varied() -> Iterator[Outcome]:
    for sample in chosen():
        text = sample.text
        failures = fingerprinted_in(text)
        for name, change in VARYING.items():
            for draw in range(DRAWS):
                case = f"{sample.tool} {sample.name} {name} {draw}"
                changed = change(text, random.Random(case))
                if changed == text:
                    continue
                others = fingerprinted_in(changed)
                for failure in failures:
                    own = label_of([failure], failure)
                    if own in {"error", "message"}:
                        labels = {label_of([failure], other) for other in others}
                        right = not labels.isdisjoint({"error", own})
                        yield Outcome(sample.tool, name, right, f"{case}: {failure.title}")


def altered() -> Iterator[Outcome]:
    for sample in chosen():
        text = plain(sample.text)
        failures = fingerprinted_in(text)
        for number, failure in enumerate(failures[:MOST]):
            if label_of([failure], failure) != "error" or _is_double(failure, failures):
                continue
            for draw in range(DRAWS):
                chance = random.Random(f"{sample.tool} {sample.name} {number} {draw}")
                for kind, old, changed in alterations(text, failure, chance):
                    if changed == text or (kind != "value" and old in changed):
                        continue  # it stands there in another form, too
                    labels = [label_of([failure], other) for other in fingerprinted_in(changed)]
                    case = f"{sample.tool} {sample.name} {kind} {old!r}: {failure.title}"
                    yield Outcome(sample.tool, kind, "error" not in labels, case)


def _is_double(failure: FingerprintedFailure, failures: list[FingerprintedFailure]) -> bool:
    return sum(label_of([failure], other) == "error" for other in failures) > 1


def figures(outcomes: list[Outcome]) -> Counter[str]:
    """Print what is wrong, and the shares by change; give how many are right and wrong."""
    wrong = [outcome for outcome in outcomes if not outcome.right]
    for outcome in wrong:
        print(" ", outcome.case[:160])  # noqa: T201  asked for by -s
    totals, faults = (Counter(each.change for each in group) for group in (outcomes, wrong))
    for change, total in totals.items():
        print(f"{change:18} {total - faults[change]:6} of {total:6}")  # noqa: T201
    print(len({outcome.tool for outcome in outcomes}), "tools")  # noqa: T201
    return Counter({"all": len(outcomes), "wrong": len(wrong)})


@deep
def test_what_varies_never_splits() -> None:
    counts = figures(list(varied()))
    assert counts["all"] > 500
    assert counts["wrong"] <= 0.005 * counts["all"]


@deep
def test_what_has_to_be_put_right_never_is_the_same_error() -> None:
    counts = figures(list(altered()))
    assert counts["all"] > 100
    assert counts["wrong"] == 0


@pytest.mark.parametrize("name", VARYING)
def test_each_change_changes_some_outputs(name: str) -> None:
    texts = map(text_of, SAMPLES)
    assert any(VARYING[name](text, random.Random(1)) != text for text in texts)
