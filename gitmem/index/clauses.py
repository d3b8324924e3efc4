"""Clauses of a pasted output or a report, weighed against the records that its words found.

The words find candidates (``scoring``); clauses put them in order. A clause asks for some
words of the question, such as its failing source line, in one section of the records, such
as the title. What a term is worth grows with its rarity *in that section*, and each clause
adds to the score in two ways: by the mass of what it found, and by the share of what it
asked for. The weights are learnt (``scripts/learn_weights.py``), all in ``weights``.

``ranking`` and ``scan_index`` both go through ``weigh`` and ``total``: they can't differ.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from operator import itemgetter
from typing import Final, NamedTuple

from gitmem.index import evidence, sections, semantic_scores
from gitmem.index.analysis import terms
from gitmem.index.evidence import FileLine, TextEvidence
from gitmem.index.sections import FULL
from gitmem.index.weights import WEIGHTS

_MOST_COUNTED: Final = 160
_MOST_IN_SECTION: Final = 32
_ALWAYS_READ: Final = 4_000
_TOO_COMMON: Final = 25
"""A term that more than one document in so many has says next to nothing, and is long to read."""
_REACH: Final = 8
"""Lines apart at which a place is worth half."""
_FULL_WORD: Final = 1024 * 2.2
"""The impact that a word comes near to: ``scoring.UNIT * (scoring.K1 + 1)``."""
_TESTS: Final = frozenset({"test", "tests"})

_first = itemgetter(0)

Weights = Mapping[str, float]


class Clause(NamedTuple):
    """Terms to look for.

    Attributes:
        name: as weights and explanations call it.
        terms: what is looked for, in the order of the text.
        power: the exponent of idf.
        most: of the terms that there are only so many count, the rarest.
        section: the sign of the section; empty for all words of a record.

    """

    name: str
    terms: tuple[str, ...]
    power: float
    most: int
    section: str


class Demand(NamedTuple):
    """What a question asks of its candidates, before it is known how rare anything is."""

    clauses: tuple[Clause, ...]
    places: tuple[FileLine, ...]
    code: str
    kind: str
    """Which weights apply: ``output`` of a tool, or a ``report`` that somebody wrote."""
    leads: tuple[tuple[str, ...], ...]
    """The words of each telling part, which find candidates whatever else the text says."""
    languages: frozenset[str] = frozenset()
    """Of the files that it names lines of."""


class Singles(NamedTuple):
    """Weights of what is not a sum over words."""

    place: float
    code: float
    trace: float
    language: float


class Weighed(NamedTuple):
    """The same, with what each is worth in this index.

    Attributes:
        values: for each term, what one unit of impact adds, all clauses together.
        places: for each file's term the lines asked for, and how rare it is, up to 1.
        code: the term of the source line, and how rare it is; empty if none is asked for.
        shape: the same of the line without its numbers and strings.
        singles: what a full match of these two adds, and what it adds (below 0: takes) that a
            record has a failing line of its own, the farther from those of the question, the more;
            and what it adds that it names lines of files in other languages alone.
        parts: the names of the clauses, to explain.
        shares: for each term the clauses that ask for it, by their places among ``parts``, and
            what one unit of impact adds to each.

    """

    values: Mapping[str, float]
    places: Mapping[str, tuple[tuple[int, ...], float]]
    code: tuple[str, float]
    singles: "Singles"
    parts: tuple[str, ...]
    shares: Mapping[str, Sequence[tuple[int, float]]]
    shape: tuple[str, float] = ("", 0.0)
    languages: tuple[tuple[str, ...], tuple[str, ...]] = ((), ())
    """Terms of the question's languages, and of the others that there are."""
    meaning: float = 0.0
    """What a standard deviation adds that a record is nearer in meaning than the others."""

    def marks(self) -> list[str]:
        """Name the terms that count apart from ``values``."""
        code = [term for term, _ in (self.code, self.shape) if term]
        trace = [sections.TRACE] if self.singles.trace else ()
        return [*self.places, *code, *trace, *self.languages[0], *self.languages[1]]


_FIELDS: Final = (
    # words of the question, section, exponent, most
    ("all", "words", 3, 32),
    ("all", "words", 2, 32),
    ("all", "words", 1, 64),
    ("all", "title", 1, 64),
    ("all", "title", 2, 24),
    ("quoted", "words", 2, 16),
    ("quoted", "quoted", 2, 16),
    ("first", "title", 2, 32),
    ("first", "words", 1.5, 32),
    ("last", "words", 2, 24),
    ("head", "words", 1.5, 24),
    ("head", "head", 2, 24),
    ("inner code", "title", 1.5, 24),
    ("code", "words", 1.5, 24),
    ("path", "words", 1.5, 20),
    ("file", "title", 1.5, 12),
    ("test", "title", 1.5, 12),
    ("test", "words", 1.5, 12),
    ("function", "words", 1.5, 12),
)
_LEADS: Final = (
    ("first",),
    ("function", "file", "test"),
    ("head", "last"),
    ("quoted",),
    ("inner code",),
)
"""Parts of a question that find candidates: each by its own rarest words, so that the rare
words of a long stack do not keep out what the message and the test are called."""
_SIGNS: Final = {
    "words": "",
    "title": sections.TITLE,
    "quoted": sections.QUOTED,
    "head": sections.HEAD,
}
PLACE: Final = "place"
CODE: Final = "same code"
TRACE: Final = "another trace"
LANGUAGE: Final = "another language"
MEANING: Final = semantic_scores.NAME
MEANT: Final = " with meaning"


