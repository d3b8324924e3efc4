"""How a browser says who asks: by a personal token, which it keeps in a cookie.

Where ``hub.yaml`` names a header, the organisation's proxy says who is signed in instead.

No request of another site bears that cookie, and no script can read it. Programs send their token
as ``Authorization: Bearer``; of cookie and header the interface for programs knows nothing.
"""

import re
from http import HTTPStatus
from typing import TYPE_CHECKING, Final
from urllib.parse import parse_qs, urlsplit

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from gitmem.parts.hub.protocol import Seen
from gitmem.serve import view

if TYPE_CHECKING:
    from gitmem.parts.hub.web.shared import Hub

ADDRESS: Final = "/sign-in"
_COOKIE: Final = "gitmem-hub"
_MOST_BYTES: Final = 8_192
_TOKEN: Final = re.compile(r"[\w.~+/=-]{1,4000}", re.ASCII)
_LOOPBACK: Final = frozenset({"localhost", "127.0.0.1", "::1"})
_OURS: Final = frozenset({"same-origin", "none"})


async def visitor(hub: "Hub", request: Request) -> tuple[str, Seen]:
    """Say who asks for a page, and what they may see; of an unknown one, nobody and nothing."""
    if (header := hub.registry.signed_in) and (user := request.headers.get(header, "")):
        return user, hub.visitors.seen_as(user)
    who, visible = await hub.seen_by(request)
    if who or not (token := request.cookies.get(_COOKIE, "")):
        return who, visible
    return await hub.seen_with(token)


def ask(request: Request, message: str = "", back: str = "") -> Response:
    """Give the page that asks for a token, and leads back to the page that was asked for."""
    query = f"?{request.url.query}" if request.url.query else ""
    values = {"message": message, "back": back or request.url.path + query, "who": ""}
    return view.page(
        request, "hub_sign_in.html", {**values, "organisation": True}, HTTPStatus.UNAUTHORIZED
    )


async def sign_in(hub: "Hub", request: Request) -> Response:
    """Keep the token of the form, if somebody has it."""
    if not _is_own(request):
        return Response("A page of another site may not ask here.\n", HTTPStatus.FORBIDDEN)
    body = bytearray()
    async for chunk in request.stream():
        body += chunk
        if len(body) > _MOST_BYTES:
            return Response(status_code=HTTPStatus.REQUEST_ENTITY_TOO_LARGE)
    form = parse_qs(bytes(body).decode("ascii", "replace"))
    token, back = (form.get(name, [""])[-1].strip() for name in ("token", "back"))
    # A path of two slashes would name another host.
    place = "/" + back.replace("\\", "/").lstrip("/")
    who, _ = await hub.seen_with(token) if _TOKEN.fullmatch(token) else ("", None)
    if not who:
        return ask(request, "This token is not known here.", place)
    answer = RedirectResponse(place, HTTPStatus.SEE_OTHER)
    answer.set_cookie(
        _COOKIE, token, httponly=True, samesite="strict", secure=not _is_loopback(request)
    )
    return answer


def sign_out(request: Request) -> Response:
    """Forget the token."""
    if not _is_own(request):
        return Response("A page of another site may not ask here.\n", HTTPStatus.FORBIDDEN)
    answer = RedirectResponse("/", HTTPStatus.SEE_OTHER)
    answer.delete_cookie(
        _COOKIE, httponly=True, samesite="strict", secure=not _is_loopback(request)
    )
    return answer


def _is_own(request: Request) -> bool:
    """Tell whether a form is of this hub's own pages: else a site could sign somebody in."""
    if site := request.headers.get("sec-fetch-site"):
        return site in _OURS
    origin = request.headers.get("origin", "")
    return not origin or urlsplit(origin).netloc == request.headers.get("host", "")


def _is_loopback(request: Request) -> bool:
    return request.url.hostname in _LOOPBACK
