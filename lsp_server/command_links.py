"""Markdown links that run a command of the server, for clients that allow such links."""

import json
from urllib.parse import quote

from gitmem.render.match_markdown import Link, no_link


def command_link(title: str, command: str, record: str) -> str:
    """Make a link that runs a command on a record."""
    arguments = quote(json.dumps([record]), safe="")
    return f'[{title}](command:gitmem.{command}?{arguments} "{quote(record)}")'


def link_for(*, wanted: bool) -> Link:
    """Give what makes links: nothing clickable where the client did not ask for it."""
    return command_link if wanted else no_link
