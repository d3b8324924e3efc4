"""How surely a failure is taken for the recorded one, and no other failure is.

Each group of ``tests/identity/dev.jsonl`` gets a repository of its own: its first text is captured
and recorded, as by ``gitmem runs capture A --record --guesses``, each record gets a fix, and the
other texts are asked about as by ``gitmem hint``. Run it with ``make eval-identity`` or::

    python -m benchmarks.eval_identity --list
    python -m benchmarks.eval_identity --only go-timeout,ssh --show
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from benchmarks.identity import (
    HELPS,
    KNOWN,
    NOTHING,
    VARIANTS,
    Asker,
    FailureAnswer,
    Group,
    GroupAnswers,
    ask_by_fingerprints,
    label_by_cause,
    parts_of_cause,
    read_groups,
    strongest,
)
from gitmem.matching.labels import SAME_PLACE
from gitmem.memory import Memory

CORPUS: Final = os.path.join("tests", "identity", "dev.jsonl")
MAINSTREAM: Final = frozenset({
    "cargo", "django", "docker", "dotnet", "eslint", "gcc", "go", "gradle", "java", "jest", "make",
    "maven", "mypy", "node", "npm", "php", "phpunit", "pip", "pytest", "python", "rspec", "ruby",
    "ruff", "tsc", "unittest", "vitest",
})  # fmt: skip
"""Tools that most projects meet."""
_USER: Final = "[user]\n\tname = ann\n\temail = ann@example.org\n"


@dataclass
class Tally:
    """Counts of answers.

    Attributes:
        groups: how many groups, and of these those without a wrong answer.
        labels: what is told, by the variant; ``caused`` is ``same`` by what failed.
        cause: parts of causes that are asked for, and those that are right.
        extra: failures beyond the first of a text.
        texts: how many texts were read.
        unread: groups of whose recorded text nothing was read.

    """

    groups: int = 0
    clean: int = 0
    labels: dict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    cause: Counter[str] = field(default_factory=Counter)
    fits: Counter[str] = field(default_factory=Counter)
    extra: int = 0
    texts: int = 0
    unread: int = 0

    def share(self, variant: str, *names: str) -> float:
        """Give the share of a variant's texts of which one of some labels is told."""
        counts = self.labels[variant]
        return sum(counts[name] for name in names) / max(1, counts.total())


class Evaluation(NamedTuple):
    """Figures of some groups, and which of them are wrong."""

    tally: Tally
    wrong: dict[str, list[str]]


def ask_product(group: Group) -> GroupAnswers:
    """Answer one group by a repository of its own."""
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(["git", "init", "-q", folder], check=True)
        Memory.init(folder)
        with Memory.open(folder) as memory:
            captured = memory.failures.capture(
                [group["a"].encode()], record=True, guesses=True, form="log", source="A", ci=False
            )
            for reference in captured.written:
                name = reference.split()[0]
                memory.resolve(name, {"approach": f"the fix of {name}"})
        with Memory.open(folder) as memory:
            texts = {
                name: tuple(_answers(memory, text) for text in group.get(name, ()))
                for name in VARIANTS
            }
    return GroupAnswers(tuple(match.seen.fields for match in captured.found), texts)


def _answers(memory: Memory, text: str) -> tuple[FailureAnswer, ...]:
    matches = memory.failures.meant_by(text)
    answers = []
    for match in matches:
        label = NOTHING
        if match.label in KNOWN and match.suggested:
            label = KNOWN[match.label]
        # What a pack knows is no record of the repository.
        elif own := [hit for hit in match.similar if not hit.layer]:
            strong = any(hit.label in {*KNOWN, SAME_PLACE} for hit in own)
            label = "beside" if strong else "similar"
        answers.append(FailureAnswer(label, match.seen.title, match.seen.fields))
    recognised = any(match.label or match.similar for match in matches)
    if not recognised and memory.failures.resembling(text, matches):
        answers.append(FailureAnswer("similar", "", {}))
    return tuple(answers)


