"""Pages out of templates. All text of records is escaped: templates know no other way."""

import os
from collections.abc import Mapping
from datetime import UTC, date, datetime
from functools import cache
from typing import Any, Final
from urllib.parse import quote, urlencode

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from gitmem._version import __version__
from gitmem.render.page import field_name
from gitmem.render.text import one_line
from gitmem.serve import languages
from gitmem.serve.tagging import tagged

FOLDER: Final = os.path.join(os.path.dirname(__file__), "templates")
FOLDERS: Final = [FOLDER]
"""A part adds its own before it writes a page."""
_PART: Final = "hx-request"
_VARY: Final = f"accept-language, cookie, {_PART}"
_MOST_DAYS: Final = 60
_EDITOR: Final = "vscode://file"


def page(request: Request, template: str, values: Mapping[str, Any], status: int = 200) -> Response:
    """Write a page, in the language that is asked for."""
    repository = request.path_params.get("repository", "")
    language = languages.of_request(request)
    everywhere = {
        "repository": repository,
        "organisation": False,
        "root": f"/r/{quote(repository)}" if repository else "",
        "path": request.url.path,
        "form_token": request.scope.get("form_token", ""),
        "language": language,
        "switches": languages.switches(request),
        "whole": is_whole(request),
    }
    text = environment(language).get_template(template).render({**everywhere, **values})
    return tagged(
        request, HTMLResponse(text, status, {"content-language": language, "vary": _VARY})
    )


def is_whole(request: Request) -> bool:
    """Tell whether a whole page is asked for; else a script puts a part of it into one."""
    return _PART not in request.headers


@cache
def environment(language: str) -> Environment:
    """Make what renders templates in a language."""
    translating = Environment(
        loader=FileSystemLoader(FOLDERS),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        extensions=["jinja2.ext.i18n"],
    )
    texts = languages.Texts(language)
    install = translating.install_gettext_callables  # type: ignore[attr-defined]
    install(texts.text, texts.counted, newstyle=True)
    translating.filters["line"] = one_line
    translating.filters["word"] = texts.text
    translating.filters["field"] = lambda name: _field(texts, name)
    translating.filters["day"] = lambda moment: _ago(texts, str(moment))
    translating.filters["minute"] = lambda moment: _minute(texts, str(moment))
    translating.globals["version"] = __version__
    translating.globals["asking"] = lambda **query: urlencode(query)
    translating.globals["in_editor"] = in_editor
    return translating


def _field(texts: languages.Texts, name: str) -> str:
    """Name a field of a record in the reader's language."""
    spoken = texts.text(name.replace("_", " "))
    return field_name(name) if spoken == name.replace("_", " ") else spoken


def _ago(texts: languages.Texts, moment: str) -> str:
    """Say a date as people say it: today, so many days ago; farther away as it is written."""
    try:
        days = (datetime.now(UTC).date() - date.fromisoformat(moment[:10])).days
    except ValueError:
        return moment[:10]
    if not 0 <= days < _MOST_DAYS:
        return moment[:10]
    near = {0: "today", 1: "yesterday"}
    return texts.text(near[days]) if days in near else texts.text("%s days ago") % days


def _minute(texts: languages.Texts, moment: str) -> str:
    """Say a moment as people say it: the day, and the time on it in UTC."""
    return f"{_ago(texts, moment)} {moment[11:16]}".rstrip()


def in_editor(folder: str, path: str, line: int | None = None, column: int | None = None) -> str:
    """Give an address that opens a place of a work tree in the editor; empty: it is not in it.

    Args:
        folder: of the work tree, absolute.
        path: as a record has it, which anybody may have written.
        line: from 1; None: the whole file.
        column: from 1.

    """
    whole = os.path.normpath(os.path.join(folder, path))
    # Below ~ stands what a person has outside every repository.
    if (
        os.path.isabs(path)
        or not path
        or path.startswith("~/")
        or not whole.startswith(folder.rstrip(os.sep) + os.sep)
    ):
        return ""
    place = "".join(f":{number}" for number in (line, column) if number) if line else ""
    return f"{_EDITOR}{quote(whole.replace(os.sep, '/'))}{place}"
