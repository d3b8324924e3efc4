"""Nothing unseen is returned, counted or suggested over any route, while rights change."""

from collections.abc import Iterator
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

import anyio
import httpx2
import msgspec
import pytest

from gitmem.hub.prints import TEMPLATE
from gitmem.parts.hub.assistants import application as for_assistants
from gitmem.parts.hub.host_api import HostReaders, HostSilentError
from gitmem.parts.hub.mirrored import FRESH, TRUSTED, MirroredPermissions
from gitmem.parts.hub.registry import Registry
from gitmem.parts.hub.scan import ScanHub
from gitmem.parts.hub.taking import SourceRepository
from gitmem.parts.hub.web import application as served
from gitmem.parts.hub.web.shared import Hub
from gitmem.parts.hub.web.upkeep import Housekeeping
from tests.depth import amount
from tests.hub.worlds import NOUNS, fill

if TYPE_CHECKING:
    from gitmem.parts.hub.protocol import Engine

LOGINS = ("ada", "bob", "eve")
ACCEPTS = {"accept": "application/json, text/event-stream"}


class FakeHost:
    """Rights that change, with all that they were before."""

    def __init__(self) -> None:
        self.rights: dict[str, frozenset[str]] = {}
        self.down = False

    def readers(self, repository: str) -> HostReaders:
        if self.down:
            raise HostSilentError("down", about_all=True)
        return HostReaders(users=self.rights.get(repository, frozenset()))

    def close(self) -> None:
        """Nothing is open."""


class World:
    """A hub of a few repositories whose host changes its mind, and a clock set by hand."""

    def __init__(self, folder: Path, rng: Random, engine: "Engine") -> None:
        self.rng = rng
        self.now = 1000.0
        self.host = FakeHost()
        self.engine = engine
        with engine.writing():
            for name in engine.heads():
                engine.drop(name)
        filled = fill(self.engine, rng, 5, 6)
        self.internal = {name for name, (internal, _) in filled.items() if internal}
        self.private = sorted(filled.keys() - self.internal)
        self.entries = [entry for _, entries in filled.values() for entry in entries]
        registry = Registry.read(str(folder))
        for name in filled:
            registry.add(SourceRepository(name, published="main", internal=name in self.internal))
        self.tokens = {
            login: registry.new_token(login, internal=login != "eve", repositories=[])
            for login in LOGINS
        }
        upkeep = Housekeeping(str(folder), lambda: self.engine, 900.0, print)
        self.hub = Hub(str(folder), self.engine, upkeep, {})
        self.permissions = MirroredPermissions(
            self.host, registry.repositories.values, registry.recognise, lambda: self.now
        )
        self.answered = self.now
        self.history = [(self.now, self.host.rights, self.host.down)]

    def change(self) -> None:
        """Draw new rights, or let the host fall or come back; some time passes before."""
        for _ in range(self.rng.randint(1, 40)):  # the thread looks every fifteen seconds
            self.now += 15.0
            self.permissions.refresh()
            if not self.host.down:
                self.answered = self.now
        self.host.rights = {
            name: frozenset(login for login in LOGINS if self.rng.random() < 0.5)
            for name in self.private
        }
        self.host.down = self.rng.random() < 0.3
        self.history.append((self.now, self.host.rights, self.host.down))

    def may_have_seen(self, login: str) -> set[str]:
        """Give what the promise of the docs lets a user see now, at most."""
        if self.now - self.answered > TRUSTED:
            return set()
        # What the host said last counts, and that may be five minutes old.
        since = self.answered - FRESH - 15.0
        spans = pairwise([*self.history, (self.now + 1, {}, False)])
        visible = {
            name
            for (begin, rights, down), (end, _, _) in spans
            if begin <= self.answered and end >= since and not down
            for name, users in rights.items()
            if login in users
        }
        return visible | (self.internal if login != "eve" else set())


@contextmanager
def permissions_of(world: World, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    with monkeypatch.context() as patch:
        patch.setattr(type(world.hub.visitors), "permissions", world.permissions)
        yield


async def everything(client: httpx2.AsyncClient, world: World, login: str) -> list[str]:
    """Ask over each route, with words and fingerprints of what is there; give the answers."""
    rng = world.rng
    headers = {"authorization": f"Bearer {world.tokens[login]}"}
    prints = [
        value for entry in world.entries for level, value in entry.prints if level == TEMPLATE
    ]
    alike = {"prints": [[TEMPLATE, value] for value in rng.sample(prints, min(3, len(prints)))]}
    words = rng.sample(NOUNS, 3)
    answers = [await client.get("/hub/v1/status", headers=headers)]
    if prints:
        answers.append(await client.post("/hub/v1/alike", json=alike, headers=headers))
    answers.append(await client.post("/hub/v1/words", json={"words": words}, headers=headers))
    call = {"name": "gitmem_search_elsewhere", "arguments": {"query": " ".join(words)}}
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": call}
    answers.append(await client.post("/mcp", json=message, headers={**headers, **ACCEPTS}))
    assert [answer.status_code for answer in answers] == [200] * len(answers)
    return [answer.text for answer in answers]


def test_nothing_unseen_leaves_over_any_route(
    engine: "Engine", tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown: set[tuple[bool, bool]] = set()

    async def ask(world: World) -> None:
        app = served.application(world.hub, for_assistants(world.hub.seen_with, world.hub.answer))
        transport = httpx2.ASGITransport(app=app)
        async with (
            app.router.lifespan_context(app),
            httpx2.AsyncClient(transport=transport, base_url="http://127.0.0.1") as client,
        ):
            for _ in range(6):
                world.change()
                for login in LOGINS:
                    allowed = world.may_have_seen(login)
                    for text in await everything(client, world, login):
                        for name in (*world.internal, *world.private):
                            if name in text:
                                assert name in allowed, (login, text)
                                shown.add((name in world.internal, world.host.down))
                        counts = worked(text)
                        assert counts <= len(allowed)

    many = amount(share=10, ci=40, whole=400)
    for seed in range(many if isinstance(engine, ScanHub) else 3):
        folder = tmp_path / str(seed)
        folder.mkdir()
        world = World(folder, Random(seed), engine)
        with permissions_of(world, monkeypatch):
            anyio.run(ask, world)
    assert shown == {(False, False), (True, False), (False, True), (True, True)}


def worked(text: str) -> int:
    data: Any = msgspec.json.decode(text) if text.startswith("{") else {}
    return int(data.get("worked_in", 0))


def test_rights_that_the_mirror_would_keep_for_ever_are_noticed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """See that the test above can fail: a mirror that asks only once shows too much."""
    monkeypatch.setattr("gitmem.parts.hub.mirrored.FRESH", 1e9)
    with pytest.raises(AssertionError):
        test_nothing_unseen_leaves_over_any_route(ScanHub(), tmp_path, monkeypatch)
