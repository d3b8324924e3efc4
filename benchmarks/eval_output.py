"""How much of real outputs is read: by the tools that are known, and by their form alone.

The outputs are those of ``tests/tools``. Each is read as it is, behind prefixes, and with what is
known of its tool taken away (*unknown*): then the general reading has to find the same message,
place and test. Run it with ``make eval-output`` or::

    python -m benchmarks.eval_output --only nim,ruff --show
"""

import argparse
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import permutations
from typing import Any, Final

from benchmarks import prefixed
from benchmarks.identity import HELPS, Group, ask_by_fingerprints, strongest
from gitmem.matching.parse import parse
from gitmem.matching.registry import order
from gitmem.output.failure import Failure
from gitmem.tools import choice
from gitmem.tools.choice import values
from tests.tools.test_corpus import SAMPLES, Sample, row

PREFIXES: Final = 10
"""Grammars that each output is put behind."""
_MOST_PAIRS: Final = 6
"""Pairs of outputs of a tool that are compared."""
_SAID: Final = 0.8
"""Share of the words of a message that must have been read."""
_WORD: Final = re.compile(r"\w+")
_WORDS_OF_TABLE: Final = 90
"""Characters of a message in the tables of ``tests/tools``."""
_Row = tuple[str, ...]


@dataclass
class Figures:
    """What was read, of how many.

    Attributes:
        asked: how many there were, by what is asked.
        right: how many of them are right.

    """

    asked: Counter[str] = field(default_factory=Counter)
    right: Counter[str] = field(default_factory=Counter)

    def count(self, name: str, *, right: bool) -> None:
        """Count one answer."""
        self.asked[name] += 1
        self.right[name] += right

    def share(self, name: str) -> float:
        """Give the share of right answers."""
        return self.right[name] / max(1, self.asked[name])

    def add(self, other: "Figures") -> None:
        """Add what was counted elsewhere."""
        self.asked += other.asked
        self.right.update(other.right)


def evaluate(
    samples: Sequence[Sample], *, unknown: bool = True, wrong: list[str] | None = None
) -> dict[str, Figures]:
    """Read outputs, and count by tool what is right.

    Args:
        samples: the outputs.
        unknown: read them also without what is known of their tool.
        wrong: takes a line for each wrong answer.

    """
    by_tool: dict[str, list[Sample]] = defaultdict(list)
    for sample in samples:
        by_tool[sample.tool].append(sample)
    figures: dict[str, Figures] = {}
    for tool, own in sorted(by_tool.items()):
        counted = figures[tool] = Figures()
        for sample in own:
            _read(sample, counted)
            _behind_prefixes(sample, counted, wrong)
        _told_apart(own, counted, "")
        if unknown and tool in values("output.words"):
            with without_tool(tool):
                for sample in own:
                    _unknown(sample, counted, wrong)
                _told_apart(own, counted, "unknown ")
    return figures


def _text(sample: Sample) -> str:
    return sample.output.decode(errors="replace").replace("\r\n", "\n")


def _read(sample: Sample, figures: Figures) -> None:
    text = _text(sample)
    read = parse(text)
    rows = list(map(row, read))
    for expected in sample.expected:
        figures.count("read", right=expected in rows)
    figures.count("hint = run", right=read == parse(text, sample.command))


def _fields(failure: Failure) -> tuple[object, ...]:
    return (*row(failure), failure.message, failure.frames)


def _behind_prefixes(sample: Sample, figures: Figures, wrong: list[str] | None) -> None:
    lines = _text(sample).removesuffix("\n").split("\n")
    if any("\r" in line for line in lines):  # a terminal's own lines: nobody prefixes them
        return
    plain = list(map(_fields, parse("\n".join(lines) + "\n")))
    files = {place for place in (each[3] for each in plain) if place}
    first = sum(map(ord, f"{sample.tool}{sample.name}"))
    for seed in range(first, first + PREFIXES):
        put = prefixed.drawn(seed).put(lines)
        behind = list(map(_fields, parse("\n".join(put) + "\n")))
        figures.count("behind a prefix", right=behind == plain)
        strange = {place for place in (each[3] for each in behind) if place} - files
        figures.count("file without prefix", right=not strange)
        if wrong is not None and behind != plain:
            kind = prefixed.drawn(seed).kind
            wrong.append(f"prefix {seed} ({kind}): {sample.tool}/{sample.name}")


def _unknown(sample: Sample, figures: Figures, wrong: list[str] | None) -> None:
    """Count what is read where nothing is known of the tool."""
    read = parse(_text(sample))
    for expected in sample.expected:
        _, kind, code, place, test, message = expected
        words = message or kind or code or test
        fitting = [each for each in read if _says(each, words)]
        right = bool(fitting) if words else True
        figures.count("unknown: message", right=right)
        if place:
            there = [each for each in read if row(each)[3] == place]
            figures.count("unknown: place", right=bool(there))
            right &= bool(there)
        if test:
            named = any(each.test and _holds(each.test.name, test) for each in read)
            figures.count("unknown: test", right=named)
            right &= named
        if wrong is not None and not right:
            read_rows = [row(each)[3:] for each in read[:3]]
            wrong.append(f"unknown {sample.tool}/{sample.name}: {expected[3:]} -> {read_rows}")


