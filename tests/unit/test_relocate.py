"""Lines found again in a later text: right or withheld, never wrong."""

import random
from collections import Counter
from typing import Final, NamedTuple

import pytest

from gitmem.matching.relocate import (
    ALIKE,
    CHANGED,
    SEVERAL,
    UNKNOWN,
    FileText,
    LineMap,
    LineRange,
    LostLines,
    SoughtLines,
    digest_of,
    in_base,
    locate,
    quote_of,
)

_COMMON: Final = (
    "",
    "",
    "}",
    "    return None",
    "    else:",
    "        pass",
    "    return response",
)
_SEEDS: Final = 1_500


class Line(NamedTuple):
    """A line that knows who it is: what no text tells."""

    name: int
    text: str


class Editing:
    """A file that is edited at random. It is known of each line where it came from.

    Two edits never add and take away the same text: then nobody could tell, from the texts alone,
    a line that went and another one that came from one that moved.
    """

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self._names = 0
        size = self.random.randint(1, 60)
        self.old = [self._made() for _ in range(size)]
        self.new = list(self.old)
        self._spent: set[str] = set()

    def _made(self, common: float = 0.5) -> Line:
        self._names += 1
        if self.random.random() < common:
            return Line(self._names, self.random.choice(_COMMON))
        indent = " " * self.random.choice((0, 4, 8))
        return Line(self._names, f"{indent}value_{self._names} = compute({self._names})")

    def edit(self) -> None:
        """Do one random edit, unless an earlier one touched the same text, or nothing changes."""
        how = self.random.choice(("insert", "delete", "replace", "move", "copy"))
        first = self.random.randint(0, len(self.new))
        last = min(len(self.new), first + self.random.randint(1, 8))
        block = self.new[first:last]
        rest = self.new[:first] + self.new[last:]
        at = self.random.randint(0, len(rest))
        fresh = [self._made() for _ in range(self.random.randint(1, 6))]
        if how == "copy":
            fresh = [line._replace(name=-line.name) for line in block]
        after = {
            "insert": self.new[:first] + fresh + self.new[first:],
            "copy": self.new[:first] + fresh + self.new[first:],
            "delete": rest,
            "replace": self.new[:first] + fresh + self.new[last:],
            "move": rest[:at] + block + rest[at:],
        }[how]
        touched = {line.text for line in (block if how in ("delete", "move", "copy") else fresh)}
        if how == "move":  # as much as if what it passes had been moved the other way
            touched |= {line.text for line in rest[min(at, first) : max(at, first)]}
        if how == "replace":
            gone = {line.text for line in block}
            if gone & touched:
                return
            touched |= gone
        if touched & self._spent or [one.text for one in after] == [one.text for one in self.new]:
            return
        self._spent |= touched
        self.new = after

    def where(self, first: int, last: int) -> int | None:
        """Say where lines (from 0) are now, in one piece; by what they are, not by their text."""
        names = [line.name for line in self.new]
        wanted = [line.name for line in self.old[first : last + 1]]
        if wanted[0] not in names:
            return None
        at = names.index(wanted[0])
        return at if names[at : at + len(wanted)] == wanted else None


def test_after_random_edits_a_place_is_right_or_withheld() -> None:
    counts: Counter[tuple[str, str]] = Counter()
    wrong = []
    for seed in range(_SEEDS):
        editing = Editing(seed)
        for _ in range(editing.random.randint(1, 5)):
            editing.edit()
        old, new = (FileText([line.text for line in one]) for one in (editing.old, editing.new))
        for _ in range(6):
            first = editing.random.randrange(len(old))
            last = min(len(old) - 1, first + editing.random.choice((0, 0, 0, 1, 5)))
            lines = old.lines[first : last + 1]
            how = editing.random.choice(("hash and quote", "hash", "quote"))
            digest = digest_of(old, first + 1, last + 1) if "hash" in how else ""
            quote = quote_of(lines) if "quote" in how else ""
            found = locate(SoughtLines(first + 1, last + 1, digest, quote), old, new)
            expected = editing.where(first, last)
            if isinstance(found, LostLines):
                counts[how, "gone" if expected is None else "withheld"] += 1
                continue
            if found.by_quote or found.last - found.first < last - first:
                near = first + [line.strip() for line in lines].index(quote_of(lines))
                expected = editing.where(near, near)
            if expected is None or found.first - 1 != expected:
                wrong.append((seed, first, last, how, found, expected))
            else:
                counts[how, "right"] += 1
    for (how, what), count in sorted(counts.items()):
        print(f"{how}: {what} {count}")  # noqa: T201
    assert not wrong, wrong[:5]
    assert counts["hash and quote", "right"] > 5 * counts["hash and quote", "withheld"]
    assert counts["hash", "right"] > 5 * counts["hash", "withheld"]


