"""Parses the text of a file to its tree."""

import importlib.util
from typing import Final

from gitmem.errors import UsageError
from gitmem.syntax.languages import PARSED, PYTHON
from gitmem.syntax.python import parse_python
from gitmem.syntax.tree import Parsed

LONGEST: Final = 500_000
"""Characters; a longer text is most often a table or was made by a program."""


def readable(language: str) -> bool:
    """Tell whether trees of a language can be read here."""
    if language == PYTHON:
        return True
    names = ("tree_sitter", f"tree_sitter_{language}")
    return language in PARSED and all(importlib.util.find_spec(name) for name in names)


def parse(text: str, language: str, path: str = "") -> Parsed:
    """Read source; never fails over what it says, but passes over what can't be read.

    Args:
        text: the source, of at most ``LONGEST`` characters; what is beyond is not read.
        language: its name, as ``language_of`` gives it.
        path: the file's, if it has one.

    Raises:
        UsageError: no grammar of that language is known.
        EnvironmentProblem: it needs the extra ``code``, which is not installed.

    """
    text = text[:LONGEST]
    if language == PYTHON:
        return parse_python(text)
    if language not in PARSED:
        raise UsageError(
            f"source in {language or 'an unknown language'} can't be read",
            f"one of {', '.join(PARSED)}",
        )
    from gitmem.syntax.treesitter import parse_with_grammar

    return parse_with_grammar(text, language, path)