def evaluate(groups: Sequence[Group], ask: Asker) -> Evaluation:
    """Ask about all texts of some groups, and count."""
    answered = [(group, ask(group)) for group in groups]
    return count(answered)


def count(answered: Sequence[tuple[Group, GroupAnswers]]) -> Evaluation:
    """Count what was told of some groups."""
    tally = Tally()
    wrong: dict[str, list[str]] = defaultdict(list)
    for group, answers in answered:
        faults = list(_faults(group, answers, tally))
        for fault in dict.fromkeys(faults):
            wrong[fault].append(group["id"])
        tally.groups += 1
        tally.clean += not any(fault in _GRAVE for fault in faults)
        tally.unread += not answers.read
        _count_texts(answers, tally)
    return Evaluation(tally, wrong)


_GRAVE: Final = frozenset({
    "same: missed", "other: told as the same error", "other: told as the same message",
    "related: told as the same error", "cause: wrong message", "cause: wrong file",
})  # fmt: skip


def _faults(group: Group, answers: GroupAnswers, tally: Tally) -> Iterator[str]:
    """Count the labels of a group; give what is wrong."""
    for failures in answers.texts["same"]:
        label, caused = strongest(failures), label_by_cause(group, failures)
        tally.labels["same"][label] += 1
        tally.labels["caused"][caused] += 1
        if label not in {*HELPS, "beside"}:
            yield "same: missed"
        elif caused not in {*HELPS, "beside"}:
            yield "same: by a line that follows"
    for variant, false in (("related", {"error"}), ("other", HELPS)):
        for failures in answers.texts[variant]:
            label = strongest(failures)
            tally.labels[variant][label] += 1
            if label in false:
                yield f"{variant}: told as the same {label}"
    for part, fits in parts_of_cause(group, answers.read).items():
        tally.cause[part] += 1
        tally.fits[part] += fits
        if not fits:
            yield f"cause: wrong {part}"


def _count_texts(answers: GroupAnswers, tally: Tally) -> None:
    counts = [len(answers.read)]
    for texts in answers.texts.values():
        counts += [sum(bool(each.title) for each in failures) for failures in texts]
    tally.texts += len(counts)
    tally.extra += sum(max(0, number - 1) for number in counts)


def lines(evaluation: Evaluation) -> Iterator[str]:
    """Write the figures."""
    tally = evaluation.tally
    rows = (
        ("same    told as the same error or message", "same", ("error", "message")),
        ("          as the same error", "same", ("error",)),
        ("          by what failed, not by what follows", "caused", ("error", "message")),
        ("other   told as the same error: false", "other", ("error",)),
        ("          as the same message: false", "other", ("message",)),
        ("          as another in the same place", "other", ("beside",)),
        ("related told as the same error: false", "related", ("error",)),
        ("          as the same message", "related", ("message",)),
    )
    yield f"{tally.groups} groups, {tally.texts} texts"
    for title, variant, names in rows:
        counts = tally.labels[variant]
        yield f"  {title:46} {_rate(sum(counts[name] for name in names), counts.total())}"
    for part, total in tally.cause.items():
        yield f"  cause   {part:38} {_rate(tally.fits[part], total)}"
    yield f"  {tally.extra / max(1, tally.texts):.2f} failures too many a text"
    yield f"  nothing read of {tally.unread} groups"
    yield f"  without a wrong answer {_rate(tally.clean, tally.groups)}"


def table(title: str, rows: dict[str, Evaluation]) -> Iterator[str]:
    """Write a row for each kind or tool, those with most groups first."""
    heads = "groups    same   as error  other: error message  related: error  cause  extra"
    yield f"{title:22} {heads}"
    for name, (tally, _) in sorted(rows.items(), key=lambda row: (-row[1].tally.groups, row[0])):
        parts = (
            (8, "same", HELPS), (10, "same", {"error"}), (13, "other", {"error"}),
            (8, "other", {"message"}), (15, "related", {"error"}),
        )  # fmt: skip
        shown = ""
        for width, variant, names in parts:
            counts = tally.labels[variant]
            part = f"{sum(counts[label] for label in names)}/{counts.total()}"
            shown += (part if counts else NOTHING).rjust(width)
        cause = f"{tally.fits.total()}/{tally.cause.total()}"
        yield f"{name[:22]:22} {tally.groups:6}{shown}{cause:>9}{tally.extra:6}"


