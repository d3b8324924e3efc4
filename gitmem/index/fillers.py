"""Words that are no reason to show a record: those of every sentence, and those of most records.

A record that shares only *how* or *error* with a question answers nothing, and shown all the same
it hides that nothing is known, and that the one word that matters is misspelt. Such words still
count for records that another word finds. Where a question has no other word, they are what is
looked for. The list leaves out words that are names in code, too (*try*, *own*, *file*): questions
about those were not answered any more.
"""

from collections.abc import Callable, Iterable, Sequence
from itertools import chain
from typing import Final

from gitmem.index.analysis import Token

_STOP_TEXT: Final = """
a an the this that these those it its i you he she we they me him her us them my your his our their
who which what and or but nor so if as of in on at by for with from to is are was were be been being
am do does did has have had can could may might shall should will would s t d ll re ve m
"""
STOP_WORDS: Final = frozenset(_STOP_TEXT.split())
"""Those that are worth less in a score, too; a longer list was measured to rank worse."""
_FUNCTION_TEXT: Final = """
how when where why whose whom whether here there than because although though however also just
very too again still yet already about such not no some any all more only now like one up please
cannot cant dont doesnt isnt wont something anything someone anyone
"""
_GENERAL_TEXT: Final = """
help need want way happen work get use using make know say think show tell give
error fix problem issue issues bug fail failure failures broken wrong
"""
_FUNCTION_WORDS: Final = STOP_WORDS.union(_FUNCTION_TEXT.split())
FILLERS: Final = _FUNCTION_WORDS.union(_GENERAL_TEXT.split())
_ALWAYS_TELLING: Final = 20
"""A word of so few records tells them apart, however small the memory."""
_COMMON: Final = 2
"""A word that more than one record in so many has tells none of them apart."""


def is_filler(word: Token) -> bool:
    """Tell whether a word, as it is written or by its root, says nothing by itself."""
    return word.terms[0] in FILLERS or (len(word.leaves) == 1 and word.leaves[0] in FILLERS)


def telling(words: Sequence[Token], *, also: bool) -> Sequence[Token]:
    """Give the words of a question that say something; where there are none, what there is.

    Args:
        words: all.
        also: something else is looked for, so there may be none.

    """
    some = [word for word in words if not is_filler(word)]
    if some or also:
        return some
    return [word for word in words if word.terms[0] not in _FUNCTION_WORDS] or words


def finding(words: Iterable[Token], count: Callable[[str, int], int], alive: int) -> set[str]:
    """Give the terms that find records; others of the question only add to what these find.

    Args:
        words: those that say something.
        count: counts the documents that have a term; above its second argument only roughly.
        alive: the number of documents.

    """
    enough = max(_ALWAYS_TELLING, alive // _COMMON)
    terms_of_all: list[tuple[str, ...]] = []
    terms_of_rare: list[tuple[str, ...]] = []
    for word in words:
        terms_of_all.append(word.terms)
        common = [leaf for leaf in word.leaves if leaf in FILLERS or count(leaf, enough) > enough]
        if len(common) < len(word.leaves):
            terms_of_rare.append(tuple(term for term in word.terms if term not in common))
    return {*chain.from_iterable(terms_of_rare or terms_of_all)}
