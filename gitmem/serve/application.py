"""The web application: which address is answered by what."""

from collections.abc import Awaitable, Callable
from http import HTTPStatus
from typing import Final
from urllib.parse import quote

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from gitmem.errors import GitmemError
from gitmem.serve import languages, live, view
from gitmem.serve.access import Access
from gitmem.serve.api import ADDRESS
from gitmem.serve.api import routes as api
from gitmem.serve.api.problems import UNAVAILABLE, problem, status_of
from gitmem.serve.pages import api as api_page
from gitmem.serve.pages import (
    drafts,
    file,
    graph,
    health,
    new,
    overview,
    record,
    review,
    search,
    session,
    writing,
)
from gitmem.serve.repositories import Repositories

Endpoint = Callable[[Request], Awaitable[Response]]
_PAGES: Final[tuple[tuple[str, Endpoint], ...]] = (
    ("/", overview.page),
    ("/search", search.page),
    ("/record/{id}", record.page),
    ("/record/{id}/origin", record.origin),
    ("/new", new.page),
    ("/graph", graph.page),
    ("/sessions", session.sessions),
    ("/session/{id}", session.page),
    ("/file", file.page),
    ("/review", review.page),
    ("/drafts", drafts.page),
    ("/health", health.page),
    ("/health/stale", health.stale),
    ("/health/doctor", health.doctor),
    ("/live", live.stream),
)


def application(
    repositories: Repositories,
    token: str,
    port: int,
    hosts: frozenset[str] = frozenset(),
    *,
    writes: bool = False,
) -> Access:
    """Make the application.

    Args:
        repositories: the memories that it shows.
        token: the secret of who may ask.
        port: on which it is served.
        hosts: names under which it may be asked, beside ``localhost`` and addresses.
        writes: programs may write, too; the page's own forms always may.

    """
    app = Starlette(
        routes=[
            Route("/", _home),
            Mount("/static", StaticFiles(packages=[("gitmem.serve", "static")])),
            Route(f"{ADDRESS}/docs", api_page.page),
            Mount(ADDRESS, routes=api.routes(writes=writes)),
            *(Route(f"/r/{{repository}}{path}", _of_repository(page)) for path, page in _PAGES),
            *(
                Route(f"/r/{{repository}}{path}", _of_repository(form), methods=["POST"])
                for path, form in writing.FORMS
            ),
        ],
        exception_handlers={GitmemError: _problem, HTTPException: _not_there},
    )
    app.state.repositories = repositories
    app.state.writes = writes
    app.state.changes = live.Changes(repositories)
    return Access(app, token, port, hosts | {"localhost"})


async def _home(request: Request) -> Response:
    if answer := languages.switched(request):
        return answer
    names = list(request.app.state.repositories.folders)
    if len(names) == 1:
        return RedirectResponse(f"/r/{names[0]}/", status_code=303)
    return view.page(request, "repositories.html", {"repositories": names})


def _of_repository(page: Endpoint) -> Endpoint:
    async def answer(request: Request) -> Response:
        if request.path_params["repository"] not in request.app.state.repositories.folders:
            raise HTTPException(404)
        return languages.switched(request) or await page(request)

    return answer


async def _problem(request: Request, error: Exception) -> Response:
    """Say what is wrong and what to do, as the command line does."""
    status = status_of(error) if isinstance(error, GitmemError) else UNAVAILABLE
    values = {"message": str(error), "hint": getattr(error, "hint", "")}
    return view.page(request, "problem.html", values, status)


async def _not_there(request: Request, error: Exception) -> Response:
    status = getattr(error, "status_code", 500)
    if request.url.path.startswith(ADDRESS):
        return problem(status, str(getattr(error, "detail", "")))
    missing = status == HTTPStatus.NOT_FOUND
    message = "" if missing else str(getattr(error, "detail", ""))
    names = request.app.state.repositories.folders
    name = request.url.path.removeprefix("/r/").partition("/")[0]
    repository = name if name in names else next(iter(names)) if len(names) == 1 else ""
    where = {"repository": repository, "root": f"/r/{quote(repository)}" if repository else ""}
    return view.page(request, "problem.html", {"message": message, "hint": "", **where}, status)