def names() -> list[str]:
    """Name all weights: of each clause the mass and the share, and those of single marks."""
    clauses = [_name(*field[:3]) for field in _FIELDS]
    shares = (f"{name}{how}" for name in clauses for how in ("", " %"))
    return [*shares, PLACE, CODE, TRACE, LANGUAGE, MEANING]


def _name(words: str, section: str, power: float) -> str:
    return f"{words} in {section}" if words != "all" else f"all in {section} ^{power:g}"


def demand(text: str) -> Demand:
    """Take a question apart."""
    parts = evidence.of_text(text)
    words = _words(text, parts)
    clauses = tuple(
        Clause(
            _name(source, section, power),
            tuple(words[source]),
            power,
            most,
            _SIGNS[section],
        )
        for source, section, power, most in _FIELDS
        if words[source]
    )
    code = parts.code[-1] if parts.code else ""
    kind = "report" if parts.prose else "output"
    leads = (tuple(dict.fromkeys(w for part in parts for w in words[part])) for parts in _LEADS)
    spoken = frozenset(evidence.languages(parts.places))
    return Demand(clauses, parts.places, code, kind, tuple(leads), spoken)


def _words(text: str, parts: TextEvidence) -> dict[str, list[str]]:
    """Give the words of each part of a question."""
    return {
        "all": list(terms(text)),
        "first": list(terms(parts.first)),
        "last": list(terms(parts.last)),
        "head": list(terms(parts.head)),
        "quoted": list(terms("\n".join(parts.quoted))),
        "code": list(terms("\n".join(parts.code))),
        "inner code": list(terms("\n".join(evidence.last_code(parts)))),
        "function": list(terms("\n".join(evidence.functions(parts)))),
        "path": _named(evidence.path_parts(parts)),
        "file": _named(evidence.stems(parts)),
        "test": _named(parts.tests),
    }


def _named(texts: Sequence[str]) -> list[str]:
    return [word for word in terms("\n".join(texts)) if word not in _TESTS]


def weigh(
    question: Demand,
    count: Callable[[str], int],
    alive: int,
    weights: Weights | None = None,
    *,
    meant: bool = False,
) -> Weighed:
    """Weigh the clauses of a question by the index's term counts.

    Args:
        question: the question.
        count: the number of documents alive that have a term.
        alive: the number of documents alive.
        weights: other ones than those that were learnt.
        meant: nearness in meaning counts, too, for which all weights were learnt anew.

    """
    chosen = weights
    if chosen is None:
        chosen = learnt(f"{question.kind}{MEANT}" if meant else question.kind)
    values: dict[str, float] = {}
    parts: list[str] = []
    shares: dict[str, list[tuple[int, float]]] = {}
    highest = idf(alive, 0)
    counts: dict[str, int] = {}

    def counted(term: str) -> int:
        if term not in counts:
            counts[term] = count(term)
        return counts[term]

    for clause in question.clauses:
        mass, share = chosen.get(clause.name, 0.0), chosen.get(f"{clause.name} %", 0.0)
        if not (mass or share):
            continue
        part = _weighed(clause, counted, alive, (mass / highest**clause.power, share))
        for term, value in part.items():
            values[term] = values.get(term, 0.0) + value
            shares.setdefault(term, []).append((len(parts), value))
        parts.append(clause.name)
    lines_of: dict[str, tuple[tuple[int, ...], float]] = {}
    code = sections.code_term(question.code) if question.code else ""
    trace = chosen.get(TRACE, 0.0) if code else 0.0
    language = chosen.get(LANGUAGE, 0.0) if question.languages else 0.0
    singles = Singles(chosen.get(PLACE, 0.0), chosen.get(CODE, 0.0), trace, language)
    for file, line in question.places if singles.place or trace else ():
        term = sections.place_term(file)
        if counted(term):
            lines, _ = lines_of.get(term, ((), 0.0))
            lines_of[term] = ((*lines, line), idf(alive, counted(term)) / highest)
    code_count = counted(code) if code and (singles.code or trace) else 0
    same = (code, idf(alive, code_count) / highest) if code_count else ("", 0.0)
    shape = sections.shape_term(question.code) if trace else ""
    shape_count = counted(shape) if shape else 0
    like = (shape, idf(alive, shape_count) / highest) if shape_count else ("", 0.0)
    spoken = _languages(question, counted) if language else ((), ())
    nearer = chosen.get(MEANING, 0.0) if meant else 0.0
    return Weighed(values, lines_of, same, singles, tuple(parts), shares, like, spoken, nearer)


