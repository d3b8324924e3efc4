"""What the routes of a hub share: its file, its engine, and who asks."""

import os
from collections.abc import Mapping
from functools import partial
from typing import Final

import anyio
import anyio.to_thread
from starlette.requests import Request

from gitmem.hub.messages import AlikeQuestion, HubAnswer, WordsQuestion
from gitmem.parts.hub import questions
from gitmem.parts.hub.protocol import Engine, Seen
from gitmem.parts.hub.registry import FILE, SECRET, Registry
from gitmem.parts.hub.taking import SourceRepository
from gitmem.parts.hub.visitors import Visitors
from gitmem.parts.hub.web.upkeep import Housekeeping

_AT_ONCE: Final = 8
"""Questions; each has a connection to the database of its own."""
_LOOKED_AT: Final = 40
"""Tokens; they wait where an issuer is slow."""


class Hub:
    """What the routes share.

    Args:
        folder: of the hub; its file is read again when it has changed.
        engine: answers questions.
        environ: the environment of this process.

    Attributes:
        secret: that webhooks are signed with; empty: none is believed.
        visitors: says who asks.
        limiter: of the threads in which the engine is asked.

    """

    def __init__(
        self, folder: str, engine: Engine, upkeep: Housekeeping, environ: Mapping[str, str]
    ) -> None:
        self.engine = engine
        self.upkeep = upkeep
        self.secret = environ.get(SECRET, "")
        self.visitors = Visitors(lambda: self.registry, environ)
        self.limiter = anyio.CapacityLimiter(_AT_ONCE)
        self._tokens = anyio.CapacityLimiter(_LOOKED_AT)
        self._folder = folder
        self._stamp: object = None
        self._registry = Registry.read(folder)

    @property
    def registry(self) -> Registry:
        """The hub's file, as it is now."""
        try:
            about = os.stat(os.path.join(self._folder, FILE))
            stamp: object = (about.st_mtime_ns, about.st_size, about.st_ino)
        except OSError:
            stamp = None
        if stamp != self._stamp:
            # What can't be read says nothing of who may ask: nobody, until it is mended.
            self._registry = Registry.read(self._folder)
            self._stamp = stamp
        return self._registry

    def recognises(self, repository: SourceRepository, host_id: int) -> bool:
        """Tell whether the host still means the same repository; if not, drop what is here of it.

        Args:
            repository: as it is in the hub's file.
            host_id: the number that the host gives with its name; 0: it gives none.

        """
        if not repository.replaced_by and host_id in {0, repository.host_id}:
            return True
        if not self.registry.recognise({repository.name: host_id}):
            return True
        self.upkeep.pushed(repository.name)
        return False

    async def answer(self, question: AlikeQuestion | WordsQuestion, visible: Seen) -> HubAnswer:
        """Answer a question of somebody who may see so much."""
        if isinstance(question, WordsQuestion):
            look_up = partial(questions.by_words, self.engine, question.words, visible)
        else:
            look_up = partial(questions.alike, self.engine, question.prints, visible)
        return await anyio.to_thread.run_sync(look_up, limiter=self.limiter)

    async def seen_by(self, request: Request) -> tuple[str, Seen]:
        """Say who asks, and what they may see; of an unknown one, nobody and nothing."""
        return await self.seen_with(bearer(request))

    async def seen_with(self, token: str) -> tuple[str, Seen]:
        """Say who has a token. An issuer's keys may have to be fetched: beside the questions."""
        return await anyio.to_thread.run_sync(self.visitors.seen_by, token, limiter=self._tokens)


def bearer(request: Request) -> str:
    """Give the token of a request; empty if it has none."""
    kind, _, token = request.headers.get("authorization", "").partition(" ")
    return token if kind.lower() == "bearer" else ""
