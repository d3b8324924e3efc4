"""The pages of an organisation: each is made for whoever asks, of what they may see."""

import os
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from functools import partial
from http import HTTPStatus
from typing import TYPE_CHECKING, Any, Final

import anyio
import anyio.to_thread
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles

from gitmem.errors import GitmemError, NotFoundError
from gitmem.parts.hub import organisation
from gitmem.parts.hub.protocol import Seen
from gitmem.parts.hub.web import sign_in
from gitmem.records.convert import to_data
from gitmem.render.page import FIRST, HEAD
from gitmem.render.record import BACK, RELATIONS
from gitmem.serve import languages, view
from gitmem.serve.api.problems import status_of
from gitmem.serve.pages.numbers import number_of
from gitmem.serve.pages.record import fields

if TYPE_CHECKING:
    from gitmem.parts.hub.web.shared import Hub

Values = dict[str, Any]
view.FOLDERS.append(os.path.join(os.path.dirname(os.path.dirname(__file__)), "templates"))
_Asking = Callable[["Hub", Request, Seen], Values]
_FEW: Final = 8
_MANY: Final = 40
_SHARED: Final = 15
"""Failures of one page: of each, records of several repositories are read."""
_NAMES: Final = 100
_MOST_PAGES: Final = 1_000
_DAYS: Final = (7, 30, 365)


def routes(hub: "Hub", limiter: anyio.CapacityLimiter) -> list[BaseRoute]:
    """Give the pages with their addresses.

    Args:
        hub: answers them.
        limiter: of questions at a time.

    """

    async def take_token(request: Request) -> Response:
        return await sign_in.sign_in(hub, request)

    pages: list[BaseRoute] = [
        Route(address, _page(hub, limiter, template, ask))
        for address, template, ask in (
            ("/", "hub_overview.html", _overview),
            ("/failures", "hub_failures.html", _failures),
            ("/fixes", "hub_fixes.html", _fixes),
            ("/repositories", "hub_repositories.html", _repositories),
            ("/search", "hub_search.html", _search),
            ("/r/{name:path}/record/{id}", "hub_record.html", _record),
            ("/r/{name:path}/", "hub_repository.html", _repository),
        )
    ]
    return [
        *pages,
        Route(sign_in.ADDRESS, take_token, methods=["POST"]),
        Route("/sign-out", sign_in.sign_out, methods=["POST"]),
        Mount("/static", StaticFiles(packages=[("gitmem.serve", "static")])),
    ]


def _page(
    hub: "Hub", limiter: anyio.CapacityLimiter, template: str, ask: _Asking
) -> Callable[[Request], Awaitable[Response]]:
    async def answer(request: Request) -> Response:
        if switched := languages.switched(request):
            return switched
        everywhere: Values = {"organisation": True, "who": ""}
        try:
            who, visible = await sign_in.visitor(hub, request)
            if not who:
                return sign_in.ask(request)
            everywhere["who"] = who
            asking = partial(ask, hub, request, visible)
            values = await anyio.to_thread.run_sync(asking, limiter=limiter)
        except GitmemError as error:
            missing = isinstance(error, NotFoundError)
            status = HTTPStatus.NOT_FOUND if missing else status_of(error)
            problem = {"message": error.message, "hint": error.hint}
            return view.page(request, "problem.html", {**everywhere, **problem}, status)
        return view.page(request, template, {**everywhere, **values})

    return answer


def _overview(hub: "Hub", _: Request, visible: Seen) -> Values:
    now = datetime.now(UTC)
    repositories = organisation.repositories(hub.engine, visible)
    return {
        "repositories": len(repositories),
        "largest": sorted(repositories, key=lambda repository: -repository.records)[:_MANY],
        "records": sum(repository.records for repository in repositories),
        "failures": organisation.shared_failures(hub.engine, visible, now, _DAYS[1], _FEW),
        "mended": organisation.mended(hub.engine, visible, _FEW),
    }


def _failures(hub: "Hub", request: Request, visible: Seen) -> Values:
    days = number_of(request.query_params.get("days"), _DAYS[1], _DAYS[-1])
    now = datetime.now(UTC)
    shared = organisation.shared_failures(hub.engine, visible, now, days, _SHARED)
    return {"days": days, "choices": _DAYS, "failures": shared}


def _repositories(hub: "Hub", request: Request, visible: Seen) -> Values:
    query = request.query_params.get("q", "").strip()
    page = number_of(request.query_params.get("page"), 1, _MOST_PAGES)
    every = [
        repository
        for repository in organisation.repositories(hub.engine, visible)
        if query.casefold() in repository.name.casefold()
    ]
    end = page * _NAMES
    return {
        "query": query,
        "number": len(every),
        "states": every[end - _NAMES : end],
        "more": page + 1 if end < len(every) else 0,
    }


def _fixes(hub: "Hub", _: Request, visible: Seen) -> Values:
    return {"mended": organisation.mended(hub.engine, visible, _MANY)}


def _search(hub: "Hub", request: Request, visible: Seen) -> Values:
    text = request.query_params.get("q", "").strip()
    if not text:
        return {"query": "", "stories": organisation.newest(hub.engine, visible, _MANY)}
    stories = organisation.search(hub.engine, text, visible, datetime.now(UTC), _MANY)
    return {"query": text, "stories": stories}


def _repository(hub: "Hub", request: Request, visible: Seen) -> Values:
    name = request.path_params["name"]
    head = hub.engine.heads().get(name)
    if head is None or not organisation.may_see(visible, name, head):
        raise NotFoundError("There is no such repository, or it is not yours to see.")
    # No more than this one of what they may see.
    only = Seen(repositories=frozenset({name}))
    (state,) = organisation.repositories(hub.engine, only)
    return {"state": state, "stories": organisation.newest(hub.engine, only, _MANY)}


def _record(hub: "Hub", request: Request, visible: Seen) -> Values:
    name, reference = request.path_params["name"], request.path_params["id"]
    foreign = organisation.record(hub.engine, name, reference, visible)
    data = to_data(foreign.story.record)
    first = [field for field in FIRST[foreign.story.record.kind] if field in data]
    if foreign.story.fixes:  # they are shown as what was tried
        links = tuple(link for link in foreign.backlinks if link[0] != "fixes")
        foreign = foreign._replace(backlinks=links)
    ordered = [*first, *(field for field in data if field not in first and field not in HEAD)]
    return {
        "page": foreign,
        "record": foreign.story.record,
        "stored": foreign.story.stored,
        "folder": hub.registry.repository(name).folder,
        "fields": list(fields({field: data[field] for field in ordered})),
        "relations": RELATIONS,
        "back": {**BACK, "fixes": "attempt"},
    }
