"""Pages out of templates. All text of records is escaped: templates know no other way."""

import os
from collections.abc import Mapping
from functools import cache
from typing import Any, Final
from urllib.parse import quote, urlencode

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from starlette.requests import Request
from starlette.responses import HTMLResponse

from gitmem.render.text import one_line

_FOLDER: Final = os.path.join(os.path.dirname(__file__), "templates")


def page(
    request: Request, template: str, values: Mapping[str, Any], status: int = 200
) -> HTMLResponse:
    """Write a page; the part of it that a script asked for, if it did."""
    repository = request.path_params.get("repository", "")
    everywhere = {
        "repository": repository,
        "repositories": list(request.app.state.repositories.folders),
        "root": f"/r/{quote(repository)}" if repository else "",
        "path": request.url.path,
        "form_token": request.scope.get("form_token", ""),
    }
    text = _environment().get_template(template).render({**everywhere, **values})
    return HTMLResponse(text, status)


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=FileSystemLoader(_FOLDER),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["line"] = one_line
    environment.filters["day"] = lambda moment: str(moment)[:10]
    environment.filters["minute"] = lambda moment: str(moment)[:16].replace("T", " ")
    environment.globals["asking"] = lambda **query: urlencode(query)
    return environment
