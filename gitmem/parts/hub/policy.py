"""What a repository publishes: nothing unless its own settings say so."""

from typing import TYPE_CHECKING, Final, NamedTuple

from gitmem.config import Layer, layered
from gitmem.index import VERSION as INDEX
from gitmem.matching import VERSION
from gitmem.parts.hub.protocol import STRONG_FROM
from gitmem.records import codec

if TYPE_CHECKING:
    from gitmem.records.kinds import Record

_ENTRIES: Final = 2
"""Raise it when entries are made otherwise: everything is taken anew."""
_TAG: Final = "tag:"
_VERSIONS: Final = (_ENTRIES, INDEX, VERSION, STRONG_FROM)
ANALYSIS: Final = f"{'.'.join(map(str, _VERSIONS))}:"
"""Names the version of all that entries are made by."""


class Publishing(NamedTuple):
    """What a repository publishes.

    Attributes:
        publish: anything at all.
        kinds: kinds of records that stay home.
        tags: tags of records that stay home.

    """

    publish: bool = False
    kinds: frozenset[str] = frozenset()
    tags: frozenset[str] = frozenset()

    def stays_home(self, record: "Record") -> str:
        """Say why a record is not published; empty: it is."""
        if record.kind in self.kinds:
            return f"kind {record.kind} stays home"
        if tag := next((tag for tag in record.tags if tag in self.tags), ""):
            return f"tag {tag} stays home"
        return ""

    @property
    def made(self) -> str:
        """Name our analysis and the rules: entries that were made by others are made anew."""
        home = (*sorted(self.kinds), *(f"{_TAG}{tag}" for tag in sorted(self.tags)))
        return " ".join((ANALYSIS, *home))


def policy_of(marker: bytes) -> Publishing:
    """Read what a repository publishes out of its ``gitmem.yaml``; of a bad one, nothing."""
    try:
        settings = codec.load(marker).get("settings") or {}
    except codec.YamlError:
        return Publishing()
    if not isinstance(settings, dict):
        return Publishing()
    config = layered([Layer("team", settings)]).config
    words = config.hub_stay_home.replace(",", " ").split()
    return Publishing(
        config.hub_publish,
        frozenset(word for word in words if not word.startswith(_TAG)),
        frozenset(word[len(_TAG) :] for word in words if word.startswith(_TAG)),
    )