def _holds(name: str, test: str) -> bool:
    """Tell whether a name is a test's, or the last part of it."""
    parts = _WORD.findall(test.lower())
    own = _WORD.findall(name.lower())
    return bool(own) and (own == parts[-len(own) :] or parts == own[-len(parts) :])


def _says(failure: Failure, message: str) -> bool:
    wanted = _WORD.findall(message[: _WORDS_OF_TABLE - 10].lower())
    parts = (failure.error_type, failure.code, failure.message)
    text = " ".join(map(str, parts)).lower()
    return sum(word in text for word in wanted) >= _SAID * len(wanted)


def _told_apart(own: Sequence[Sample], figures: Figures, how: str) -> None:
    """Count whether another failure is told as known, and the same one some lines lower is."""
    pairs = [
        (first, other)
        for first, other in permutations(own, 2)
        if not (_names(first) & _names(other))
    ]
    for first, other in pairs[:: max(1, len(pairs) // _MOST_PAIRS)][:_MOST_PAIRS]:
        label = _label(_text(first), _text(other))
        figures.count(f"{how}other told apart", right=label not in HELPS)
    for sample in own[:_MOST_PAIRS]:
        if any(each[3].rpartition(":")[2] for each in sample.expected):
            label = _label(_text(sample), _lower(sample))
            figures.count(f"{how}same elsewhere", right=label in HELPS)


def _names(sample: Sample) -> set[_Row]:
    """Give what would make failures of two outputs one: place, test or words."""
    parts = ((1, 2, 5), (3,), (4,))
    rows = [
        tuple(each[at].removesuffix(".") for at in part)
        for each in sample.expected
        for part in parts
    ]
    return {own for own in rows if any(own)}


def _lower(sample: Sample) -> str:
    """Give an output as it is when all failures stand three lines lower in their files."""
    text = _text(sample)
    for place in {each[3] for each in sample.expected}:
        file, _, line = place.rpartition(":")
        if line:
            pattern = rf"({re.escape(file)}['\"]?(?:[:(]|, line | line )){line}\b"
            text = re.sub(pattern, rf"\g<1>{int(line) + 3}", text)
    return text


def _label(recorded: str, question: str) -> str:
    group: Group = {"id": "", "tool": "", "a": recorded, "cause": {}, "same": [question]}
    return strongest(ask_by_fingerprints(group).texts["same"][0])


@contextmanager
def without_tool(name: str) -> Iterator[None]:
    """Take away what is known of a tool, as if nobody had ever written its module."""
    index = choice._index()  # noqa: SLF001  nobody else takes a tool away
    fields = index.FIELDS
    index.FIELDS = {key: _without(value, name) for key, value in fields.items()}
    _forget()
    try:
        yield
    finally:
        index.FIELDS = fields
        _forget()


def _without(field_values: Mapping[str, Any], name: str) -> dict[str, Any]:
    return {tool: value for tool, value in field_values.items() if tool != name}


def _forget() -> None:
    """Empty what was remembered of all tools."""
    for module in list(sys.modules.values()):
        if getattr(module, "__name__", "").startswith("gitmem."):
            for member in list(vars(module).values()):
                if callable(getattr(member, "cache_clear", None)):
                    member.cache_clear()
    order(None)


def total(figures: Mapping[str, Figures]) -> Figures:
    """Add the figures of all tools."""
    whole = Figures()
    for each in figures.values():
        whole.add(each)
    return whole


def lines(figures: Mapping[str, Figures]) -> Iterator[str]:
    """Write the figures, a tool a line, and those of all."""
    whole = total(figures)
    names = sorted(whole.asked)
    for tool, own in [*figures.items(), ("all", whole)]:
        parts = [f"{name} {own.right[name]}/{own.asked[name]}" for name in names if own.asked[name]]
        yield f"{tool:18} {', '.join(parts)}"
    for name in names:
        yield f"{name:26} {whole.share(name):.3f}"


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--only", default="", help="tools, with commas between them")
    parser.add_argument("--show", action="store_true", help="list what is wrong")
    options = parser.parse_args(arguments)
    wanted = set(filter(None, options.only.split(",")))
    samples = [sample for sample in SAMPLES if not wanted or sample.tool in wanted]
    wrong: list[str] = []
    figures = evaluate(samples, wrong=wrong)
    if options.show:
        print("\n".join(wrong))
    print("\n".join(lines(figures)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
