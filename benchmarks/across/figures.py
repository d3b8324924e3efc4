"""Counts answers: recall, what the hub adds, and how often *same message* is wrong."""

from collections import defaultdict
from collections.abc import Sequence
from typing import NamedTuple

from benchmarks.across.cases import Case
from benchmarks.across.organisation import Answer, Shown
from gitmem.matching.labels import SAME_MESSAGE


class Asked(NamedTuple):
    case: Case
    answer: Answer

    @property
    def own_place(self) -> int:
        return _place(self.answer.own, self.case.right)

    @property
    def place(self) -> int:
        return _place(self.answer.foreign, self.case.right)

    @property
    def labelled(self) -> list[str]:
        """Causes that a hub's record with the label *same message* is of, but what is ignored."""
        return [s.cause for s in self.answer.foreign if s.label.startswith(SAME_MESSAGE) and s.cause not in self.case.ignored]

    @property
    def wrong(self) -> list[str]:
        return [cause for cause in self.labelled if cause not in self.case.right]

    @property
    def twin(self):
        return [cause for cause in self.wrong if cause in self.case.twins]


def _place(shown: Sequence[Shown], right: frozenset[str]) -> int:
    return next((n for n, s in enumerate(shown, 1) if s.cause in right), 0)


def table(asked: Sequence[Asked]) -> str:
    rows = defaultdict(list)
    for each in asked:
        rows[each.case.kind, each.case.split].append(each)
        rows["ALL", each.case.split].append(each)
    lines = []
    for (kind, split), there in sorted(rows.items()):
        n = len(there)
        r = [a for a in there if a.case.right]
        own1 = sum(a.own_place == 1 for a in r); own3 = sum(0 < a.own_place <= 3 for a in r)
        h1 = sum(a.place == 1 for a in r); h3 = sum(0 < a.place <= 3 for a in r)
        e3 = sum(0 < a.place <= 3 or 0 < a.own_place <= 3 for a in r)
        e1 = sum(a.place == 1 or a.own_place == 1 for a in r)
        lab = sum(len(a.labelled) for a in there); wrong = sum(len(a.wrong) for a in there); tw = sum(len(a.twin) for a in there)
        q = sum(bool(a.labelled) for a in there); qw = sum(bool(a.wrong) for a in there); qtw= sum(len(a.wrong)>0 and len(a.twin)==len(a.wrong) for a in there)
        lines.append(f"{kind:16} {split:5} n={n:4} right={len(r):4} own@1={own1:4} own@3={own3:4} hub@1={h1:4} hub@3={h3:4} either@1={e1:4} either@3={e3:4} | hits labelled={lab:4} wrong={wrong:4} (twin {tw:3}) questions labelled={q:4} wrong={qw:4} (only twin {qtw})")
    return "\n".join(lines)
