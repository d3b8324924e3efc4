"""The languages that pages are written in: English, and those with a table in ``texts``.

A table gives each text its translation, by the English text itself. What people and programs wrote
(records, messages of the core) stays as it is.
"""

import os
from collections.abc import Mapping
from functools import cache
from typing import Final
from urllib.parse import urlencode

import msgspec
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

NAMES: Final = {"en": "English", "de": "Deutsch"}
"""What each language calls itself; the first is spoken to whoever asks for none of them."""
_FOLDER: Final = os.path.join(os.path.dirname(__file__), "texts")
_COOKIE: Final = "gitmem-language"
_ASKED: Final = "language"
_YEAR: Final = 365 * 24 * 60 * 60


class Texts:
    """The texts of one language.

    Args:
        language: a key of ``NAMES``.

    """

    def __init__(self, language: str) -> None:
        self.language = language
        self._table = table(language)

    def text(self, english: str) -> str:
        """Give a text; in English where the table has none, as of a word that a record made up."""
        return self._table.get(english) or english

    def counted(self, singular: str, plural: str, number: int) -> str:
        """Give a text about a number of things."""
        return self.text(singular if number == 1 else plural)


@cache
def table(language: str) -> Mapping[str, str]:
    """Read the translations into a language, by the English text."""
    if language == next(iter(NAMES)):
        return {}
    with open(os.path.join(_FOLDER, f"{language}.json"), "rb") as file:
        return msgspec.json.decode(file.read(), type=dict[str, str])


def of_request(request: Request) -> str:
    """Give the language of an answer: the one chosen on the page, else the browser's."""
    chosen = request.cookies.get(_COOKIE, "")
    return chosen if chosen in NAMES else _preferred(request.headers.get("accept-language", ""))


def _preferred(header: str) -> str:
    """Give the first of our languages in a browser's list, which says by ``q`` what it prefers."""
    wanted: list[tuple[float, str]] = []
    for part in header.split(","):
        name, _, weight = part.strip().partition(";")
        try:
            quality = float(weight.strip().removeprefix("q=") or 1)
        except ValueError:
            continue
        wanted.append((-quality, name.strip().partition("-")[0].lower()))
    ours = [name for quality, name in sorted(wanted, key=lambda pair: pair[0])
             if quality and name in NAMES]  # fmt: skip
    return ours[0] if ours else next(iter(NAMES))


def switches(request: Request) -> list[tuple[str, str, str]]:
    """Give a link to this page in each other language: its key, its name, the address."""
    here = of_request(request)
    query = [(name, value) for name, value in request.query_params.multi_items() if name != _ASKED]
    return [
        (language, name, "?" + urlencode([*query, (_ASKED, language)]))
        for language, name in NAMES.items()
        if language != here
    ]


def switched(request: Request) -> Response | None:
    """Remember the language that such a link asks for, and go on to the page; None: none does."""
    chosen = request.query_params.get(_ASKED, "")
    if request.method != "GET" or chosen not in NAMES:
        return None
    query = [(name, value) for name, value in request.query_params.multi_items() if name != _ASKED]
    # A path of two slashes would name another host.
    path = "/" + request.url.path.lstrip("/")
    answer = RedirectResponse(path + (f"?{urlencode(query)}" if query else ""), status_code=303)
    answer.set_cookie(_COOKIE, chosen, max_age=_YEAR, httponly=True, samesite="strict")
    return answer
