"""The hub over HTTP: for programs ``/hub/v1``, for people its pages. Every question has a token."""

import os
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from functools import partial
from typing import TYPE_CHECKING, Any, Final, cast

import anyio
import anyio.to_thread
import msgspec
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Mount, Route

from gitmem.errors import GitmemError
from gitmem.hub import questions
from gitmem.hub.jobs import MOST_SENT, PublishAnswer, PublishMessage, published_by
from gitmem.hub.messages import AlikeQuestion, HubAnswer, WordsQuestion
from gitmem.hub.protocol import Engine, Seen
from gitmem.hub.registry import FILE, SECRET, Registry
from gitmem.hub.taking import Taker
from gitmem.hub.visitors import Visitors
from gitmem.serve.access import with_headers
from gitmem.serve.api.problems import of_error, problem
from gitmem.serve.hub import pages
from gitmem.serve.hub.upkeep import Housekeeping
from gitmem.serve.hub.webhooks import DELETED, PRIVATE, PUSHED, RIGHTS, is_signed, what_happened

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Receive, Scope, Send

_MOST_BYTES: Final = 1 << 16
_MOST_PUSHED: Final = 1 << 22
_UNKNOWN: Final = "this token is not known here"
_AT_ONCE: Final = 8
"""Questions; each has a connection to the database of its own."""
_LOOKED_AT: Final = 40
"""Tokens; they wait where an issuer is slow."""

Endpoint = Callable[[Request], Awaitable[Response]]


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


class _Guarded:
    """The application, with headers that keep a browser from anything not its own."""

    def __init__(self, app: "ASGIApp") -> None:
        self._app = app

    async def __call__(self, scope: "Scope", receive: "Receive", send: "Send") -> None:
        await self._app(scope, receive, with_headers(send))


def application(hub: Hub, assistants: "Starlette | None" = None) -> Starlette:
    """Make the application.

    Args:
        hub: what it serves.
        assistants: answers coding assistants at ``/mcp``; None: nobody does.

    """
    limiter = hub.limiter

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        if assistants is None:
            yield
            return
        async with assistants.router.lifespan_context(assistants):
            yield

    return Starlette(
        routes=[
            Route("/hub/v1/alike", _asking(hub, AlikeQuestion), methods=["POST"]),
            Route("/hub/v1/words", _asking(hub, WordsQuestion), methods=["POST"]),
            Route("/hub/v1/published", _published(hub, limiter), methods=["POST"]),
            Route("/hub/v1/pushed", _pushed(hub, limiter), methods=["POST"]),
            Route("/hub/v1/status", _status(hub, limiter)),
            *pages.routes(hub, limiter),
            *([Mount("", assistants)] if assistants else []),
        ],
        lifespan=lifespan,
        middleware=[Middleware(_Guarded)],
        exception_handlers={GitmemError: _refused, msgspec.MsgspecError: _unreadable},
    )


def _asking(hub: Hub, kind: type[AlikeQuestion | WordsQuestion]) -> Endpoint:
    async def answer(request: Request) -> Response:
        who, visible = await hub.seen_by(request)
        if not who:
            return problem(401, _UNKNOWN, "send it as Authorization: Bearer")
        body = await _body(request, _MOST_BYTES)
        if body is None:
            return problem(413, f"the body has more than {_MOST_BYTES} bytes")
        question = msgspec.json.decode(body, type=kind)
        return _json(await hub.answer(question, visible))

    return answer


def _published(hub: Hub, limiter: anyio.CapacityLimiter) -> Endpoint:
    """Take what a job of a repository sends, with the token of that job."""

    def checked(token: str) -> Mapping[str, Any] | None:
        checker = hub.visitors.jobs
        return checker.claims(token) if checker else None

    async def answer(request: Request) -> Response:
        claims = await anyio.to_thread.run_sync(checked, bearer(request), limiter=limiter)
        if claims is None:
            return problem(401, "this is not the token of a job that is known here")
        body = await _body(request, MOST_SENT)
        if body is None:
            return problem(413, f"the body has more than {MOST_SENT} bytes")
        message = msgspec.json.decode(body, type=PublishMessage)
        repositories = hub.registry.repositories.values()
        repository, why_not = published_by(claims, repositories, message.commit)
        if repository is None:
            return problem(403, why_not)
        receive = partial(Taker(hub.engine, "").receive, repository, message.tree())
        taken, wanted = await anyio.to_thread.run_sync(receive, limiter=limiter)
        return _json(
            PublishAnswer(
                repository.name, tuple(wanted), taken.new, taken.gone, len(taken.held),
                taken.published,
            )
        )  # fmt: skip

    return answer


def _pushed(hub: Hub, limiter: anyio.CapacityLimiter) -> Endpoint:
    async def answer(request: Request) -> Response:
        body = await _body(request, _MOST_PUSHED)
        if body is None:
            return problem(413, f"the body has more than {_MOST_PUSHED} bytes")
        headers = {name.lower(): value for name, value in request.headers.items()}
        if not is_signed(headers, body, hub.secret):
            return problem(401, "this message is not signed with the hub's secret")
        registry = hub.registry
        what, repository = what_happened(headers, body, registry.repositories.values())
        if what == RIGHTS and (permissions := hub.visitors.permissions):
            permissions.forget(repository.name if repository else "")
        if repository is None:
            return _json({"repository": None}, 202)
        if what == DELETED:
            registry.remove(repository.name)
            await anyio.to_thread.run_sync(_drop, hub.engine, repository.name, limiter=limiter)
        elif what == PRIVATE:
            registry.add(repository._replace(internal=False))
            await anyio.to_thread.run_sync(_hide, hub.engine, repository.name, limiter=limiter)
        elif what == PUSHED:
            hub.upkeep.pushed(repository.name)
        return _json({"repository": repository.name}, 202)

    return answer


def _status(hub: Hub, limiter: anyio.CapacityLimiter) -> Endpoint:
    async def answer(request: Request) -> Response:
        who, visible = await hub.seen_by(request)
        if not who:
            return problem(401, _UNKNOWN)
        heads = await anyio.to_thread.run_sync(hub.engine.heads, limiter=limiter)
        heads_shown = {
            name: head
            for name, head in sorted(heads.items())
            if name in visible.repositories or (visible.internal and head.internal)
        }
        return _json(
            {
                "repositories": [
                    {"name": name, "commit": head.commit, "taken": head.taken}
                    for name, head in heads_shown.items()
                ]
            }
        )

    return answer


async def _refused(_: Request, error: Exception) -> Response:
    return of_error(cast("GitmemError", error))


async def _unreadable(_: Request, error: Exception) -> Response:
    return problem(422 if isinstance(error, msgspec.ValidationError) else 400, str(error))


def _drop(engine: Engine, name: str) -> None:
    with engine.writing():
        gone = engine.drop(name)
    engine.audit("webhook", "deleted", name, gone)


def _hide(engine: Engine, name: str) -> None:
    with engine.writing():
        if head := engine.heads().get(name):
            engine.took(name, head._replace(internal=False))
    engine.audit("webhook", "made private", name, 0)


async def _body(request: Request, most: int) -> bytes | None:
    body = bytearray()
    async for chunk in request.stream():
        body += chunk
        if len(body) > most:
            return None
    return bytes(body)


def _json(content: object, status: int = 200) -> Response:
    headers = {"cache-control": "no-store", "x-content-type-options": "nosniff"}
    return Response(msgspec.json.encode(content), status, headers, media_type="application/json")
