"""The hub over HTTP: for programs ``/hub/v1``, for people its pages. Every question has a token."""

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
from gitmem.hub.messages import AlikeQuestion, WordsQuestion
from gitmem.parts.hub.jobs import MOST_SENT, PublishAnswer, PublishMessage, numbers_of, published_by
from gitmem.parts.hub.protocol import Engine
from gitmem.parts.hub.taking import Taker
from gitmem.parts.hub.web import pages
from gitmem.parts.hub.web.shared import Hub, bearer
from gitmem.parts.hub.web.webhooks import DELETED, PRIVATE, PUSHED, RIGHTS, is_signed, what_happened
from gitmem.serve.access import with_headers
from gitmem.serve.api.problems import of_error, problem

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Receive, Scope, Send

_MOST_BYTES: Final = 1 << 16
_MOST_PUSHED: Final = 1 << 22
_UNKNOWN: Final = "this token is not known here"

Endpoint = Callable[[Request], Awaitable[Response]]


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
        exception_handlers={
            GitmemError: _refused,
            msgspec.MsgspecError: _unreadable,
            RecursionError: _unreadable,
        },
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
        numbers = numbers_of(claims)
        if not hub.recognises(repository, numbers.host_id):
            return problem(403, repository.replaced.message, repository.replaced.hint)
        sent = message.tree(numbers.run)
        receive = partial(Taker(hub.engine, "").receive, repository, sent)
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
        repositories = hub.registry.repositories.values()
        what, repository, host_id = what_happened(headers, body, repositories)
        if what == RIGHTS and (permissions := hub.visitors.permissions):
            permissions.forget(repository.name if repository else "")
        if repository is None:
            return _json({"repository": None}, 202)
        if what in {DELETED, PRIVATE} and host_id not in {0, repository.host_id or host_id}:
            return _json({"repository": None}, 202)  # of one that had the name before
        if not hub.recognises(repository, host_id):
            return of_error(repository.replaced)
        if what == DELETED:
            hub.registry.remove(repository.name)
            await anyio.to_thread.run_sync(_drop, hub.engine, repository.name, limiter=limiter)
        elif what == PRIVATE and repository.internal:
            hub.registry.add(repository._replace(internal=False))
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
