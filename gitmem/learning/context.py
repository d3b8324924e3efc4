"""The context for whoever tries next: sections of entries, as values. Pure.

An entry is a record, or a fact of the project. It is told whole or left out whole, which
``render.context`` decides by the budget.
"""

from typing import Final, NamedTuple

DEFAULT_BUDGET: Final = 4000
LEAST_BUDGET: Final = 200
"""Tokens. Below it not even the frame is sure to fit."""


class TitledText(NamedTuple):
    """A longer text of an entry.

    Attributes:
        name: what it is; ours.
        text: what it says; somebody's.
        language: of a piece of code; empty: it is prose or output.
        exact: every blank counts, as in code and in output.

    """

    name: str
    text: str
    language: str = ""
    exact: bool = False


class ContextEntry(NamedTuple):
    """A record or a fact, as the next one who tries reads it.

    Attributes:
        mark: one word that says what it is, such as ``worked``; ours.
        title: what it is about; somebody's.
        about: where it comes from: id, author, day; may be somebody's.
        texts: what it says.
        record: id of the record; empty: it is none.

    """

    mark: str
    title: str
    about: tuple[str, ...] = ()
    texts: tuple[TitledText, ...] = ()
    record: str = ""


class ContextSection(NamedTuple):
    """Entries of one sort, the best first.

    Attributes:
        name: for programs, such as ``failing``.
        title: its heading.
        noun: what one of its entries is called.
        entries: the entries.

    """

    name: str
    title: str
    noun: str
    entries: tuple[ContextEntry, ...]


class Context(NamedTuple):
    """What is to be known before the next attempt.

    Attributes:
        focus: what it is about, as it was asked; empty: what fails now.
        budget: how many tokens it may take.
        sections: those that have entries, the most important first.
        notes: what could not be found out, a line each; not part of the text.

    """

    focus: str
    budget: int
    sections: tuple[ContextSection, ...]
    notes: tuple[str, ...] = ()

    def section(self, name: str) -> ContextSection | None:
        """Give the section of a name; None: it has no entries."""
        return next((section for section in self.sections if section.name == name), None)
