"""Markdown links that run a command or open a file, for clients that allow such links."""

import json
import os
from typing import TYPE_CHECKING
from urllib.parse import quote

from pygls.uris import from_fs_path

from gitmem.render.match_markdown import Link, no_link

if TYPE_CHECKING:
    from gitmem.render.page import PlaceLink


def command_link(title: str, command: str, record: str) -> str:
    """Make a link that runs a command on a record."""
    arguments = quote(json.dumps([record]), safe="")
    return f'[{title}](command:gitmem.{command}?{arguments} "{quote(record)}")'


def link_for(*, wanted: bool) -> Link:
    """Give what makes links: nothing clickable where the client did not ask for it."""
    return command_link if wanted else no_link


def place_links(root: str, *, wanted: bool) -> "PlaceLink":
    """Give what makes links to lines of files; only files that are there, in a folder, have one.

    Args:
        root: the folder that paths in records are relative to.
        wanted: the client runs commands that links name.

    """
    top = os.path.join(os.path.realpath(root), "")

    def link(title: str, file: str, line: int) -> str:
        if not wanted:
            return ""
        path = os.path.realpath(os.path.join(root, file))
        if not path.startswith(top) or not os.path.isfile(path):
            return ""
        arguments = quote(json.dumps([from_fs_path(path), line]), safe="")
        return f"[{title}](command:gitmem.openPlace?{arguments})"

    return link