def _languages(
    question: Demand, count: Callable[[str], int]
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Give the terms of a question's languages, and of the others that there are."""
    own, other = (
        tuple(
            term
            for language in evidence.LANGUAGES
            if (language in question.languages) == wanted
            and count(term := sections.LANGUAGE + language)
        )
        for wanted in (True, False)
    )
    return (own, other) if other else ((), ())


def _weighed(
    clause: Clause, count: Callable[[str], int], alive: int, weights: tuple[float, float]
) -> dict[str, float]:
    """Weigh the rarest terms of a clause.

    What stands in a section stands among the words, too: so the words are counted first, and
    only the rarest of them are looked up in the section.
    """
    limit = most_counted(alive)
    counts = [(count(term), term) for term in clause.terms[:_MOST_COUNTED]]
    present = sorted((pair for pair in counts if 0 < pair[0] <= limit), key=_first)
    if clause.section:
        terms = [clause.section + term for _, term in present[:_MOST_IN_SECTION]]
        present = sorted(((n, term) for term in terms if (n := count(term))), key=_first)
    worth = {term: idf(alive, n) ** clause.power for n, term in present[: clause.most]}
    whole = sum(worth.values())
    mass, share = weights
    full = FULL if clause.section else _FULL_WORD
    return {term: value * (mass + share / whole) / full for term, value in worth.items() if whole}


def most_counted(alive: int) -> int:
    """Say how many documents a word may have that counts."""
    return max(_ALWAYS_READ, alive // _TOO_COMMON)


def idf(alive: int, having: int) -> float:
    """Say how rare a term is that ``having`` of ``alive`` documents have."""
    return math.log(1 + (alive - having + 0.5) / (having + 0.5))


def total(weighed: Weighed, impact: Mapping[str, int], nearer: float = 0.0) -> float:
    """Score a document.

    Args:
        weighed: the question.
        impact: of its terms; those of other terms may be missing.
        nearer: how much nearer it is in meaning than other candidates (``meaning.nearer``).

    """
    score = 0.0
    values = weighed.values
    # In the order in which the question asks, so that every index adds up alike.
    for term, value in values.items():
        if term in impact:
            score += value * impact[term]
    return with_marks(weighed, score, impact, nearer)


def with_marks(
    weighed: Weighed, score: float, impact: Mapping[str, int], nearer: float = 0.0
) -> float:
    """Score a document whose words give ``score``; otherwise as ``total``."""
    return score + sum(value for _, value in _single(weighed, impact, nearer))


def _single(weighed: Weighed, impact: Mapping[str, int], nearer: float) -> list[tuple[str, float]]:
    """Score what is not a sum over words."""
    marks: list[tuple[str, float]] = []
    weights = weighed.singles
    near = 0.0
    for term, (lines, rare) in weighed.places.items():
        if term in impact:
            apart = min(abs(line - impact[term]) for line in lines)
            near = max(near, rare / (1 + apart / _REACH))
    if near and weights.place:
        marks.append((PLACE, weights.place * near))
    term, rare = weighed.code
    if term and term in impact:
        near = max(near, rare)
        if weights.code:
            marks.append((CODE, weights.code * rare))
    term, rare = weighed.shape
    if term and term in impact:
        near = max(near, rare)
    if weights.trace and sections.TRACE in impact and near < 1:
        marks.append((TRACE, weights.trace * (1 - near)))
    own, other = weighed.languages
    if any(term in impact for term in other) and not any(term in impact for term in own):
        marks.append((LANGUAGE, weights.language))
    if nearer:
        marks.append((MEANING, weighed.meaning * nearer))
    return marks


def explained(
    weighed: Weighed, impact: Mapping[str, int], nearer: float = 0.0
) -> tuple[tuple[str, float], ...]:
    """Give the parts of a document's score, largest first; their sum is ``total``.

    Args:
        weighed: the question.
        impact: of its terms, in the question's order, so that every index adds up alike.
        nearer: as for ``total``.

    """
    sums = [0.0] * len(weighed.parts)
    shares = weighed.shares
    for term, given in impact.items():
        for at, value in shares.get(term, ()):
            sums[at] += value * given
    parts = [*zip(weighed.parts, sums, strict=True), *_single(weighed, impact, nearer)]
    return tuple(sorted((part for part in parts if part[1]), key=lambda part: -part[1]))


def learnt(kind: str) -> Weights:
    """Give the weights for a kind of question."""
    return WEIGHTS[kind]
