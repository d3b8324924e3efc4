"""Whether a pack's record fits the question: strict, as its authors do not know this repository."""

from difflib import SequenceMatcher
from typing import TYPE_CHECKING, Final

from gitmem.index.analysis import query_terms, terms
from gitmem.index.fillers import STOP_WORDS, is_filler
from gitmem.matching.labels import WEAK

if TYPE_CHECKING:
    from gitmem.answers.found import SearchHit
    from gitmem.capture.fingerprinted import FingerprintedFailure
    from gitmem.catalog.rows import Row
    from gitmem.memory.core.workspace import Workspace
    from gitmem.query import Query
    from gitmem.records.kinds import Error

_ADVICE: Final = frozenset({"note", "pattern"})
_LEAST_WORDS: Final = 0.6
_LEAST_SAME: Final = 0.7
LONGEST_TITLE: Final = 300
_KIN: Final = (
    {"c", "c++", "objective-c"},
    {"javascript", "typescript"},
    {"java", "kotlin", "scala"},
)
"""Languages whose compilers and runtimes are the same."""
_LEAST_SHARED: Final = 4
"""Words that a text has in common with a title before it counts as that title."""


def names(row: "Row", text: str) -> bool:
    """Tell whether a short text is the title of a record, or nearly: one word more or less."""
    title = " ".join(row.title.split()).casefold()
    if " ".join(text[:LONGEST_TITLE].split()).casefold() == title:
        return True
    if len(text) > LONGEST_TITLE:
        return False
    here, there = terms(text).keys(), terms(row.title).keys()
    shared = len(here & there)
    return shared >= _LEAST_SHARED and shared >= max(len(here), len(there)) - 1


def speaks_of(hit: "SearchHit", query: "Query", *, in_code: bool = True) -> bool:
    """Tell whether a record, with its fixes, holds most of the words typed that say something.

    Args:
        hit: the record.
        query: what was typed.
        in_code: words that only the text or code of the record holds count, too.

    """
    if query.pasted or not query.words.strip():
        return True
    words = telling_words(query.words)
    if not words:
        return False
    row = hit.row
    fixes = " ".join(f"{fix.title} {fix.gist}" for fix in hit.attempts)
    kind = row.error_type if in_code else ""  # of a pattern the catalog holds its code there
    text = f"{row.title} {row.gist} {kind} {row.subject} {fixes}"
    # Cut texts end with a sign whose folding takes a table that nothing else needs here.
    text_terms = terms(text.encode("ascii", "ignore").decode()).keys()
    hit_terms = text_terms | {name for name, _ in hit.parts if in_code}
    # A word that has only its stem in common counts half.
    shares = (sum(term in hit_terms for term in word) / len(word) for word in words)
    return sum(shares) >= _LEAST_WORDS * len(words)


def answers(hit: "SearchHit", query: "Query") -> bool:
    """Tell whether a pack's record answers what was typed: advice may also be called by name."""
    if hit.label != WEAK and speaks_of(hit, query):
        return True
    return hit.row.kind in _ADVICE and is_named(hit, query)


def telling_words(text: str) -> list[tuple[str, ...]]:
    """Give the words of a text that say something by themselves, each as its terms."""
    return [word.terms for word in query_terms(text) if not is_filler(word)]


def shares_only_fillers(hit: "SearchHit") -> bool:
    """Tell whether a record was found by such words as *it* alone: they gave most of its score."""
    return bool(hit.parts) and max(hit.parts, key=lambda part: part[1])[0] in STOP_WORDS


def is_named(hit: "SearchHit", query: "Query") -> bool:
    """Tell whether a record's name, its title up to a colon, is among the words: ``Factory: …``."""
    name, colon, _ = hit.row.title.partition(":")
    return bool(colon) and terms(name).keys() <= terms(query.words).keys()


def says_the_same(workspace: "Workspace", row: "Row", failure: "FingerprintedFailure") -> bool:
    """Tell whether an error's message is that of a failure, but for names and numbers in it."""
    from gitmem.matching import fingerprint, naming  # noqa: PLC0415  start-up
    from gitmem.matching.recorded import from_fields, from_record

    record = _error(workspace, row)
    kind = str(failure.fields.get("error_type", ""))
    if record is None or not naming.same_type(record.error_type, kind):
        return False
    if not is_of_language(workspace, row, failure):
        return False
    level = fingerprint.LEVELS.index("template")
    there = _words(fingerprint.fingerprints(from_record(record)).keys[level])
    here = _words(fingerprint.fingerprints(from_fields(failure.fields)).keys[level])
    matcher = SequenceMatcher(None, there, here, autojunk=False)
    return bool(here) and matcher.ratio() >= _LEAST_SAME


def is_of_language(workspace: "Workspace", row: "Row", failure: "FingerprintedFailure") -> bool:
    """Tell whether an error is of a failure's language, or it is not known of one of them.

    What is of no language, such as a build, is of its tool.
    """
    record, fields = _error(workspace, row), failure.fields
    tool = str(fields.get("tool") or "")
    if record is None or (tool and record.tool == tool):
        return True
    languages = {record.language or record.tool, str(fields.get("language") or tool)}
    return len(languages) == 1 or "" in languages or any(map(languages.issubset, _KIN))


def _error(workspace: "Workspace", row: "Row") -> "Error | None":
    from gitmem.memory.core.shown import read_at
    from gitmem.records.kinds import Error  # noqa: PLC0415  start-up

    record = read_at(workspace, row.path)
    return record if isinstance(record, Error) else None


def _words(text: str) -> list[str]:
    return text.partition("| ")[2].casefold().split()