def _rate(part: int, whole: int) -> str:
    return f"{100 * part / whole:5.1f} % ({part}/{whole})" if whole else "    -"


def _by(
    answered: Sequence[tuple[Group, GroupAnswers]], name: str
) -> dict[str, list[tuple[Group, GroupAnswers]]]:
    rows = defaultdict(list)
    for group, answers in answered:
        rows[str(group[name])].append((group, answers))
    return rows


def _apart(home: str) -> None:
    """Let git and gitmem neither read nor write what is the user's."""
    for name, folder in (("CONFIG", "c"), ("CACHE", "k"), ("DATA", "d"), ("STATE", "s")):
        os.environ[f"XDG_{name}_HOME"] = os.path.join(home, folder)
    config = os.path.join(home, "gitconfig")
    with open(config, "w", encoding="utf-8") as file:
        file.write(_USER)
    os.environ.update(HOME=home, GIT_CONFIG_GLOBAL=config, GIT_CONFIG_NOSYSTEM="1")


def main() -> int:
    """Ask, and print."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("files", nargs="*", default=[CORPUS])
    arguments.add_argument("--only", default="", help="ids of groups, with commas between")
    arguments.add_argument("--pure", action="store_true", help="by fingerprints, no repositories")
    arguments.add_argument("--list", action="store_true", help="what is told of each wrong text")
    arguments.add_argument("--show", action="store_true", help="all that is told, as JSON")
    given = arguments.parse_args()
    groups = [group for path in given.files for group in read_groups(path)]
    chosen = set(filter(None, given.only.split(",")))
    groups = [group for group in groups if not chosen or group["id"] in chosen]
    ask: Asker = ask_by_fingerprints if given.pure else ask_product
    with tempfile.TemporaryDirectory() as home:
        _apart(home)
        answered = [(group, ask(group)) for group in groups]
    if given.show:
        print(json.dumps({group["id"]: answers._asdict() for group, answers in answered}, indent=1))
        return 0
    _report(answered, each=given.list)
    return 0


def _report(answered: Sequence[tuple[Group, GroupAnswers]], *, each: bool) -> None:
    evaluation = count(answered)
    print(*lines(evaluation), sep="\n")
    parts = {
        "mainstream tools": [pair for pair in answered if pair[0]["tool"] in MAINSTREAM],
        "other tools": [pair for pair in answered if pair[0]["tool"] not in MAINSTREAM],
    }
    for title, pairs in parts.items():
        print(f"\n{title}: ", end="")
        print(*lines(count(pairs)), sep="\n")
    for name in ("kind", "tool"):
        rows = {key: count(pairs) for key, pairs in _by(answered, name).items()}
        print("", *table(name, rows), sep="\n")
    print()
    for fault, ids in sorted(evaluation.wrong.items()):
        print(f"{fault} ({len(ids)}): {' '.join(ids)}")
    if each:
        print(*_wrong_texts(answered), sep="\n")


def _wrong_texts(answered: Sequence[tuple[Group, GroupAnswers]]) -> Iterator[str]:
    for group, answers in answered:
        for variant, texts in answers.texts.items():
            for number, failures in enumerate(texts):
                label = strongest(failures)
                false = {"same": {NOTHING, "similar", "beside"}, "related": {"error"}}
                if label in false.get(variant, HELPS):
                    shown = [(answer.label, answer.title[:70]) for answer in failures]
                    yield f"  {group['id']} {variant}[{number}] -> {label}: {shown}"


if __name__ == "__main__":
    sys.exit(main())
