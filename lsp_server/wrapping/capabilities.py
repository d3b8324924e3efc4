"""What both servers together announce to the editor."""

from typing import Any, Final

from lsp_server.wrapping.answers import JOINED

_INCREMENTAL: Final = 2


def encoding_of(result: dict[str, Any]) -> str:
    """Give the units in which a server counts columns."""
    return str(_capabilities(result).get("positionEncoding") or "utf-16")


def supports(result: dict[str, Any], method: str) -> bool:
    """Tell whether a server announced that it answers a request that both could answer."""
    return bool(_capabilities(result).get(JOINED[method].capability))


def together(theirs: dict[str, Any], ours: dict[str, Any]) -> dict[str, Any]:
    """Give one answer to ``initialize``: the wrapped server's, and what ours adds to it."""
    if not theirs:
        return ours  # there is no other one
    joined, own = dict(_capabilities(theirs)), _capabilities(ours)
    for joining in JOINED.values():
        name = joining.capability
        joined[name] = _both(joined.get(name), own.get(name))
    joined["executeCommandProvider"] = _both(
        joined.get("executeCommandProvider"), own.get("executeCommandProvider")
    )
    joined["textDocumentSync"] = _sync(joined.get("textDocumentSync"))
    return {**theirs, "capabilities": {name: value for name, value in joined.items() if value}}


def _both(theirs: Any, ours: Any) -> Any:  # noqa: ANN401  a switch or options
    """Join what two servers say of one request; lists of theirs go on with ours."""
    if not isinstance(theirs, dict) or not isinstance(ours, dict):
        # A plain yes limits nothing, where options may.
        return theirs if theirs is True else theirs or ours
    lists = {
        name: list(dict.fromkeys([*theirs.get(name, ()), *value]))
        for name, value in ours.items()
        if isinstance(value, list) and (name in theirs or name == "commands")
    }
    return {**ours, **theirs, **lists}


def _sync(theirs: Any) -> Any:  # noqa: ANN401  a number or options
    """See to it that the editor sends texts: ours reads them, whatever the other one wants."""
    if isinstance(theirs, dict):
        return {**theirs, "openClose": True, "change": theirs.get("change") or _INCREMENTAL}
    return theirs or {"openClose": True, "change": _INCREMENTAL, "save": True}


def _capabilities(result: dict[str, Any]) -> dict[str, Any]:
    capabilities = result.get("capabilities")
    return capabilities if isinstance(capabilities, dict) else {}
