"""Two answers to one request as one: what the wrapped server said, and what the memory knows."""

from collections.abc import Callable
from typing import Any, Final, NamedTuple

from gitmem.render.markdown import fenced

MARK: Final = {"gitmem": True}
"""The data of what is ours in a list: the wrapped server is not asked to complete it."""
_RULE: Final = "\n\n---\n\n"


class Joining(NamedTuple):
    """How two answers become one.

    Attributes:
        capability: what a server announces that answers such requests.
        join: makes one of theirs and ours; neither is empty.
        seconds: that theirs waits for ours, once it is there.

    """

    capability: str
    join: Callable[[Any, Any], Any]
    seconds: float


def _hovers(theirs: Any, ours: Any) -> Any:  # noqa: ANN401  plain data
    texts = [_markdown(hover.get("contents")) for hover in (ours, theirs)]
    value = _RULE.join(text for text in texts if text.strip())
    where = ours.get("range") or theirs.get("range")
    contents = {"kind": "markdown", "value": value}
    return {"contents": contents, "range": where} if where else {"contents": contents}


def _markdown(contents: Any) -> str:  # noqa: ANN401  one of the forms that the protocol had
    """Write the contents of a hover as Markdown, whichever form they have."""
    if isinstance(contents, list):
        return "\n\n".join(filter(None, map(_markdown, contents)))
    if isinstance(contents, str):
        return contents
    if not isinstance(contents, dict) or not isinstance(contents.get("value"), str):
        return ""
    value: str = contents["value"]
    if "language" in contents:
        return fenced(value, str(contents["language"]))
    return value if contents.get("kind") == "markdown" else fenced(value)


def _lists(theirs: Any, ours: Any) -> Any:  # noqa: ANN401  plain data
    # A bare command has no data, and nobody completes it.
    marked = [
        item if isinstance(item.get("command"), str) else {**item, "data": MARK} for item in ours
    ]
    # What only writes something down is no answer to a problem: it comes after all that is one.
    records = [item for item in marked if _records(item)]
    return [*(item for item in marked if not _records(item)), *theirs, *records]


def _records(item: dict[str, Any]) -> bool:
    command = item.get("command")
    name = command.get("command") if isinstance(command, dict) else command
    return isinstance(name, str) and name.startswith("gitmem.record")


def _ours_first(_theirs: Any, ours: Any) -> Any:  # noqa: ANN401  plain data
    """Take ours: it is about an id of a record, where theirs sees a word."""
    return ours


JOINED: Final = {
    "textDocument/hover": Joining("hoverProvider", _hovers, 0.05),
    "textDocument/codeAction": Joining("codeActionProvider", _lists, 0.3),
    "textDocument/codeLens": Joining("codeLensProvider", _lists, 0.3),
    "textDocument/definition": Joining("definitionProvider", _ours_first, 0.05),
}
"""By method: the requests that both servers answer."""


def joined(method: str, theirs: Any, ours: Any) -> Any:  # noqa: ANN401  plain data
    """Make one answer of two."""
    if not ours or not theirs:
        return ours or theirs
    return JOINED[method].join(theirs, ours)


def is_ours(params: Any) -> bool:  # noqa: ANN401  plain data
    """Tell whether an action or a lens that is to be completed is one of ours."""
    return isinstance(params, dict) and params.get("data") == MARK
