"""Whether what a model says is borne out by what was sent to it. Pure.

A quotation has to stand in the fact that it names, and a shortened text may bring in no number
and no id of its own: what a model can invent most easily is looked for first.
"""

import re
from collections.abc import Mapping
from typing import Final, NamedTuple

from msgspec.structs import replace

from gitmem.llm.answers import Gists, Preference, Preferences, QuotedFact, Sure

_SURE: Final[tuple[Sure, ...]] = ("low", "medium", "high")
_TOLD: Final = 60
_FIGURES: Final = re.compile(r"[A-Za-z0-9_.:/%+-]*[0-9][A-Za-z0-9_.:/%+-]*")
"""Numbers, ids, places and versions: every word with a digit in it."""


class Fact(NamedTuple):
    """Something that was sent: its text, and how sure one can be of what rests on it alone."""

    text: str
    bears: Sure


def proven(said: Preferences, facts: Mapping[str, Fact]) -> tuple[Preferences, list[str]]:
    """Keep the preferences that rest on facts that were sent.

    Evidence whose words do not stand in its fact is left out, and a preference that has no other
    is left out, too. None is surer than the best of its facts allows.

    Args:
        said: the answer.
        facts: what was sent, by id.

    Returns:
        What is left, and what was changed, a line each.

    """
    kept: list[Preference] = []
    notes: list[str] = []
    for one in said.preferences:
        good = [found for found in one.evidence if _stands(found, facts)]
        if not good:
            notes.append(f"left out, as no fact that was sent shows it: {_short(one.preference)}")
            continue
        if wrong := len(one.evidence) - len(good):
            notes.append(f"{wrong} of its quotations left out: {_short(one.preference)}")
        most = max((facts[found.fact].bears for found in good), key=_SURE.index)
        if _SURE.index(one.confidence) > _SURE.index(most):
            told = f"its confidence {one.confidence} is lowered to {most}, as its facts allow"
            notes.append(f"{told}: {_short(one.preference)}")
        sure = min(one.confidence, most, key=_SURE.index)
        kept.append(replace(one, evidence=good, confidence=sure))
    return Preferences(kept), notes


def _stands(found: QuotedFact, facts: Mapping[str, Fact]) -> bool:
    fact = facts.get(found.fact)
    return fact is not None and _folded(found.quote) in _folded(fact.text)


def shortened(said: Gists, texts: Mapping[str, str]) -> tuple[dict[str, str], list[str]]:
    """Keep the gists of records that were sent, as far as they add nothing.

    Args:
        said: the answer.
        texts: what was sent of each record, by id, title included.

    Returns:
        The gists by id, and why others are left out, a line each.

    """
    kept: dict[str, str] = {}
    notes: list[str] = []
    for one in said.gists:
        short = " ".join(one.short.split())
        sent = texts.get(one.record)
        if sent is None:
            notes.append(f"left out, as it was not sent: {_short(one.record)}")
        elif added := _added(short, sent):
            notes.append(f"{one.record} stays whole: its short form names {_short(added)}")
        elif len(short) < len(sent):
            kept.setdefault(one.record, short)
    return kept, notes


def _added(short: str, sent: str) -> str:
    """Give a word with a digit that the record does not have; empty: there is none."""
    known = _folded(sent)
    words = (word.strip(".:,-/") for word in _FIGURES.findall(short))
    return next((word for word in words if word.lower() not in known), "")


def _folded(text: str) -> str:
    return " ".join(text.split()).lower()


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _TOLD else line[: _TOLD - 1] + "…"
