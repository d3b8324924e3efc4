"""What a hub is asked and what it answers, as types with bounds: both sides check them."""

from typing import Annotated, Final, NamedTuple

import msgspec

from gitmem.hub.prints import Level

MOST_HITS: Final = 3
MOST_PRINTS: Final = 32
"""Of one failure: some versions say one thing of many mistakes that others tell apart."""
"""Records of other repositories that are shown for one failure, or one question."""
_Name = Annotated[str, msgspec.Meta(max_length=300)]
_Text = Annotated[str, msgspec.Meta(max_length=2_000)]
_Number = Annotated[int, msgspec.Meta(ge=0, lt=2**40)]
_Print = Annotated[str, msgspec.Meta(pattern="^[0-9a-f]{16}$")]


class ForeignFix(msgspec.Struct, frozen=True):
    """An attempt on an error of another repository.

    Attributes:
        id: its id there.
        title: what was done.
        outcome: as written there.
        verified: a watched run, a test or a person confirmed it.

    """

    id: _Name
    title: _Text
    outcome: _Name
    verified: bool = False

    @property
    def verdict(self) -> str:
        """What became of it: what nobody verified is only claimed."""
        return "claimed" if self.outcome == "worked" and not self.verified else self.outcome


class ForeignHit(msgspec.Struct, frozen=True):
    """A record of another repository: quoted evidence, which is never applied from here.

    Attributes:
        repository: where it is from, as the hub says.
        path: its file there.
        commit: at which the hub read it.
        id: its id there.
        kind: of the record.
        title: its title.
        created: when it was written, there.
        label: ``same message`` and the like, or ``similar``.
        fixes: what was tried on it there, what helped first.

    """

    repository: _Name
    path: _Text
    commit: _Name
    id: _Name
    kind: _Name
    title: _Text
    created: _Name
    label: _Name
    fixes: Annotated[tuple[ForeignFix, ...], msgspec.Meta(max_length=MOST_HITS)] = ()


class HubAnswer(msgspec.Struct, frozen=True):
    """What a hub says to one question.

    Attributes:
        hits: the best first.
        worked_in: in how many repositories a fix of the same message was verified.
        worked_for: by how many people these were written.

    """

    hits: Annotated[tuple[ForeignHit, ...], msgspec.Meta(max_length=MOST_HITS)] = ()
    worked_in: _Number = 0
    worked_for: _Number = 0


class AlikeQuestion(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Fingerprints of one failure, the surest first. No text is sent with them."""

    prints: Annotated[
        tuple[tuple[Level, _Print], ...],
        msgspec.Meta(min_length=1, max_length=MOST_PRINTS),
    ]


class WordsQuestion(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Words of a question, and no more of them than a person would type."""

    words: Annotated[tuple[_Name, ...], msgspec.Meta(min_length=1, max_length=24)]


class Elsewhere(NamedTuple):
    """What a hub said.

    Attributes:
        title: of the failure that was asked about; empty: words were.
        answer: its answer.
        host: of the hub.
        milliseconds: that it took.

    """

    title: str
    answer: HubAnswer
    host: str
    milliseconds: int
