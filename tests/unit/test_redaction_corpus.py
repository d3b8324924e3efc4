"""How much is found and how often wrongly, on labelled texts. Run with -s to see the figures,
which are what the prints (T201) are for.
"""

from collections import Counter

import pytest

from gitmem.capture.redaction import redact
from tests.corpus_redaction.negatives import categories
from tests.corpus_redaction.positives import Sample, samples

PIECE = 12


def survives(sample: Sample, shown: str) -> bool:
    """Tell whether the secret, or a piece of it that would help somebody, is still there."""
    pieces = range(max(1, len(sample.secret) - PIECE + 1))
    return sample.secret in shown or (
        len(sample.secret) >= PIECE
        and any(sample.secret[at : at + PIECE] in shown for at in pieces)
    )


@pytest.mark.parametrize("seed", [20261102, 7])
def test_recall_on_labelled_secrets(seed: int) -> None:
    drawn = list(samples(seed))
    missed = Counter(s.kind for s in drawn if survives(s, redact(s.text, environ={}).text))
    recall = 1 - missed.total() / len(drawn)
    kinds = len({sample.kind for sample in drawn})
    about = f"{len(drawn)} samples, {kinds} kinds, seed {seed}; missed {dict(missed)}"
    print(f"\nredaction recall: {recall:.4f} ({about})")  # noqa: T201
    assert len(drawn) >= 300
    assert recall >= 0.99, missed


def test_false_positives_on_ordinary_lines() -> None:
    wrong: dict[str, list[str]] = {}
    total = 0
    print()  # noqa: T201
    for name, lines in categories().items():
        wrong[name] = [line for line in lines if redact(line, environ={}).found]
        total += len(lines)
        print(f"redaction false positives, {name}: {len(wrong[name])} of {len(lines)} lines")  # noqa: T201
        assert len(wrong[name]) <= 0.01 * len(lines), wrong[name]
    count = sum(map(len, wrong.values()))
    print(f"redaction false positives: {count / total:.4%} ({count} of {total} lines)")  # noqa: T201
    assert total >= 1_000


def test_lines_together_are_treated_as_lines_alone() -> None:
    for name, lines in categories().items():
        found = redact("\n".join(lines), environ={}).found
        assert len(found) <= 0.01 * len(lines), (name, found)


def test_all_secrets_in_one_text() -> None:
    drawn = list(samples())
    shown = redact("\n\n".join(sample.text for sample in drawn), environ={}).text
    missed = [sample for sample in drawn if survives(sample, shown)]
    assert len(missed) <= 0.01 * len(drawn), missed
