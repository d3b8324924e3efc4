"""Requests of programs: read what is asked, ask the memory, answer as JSON or with a problem."""

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any, Final

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from gitmem.errors import GitmemError
from gitmem.serve.api.openapi import document
from gitmem.serve.api.problems import of_error, problem
from gitmem.serve.api.verbs import VERBS, Verb
from gitmem.serve.tagging import tagged

if TYPE_CHECKING:
    from gitmem.serve.repositories import Repositories

MOST_BYTES: Final = 1 << 20
_JSON: Final = "application/json"


def routes(*, writes: bool) -> list[BaseRoute]:
    """Make the routes of the interface, relative to ``/api/v1``.

    Args:
        writes: verbs that write are allowed.

    """
    described = msgspec.json.encode(document(VERBS))

    async def openapi(request: Request) -> Response:
        return tagged(request, Response(described, media_type=_JSON))

    async def repositories(request: Request) -> Response:
        names = list(request.app.state.repositories.folders)
        return tagged(request, _json({"repositories": names}))

    by_path: dict[str, dict[str, Verb]] = {}
    for verb in VERBS:
        by_path.setdefault(verb.path, {})[verb.method] = verb
    return [
        Route("/openapi.json", openapi),
        Route("/repositories", repositories),
        *(
            Route(f"/{{repository}}{path}", _endpoint(verbs, writes=writes), methods=list(verbs))
            for path, verbs in by_path.items()
        ),
    ]


def _endpoint(verbs: dict[str, Verb], *, writes: bool) -> Callable[[Request], Awaitable[Response]]:
    async def answer(request: Request) -> Response:
        verb = verbs["GET" if request.method == "HEAD" else request.method]
        if verb.method != "GET" and not request.scope["by_token"]:
            return problem(401, "a page's cookie is not enough here",
                           "send the token as Authorization: Bearer")  # fmt: skip
        if verb.writes and not writes:
            return problem(403, "this server only reads", "start it with: gitmem serve --write")
        repositories: Repositories = request.app.state.repositories
        name = request.path_params["repository"]
        if name not in repositories.folders:
            return problem(404, f"no repository {name} is served here",
                           "GET /api/v1/repositories lists them")  # fmt: skip
        try:
            question = await _question(request, verb)
        except msgspec.ValidationError as error:
            return problem(422, str(error))
        except msgspec.DecodeError as error:
            return problem(400, f"the body is not JSON: {error}")
        except ValueError as error:
            return problem(413, str(error))
        names = dict(request.path_params)
        try:
            content = await repositories.ask(
                name, lambda memory: verb.answer(memory, question, names), writes=verb.writes
            )
        except GitmemError as error:
            return of_error(error)
        return tagged(request, _json(content, verb.status))

    return answer


async def _question(request: Request, verb: Verb) -> Any:  # noqa: ANN401  of the verb's type
    if verb.method in {"GET", "DELETE"}:
        return msgspec.convert(dict(request.query_params), verb.asks, strict=False)
    body = bytearray()
    async for chunk in request.stream():
        body += chunk
        if len(body) > MOST_BYTES:
            raise ValueError(f"the body has more than {MOST_BYTES} bytes")
    return msgspec.json.decode(bytes(body) or b"{}", type=verb.asks)


def _json(content: object, status: int = 200) -> Response:
    return Response(msgspec.json.encode(content), status, media_type=_JSON)
