"""Who gets in: a browser that opened the address with the token, on this machine.

The token comes once in the address, as notebooks do it, and is kept in a cookie that no request
of another site bears. What writes also needs the page's own form token. Every answer forbids the
browser to load or run anything that is not the page's own.
"""

import hashlib
import hmac
import re
from http.cookies import CookieError, SimpleCookie
from typing import TYPE_CHECKING, Final
from urllib.parse import parse_qsl, quote, urlencode

from gitmem.hosting import guard
from gitmem.serve.api import ADDRESS
from gitmem.serve.api.problems import problem

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

_HEADERS: Final = {
    "content-security-policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:;"
        " connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    ),
    "x-content-type-options": "nosniff",
    # With no-referrer, a browser sends the page's own forms with the origin "null".
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "x-frame-options": "DENY",
}
_CACHING: Final = "private, no-cache"
"""The browser may keep an answer, but asks each time whether it still holds."""
_SEE_OTHER: Final = 303
_BAD: Final = 400
_NUL: Final = re.compile(rb"\0|%00")
"""What no file, record or word of a search is named by, and no system call takes."""
_REASONS: Final = {
    _BAD: "An address has no zeros.",
    guard.UNAUTHORISED: "Open the address that gitmem serve printed: it holds the token.",
    guard.FORBIDDEN: "A page of another site may not ask here.",
    guard.MISDIRECTED: "This host is not served here.",
}
_HINT: Final = "send the token that gitmem serve printed as Authorization: Bearer"


class Access:
    """The application behind its token.

    Args:
        inner: what answers whoever gets in. Its scope's ``form_token`` is what forms must bear.
        token: the secret.
        port: cookies are shared by all ports of a machine, so its name bears the port.
        hosts: names under which it may be asked, beside addresses.

    """

    def __init__(self, inner: "ASGIApp", token: str, port: int, hosts: frozenset[str]) -> None:
        self._inner = inner
        self._token = token
        self._hosts = hosts
        self._cookie = f"gitmem-{port}"
        self._pass = _derived(token, "cookie")
        self._form = _derived(token, "form")

    async def __call__(self, scope: "Scope", receive: "Receive", send: "Send") -> None:
        """Answer a request, or refuse it."""
        if scope["type"] == "lifespan":
            await self._inner(scope, receive, send)
            return
        if scope["type"] != "http":
            return
        headers = dict(scope["headers"])
        if "\0" in scope["path"] or _NUL.search(scope["query_string"]):
            await _refuse(scope, receive, send, _BAD)
            return
        refused = guard.refused_place(headers, self._hosts) or _refused_site(headers)
        if not refused and await self._took_token(scope, send):
            return
        if not (refused or self._has_pass(headers) or guard.bears(headers, self._token)):
            refused = guard.UNAUTHORISED
        if refused:
            await _refuse(scope, receive, send, refused)
            return
        scope["form_token"] = self._form
        scope["by_token"] = guard.bears(headers, self._token)
        await self._inner(scope, receive, with_headers(send))

    async def _took_token(self, scope: "Scope", send: "Send") -> bool:
        """Swap the token of an address for a cookie, so that no history or log keeps it."""
        query = parse_qsl(scope["query_string"].decode("latin-1"), keep_blank_values=True)
        given = dict(query).get("token", "")
        if scope["method"] != "GET" or not hmac.compare_digest(
            given.encode(), self._token.encode()
        ):
            return False
        rest = urlencode([(name, value) for name, value in query if name != "token"])
        # A path of two slashes would name another host.
        # Browsers take a backslash for a slash, so it is written out, as is all else.
        path = "/" + quote(scope["path"].lstrip("/\\"), safe="/:@!$&'()*+,;=~-._")
        cookie = f"{self._cookie}={self._pass}; Path=/; HttpOnly; SameSite=Strict"
        await _answer(
            send, _SEE_OTHER, "",
            {"location": path + (f"?{rest}" if rest else ""), "set-cookie": cookie},
        )  # fmt: skip
        return True

    def _has_pass(self, headers: dict[bytes, bytes]) -> bool:
        try:
            cookies = SimpleCookie(headers.get(b"cookie", b"").decode("latin-1"))
        except CookieError:
            return False
        given = cookies[self._cookie].value if self._cookie in cookies else ""
        return hmac.compare_digest(given.encode(), self._pass.encode())


def _derived(token: str, purpose: str) -> str:
    """Make another secret of the token: who sees it does not learn the token."""
    return hmac.new(token.encode(), purpose.encode(), hashlib.sha256).hexdigest()


def _refused_site(headers: dict[bytes, bytes]) -> int:
    """Refuse what a browser says another site asked for; other programs say nothing of it."""
    return guard.FORBIDDEN if headers.get(b"sec-fetch-site") == b"cross-site" else 0


def with_headers(send: "Send") -> "Send":
    """Forbid the browser to load or run anything that is not the page's own."""

    async def sending(message: "Message") -> None:
        if message["type"] == "http.response.start":
            given = list(message.get("headers", ()))
            names = {name for name, _ in given}
            extra = {**_HEADERS, "cache-control": _CACHING}
            given += [
                (name.encode(), value.encode())
                for name, value in extra.items()
                if name.encode() not in names
            ]
            message = {**message, "headers": given}
        await send(message)

    return sending


async def _refuse(scope: "Scope", receive: "Receive", send: "Send", status: int) -> None:
    """Say why nothing is answered: to programs as they read it, to people as a line of text."""
    if scope["path"].startswith(f"{ADDRESS}/"):
        hint = _HINT if status == guard.UNAUTHORISED else ""
        await problem(status, _REASONS[status], hint)(scope, receive, with_headers(send))
    else:
        await _answer(send, status, f"{_REASONS[status]}\n")


async def _answer(
    send: "Send", status: int, text: str, headers: dict[str, str] | None = None
) -> None:
    all_headers = {
        "content-type": "text/plain; charset=utf-8", "cache-control": "no-store",
        **_HEADERS, **(headers or {}),
    }  # fmt: skip
    encoded = [(name.encode(), value.encode("latin-1")) for name, value in all_headers.items()]
    await send({"type": "http.response.start", "status": status, "headers": encoded})
    await send({"type": "http.response.body", "body": text.encode()})
