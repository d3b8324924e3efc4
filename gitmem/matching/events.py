"""Outputs of events, such as one line of JSON for each, read as the lines that people see."""

from typing import TYPE_CHECKING

from gitmem.tools.choice import load, values

if TYPE_CHECKING:
    from gitmem.tools.base import EventReader


class EventStream:
    """Takes blocks of text in order; what is no event stays as it is."""

    def __init__(self) -> None:
        self._readers: dict[str, EventReader] = {}

    def plain(self, text: str) -> str:
        """Give a block with the events of each tool as plain lines."""
        for name, sign in values("output.events").items():
            if name not in self._readers and sign in text and (make := load(name).output.plain):
                self._readers[name] = make()
        for reader in self._readers.values():
            text = reader.plain(text)
        return text

    def rest(self) -> str:
        """Give what was kept back for an end that never came."""
        return "".join(reader.rest() for reader in self._readers.values())