def test_without_the_former_text_a_place_is_right_or_withheld() -> None:
    right = withheld = 0
    for seed in range(_SEEDS // 3):
        editing = Editing(seed)
        editing.edit()
        old, new = (FileText([line.text for line in one]) for one in (editing.old, editing.new))
        first = editing.random.randrange(len(old))
        line = [old.lines[first]]
        found = locate(
            SoughtLines(first + 1, first + 1, digest_of(old, first + 1, first + 1), quote_of(line)),
            None,
            new,
        )
        expected = editing.where(first, first)
        if isinstance(found, LineRange):
            assert expected == found.first - 1, seed
            right += 1
        else:
            withheld += 1
    print(f"right {right}, withheld {withheld}")  # noqa: T201
    assert right > 150


BASE = FileText(
    "def one():\n    return None\n\n\ndef two():\n    total = count(all)\n    return None\n"
)


def target(first: int, last: int, text: FileText = BASE) -> SoughtLines:
    lines = text.lines[first - 1 : last]
    return SoughtLines(first, last, digest_of(text, first, last), quote_of(lines))


def test_the_same_text_holds_every_line() -> None:
    for number in range(1, len(BASE) + 1):
        assert locate(target(number, number), BASE, BASE) == LineRange(number, number)


def test_a_line_that_is_there_twice_follows_its_neighbours() -> None:
    now = FileText(["import all", "", *BASE.lines])
    assert locate(target(7, 7), BASE, now) == LineRange(9, 9)
    assert locate(target(2, 2), BASE, now) == LineRange(4, 4)


def test_one_of_two_lines_that_are_the_same_went_and_nobody_knows_which() -> None:
    old = FileText("first = open(1)\n}\n}\nlast = open(2)\n")
    new = FileText("first = open(1)\n}\nlast = open(2)\n")
    for number in (2, 3):
        assert isinstance(locate(target(number, number, old), old, new), LostLines)
        assert isinstance(locate(target(number, number, new), new, old), LostLines) or number == 3
    assert locate(target(4, 4, old), old, new) == LineRange(3, 3)


def test_a_changed_line_is_lost_and_its_neighbours_are_not() -> None:
    now = FileText([line.replace("count(all)", "count(some)") for line in BASE.lines])
    assert locate(target(6, 6), BASE, now) == LostLines(CHANGED)
    assert locate(target(7, 7), BASE, now) == LineRange(7, 7)
    # Of several lines that changed, the quoted one is still known.
    assert locate(target(5, 7), BASE, now) == LostLines(CHANGED)
    long = FileText((*BASE.lines[:4], "def two_of_them_all():", *BASE.lines[5:]))
    new = FileText([line.replace("count(all)", "count(some)") for line in long.lines])
    assert locate(target(5, 7, long), long, new) == LineRange(5, 5, by_quote=True)


def test_a_quote_that_is_there_more_than_once_is_no_place() -> None:
    line = "    total = count(all)"
    now = FileText(["x", line, "y", line, "z", line])
    assert locate(target(6, 6), BASE, now) == LostLines(SEVERAL, 3)
    assert locate(target(6, 6), None, now) == LostLines(SEVERAL, 3)
    assert locate(target(7, 7), None, BASE) == LostLines(ALIKE)


def test_what_says_nothing_is_no_quote() -> None:
    now = FileText("completely = different\n}\n")
    assert locate(SoughtLines(2, 2, "", "}"), None, now) == LostLines(CHANGED)
    assert locate(SoughtLines(2, 2), None, now) == LostLines(UNKNOWN)


def test_a_carriage_return_belongs_to_the_end_of_a_line() -> None:
    now = FileText("\r\n".join(BASE.lines))
    assert locate(target(5, 7), BASE, now) == LineRange(5, 7)
    assert digest_of(now, 2, 3) == digest_of(BASE, 2, 3) != digest_of(BASE, 7, 7)


def test_what_was_recorded_before_the_commit_is_found_in_it_by_its_text() -> None:
    later = FileText(["# a comment that came before the commit", *BASE.lines])
    assert in_base(target(5, 6), later) == (5, 6)
    assert in_base(SoughtLines(6, 6, "", "total = count(all)"), later) == (6, 6)
    assert (
        in_base(SoughtLines(2, 2, "", "return None"), FileText("\n" + "    return None\n" * 2))
        is None
    )
    assert in_base(SoughtLines(9, 9, "", "return None"), BASE) is None
    assert in_base(SoughtLines(9, 12), BASE) is None
    assert in_base(SoughtLines(2, 3), BASE) is None
    # Of two lines that are the same, the one with the recorded neighbours, at its number.
    assert in_base(target(7, 7), BASE) == (6, 6)
    assert in_base(target(7, 7), later) is None


@pytest.mark.parametrize("size", [0, 1, 500])
def test_texts_of_any_size_run_along_each_other(size: int) -> None:
    old = FileText([f"line {number} of this text" for number in range(size)])
    new = FileText(["before", *old.lines, "after"])
    assert [LineMap(old, new).line(at) for at in range(size)] == list(range(1, size + 1))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        # The line before it moved down, and may have taken it along.
        ("first_step end second_step end third_step end",
         "other_step end second_step end first_step end third_step end"),
        # The line before it came from below, and may have brought one like it.
        ("first_step end second_step end third_step end fourth_step end",
         "third_step end second_step end fourth_step end"),
    ],
)  # fmt: skip
def test_a_line_whose_neighbour_went_elsewhere_may_have_gone_with_it(old: str, new: str) -> None:
    texts = FileText(old.split()), FileText(new.split())
    assert LineMap(*texts).line(1) is None


def test_a_line_whose_neighbour_was_rewritten_stays() -> None:
    texts = (
        FileText(["first_step", "end", "second_step"]),
        FileText(["new_step", "end", "second_step"]),
    )
    assert LineMap(*texts).line(1) == 1
