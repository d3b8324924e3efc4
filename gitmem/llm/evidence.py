"""Checks what a model says against the facts that were sent to it. Pure.

A quotation has to stand in the fact that it names, and a shortened text may bring in no number
and no id of its own: what a model can invent most easily is looked for first.
"""

import re
from collections.abc import Mapping
from typing import Final, NamedTuple

from msgspec.structs import replace

from gitmem.llm.answers import Gists, Preference, Preferences, QuotedFact, Sure

_SURE: Final[tuple[Sure, ...]] = ("low", "medium", "high")
_MOST_SHOWN: Final = 60
_FIGURES: Final = re.compile(r"[A-Za-z0-9_.:/%+-]*[0-9][A-Za-z0-9_.:/%+-]*")
"""Numbers, ids, places and versions: every word with a digit in it."""


class Fact(NamedTuple):
    """Something that was sent: its text, and how sure one can be of what rests on it alone."""

    text: str
    bears: Sure


def proven(answer: Preferences, facts: Mapping[str, Fact]) -> tuple[Preferences, list[str]]:
    """Keep the preferences that rest on facts that were sent.

    Evidence whose words do not stand in its fact is left out, and a preference that has no other
    is left out, too. None is surer than the best of its facts allows.

    Args:
        answer: the answer.
        facts: what was sent, by id.

    Returns:
        What is left, and what was changed, a line each.

    """
    proven_preferences: list[Preference] = []
    notes: list[str] = []
    for preference in answer.preferences:
        good = [quoted for quoted in preference.evidence if _stands(quoted, facts)]
        if not good:
            notes.append(
                f"left out, because no fact that was sent supports it: "
                f"{_short(preference.preference)}"
            )
            continue
        if wrong := len(preference.evidence) - len(good):
            notes.append(f"{wrong} of its quotations left out: {_short(preference.preference)}")
        most = max((facts[quoted.fact].bears for quoted in good), key=_SURE.index)
        if _SURE.index(preference.confidence) > _SURE.index(most):
            change = (
                f"its confidence {preference.confidence} is lowered to {most}, as its facts allow"
            )
            notes.append(f"{change}: {_short(preference.preference)}")
        sure = min(preference.confidence, most, key=_SURE.index)
        proven_preferences.append(replace(preference, evidence=good, confidence=sure))
    return Preferences(proven_preferences), notes


def _stands(quoted: QuotedFact, facts: Mapping[str, Fact]) -> bool:
    fact = facts.get(quoted.fact)
    return fact is not None and _folded(quoted.quote) in _folded(fact.text)


def shortened(answer: Gists, texts: Mapping[str, str]) -> tuple[dict[str, str], list[str]]:
    """Keep the gists of records that were sent, as far as they add nothing.

    Args:
        answer: the answer.
        texts: what was sent of each record, by id, title included.

    Returns:
        The gists by id, and why others are left out, a line each.

    """
    short_forms: dict[str, str] = {}
    notes: list[str] = []
    for gist in answer.gists:
        short = " ".join(gist.short.split())
        sent = texts.get(gist.record)
        if sent is None:
            notes.append(f"left out, as it was not sent: {_short(gist.record)}")
        elif added := _added(short, sent):
            notes.append(f"{gist.record} stays whole: its short form names {_short(added)}")
        elif len(short) < len(sent):
            short_forms.setdefault(gist.record, short)
    return short_forms, notes


def _added(short: str, sent: str) -> str:
    """Give a word with a digit that the record does not have; empty: there is none."""
    sent_words = _folded(sent)
    words = (word.strip(".:,-/") for word in _FIGURES.findall(short))
    return next((word for word in words if word.lower() not in sent_words), "")


def _folded(text: str) -> str:
    return " ".join(text.split()).lower()


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _MOST_SHOWN else line[: _MOST_SHOWN - 1] + "…"
