"""The wrapped server's diagnostics, which ours looks up; an editor is shown those of both."""

import json
from collections.abc import Callable
from typing import Any, Final

from lsprotocol import types

_PUBLISH: Final = types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS
LOOKED_UP: Final = "gitmem/diagnostics"


class DiagnosticsOfBoth:
    """Hands diagnostics on to the editor and to ours, on the event loop.

    An editor keeps one list for each document and server: ours would replace the other one.

    Args:
        to_editor: sends a message to the editor.
        to_ours: gives a message to our server.

    """

    def __init__(
        self, to_editor: Callable[[bytes], None], to_ours: Callable[[dict[str, Any]], None]
    ) -> None:
        self._to_editor, self._to_ours = to_editor, to_ours
        self._ours: dict[str, list[Any]] = {}
        self._theirs: dict[str, list[Any]] = {}

    def shares(self, params: Any) -> bool:  # noqa: ANN401  as it came
        """Tell whether ours published something about the same document; from any thread."""
        return isinstance(params, dict) and params.get("uri") in self._ours

    def theirs(self, params: Any) -> None:  # noqa: ANN401  as it came
        """Take what the wrapped server published, which the editor has unless it is shared."""
        if not isinstance(params, dict) or not isinstance(params.get("uri"), str):
            return
        diagnostics = params.get("diagnostics")
        self._theirs[params["uri"]] = diagnostics if isinstance(diagnostics, list) else []
        if self.shares(params):
            self._publish(params)
        self.look_up(params)

    def look_up(self, params: dict[str, Any]) -> None:
        """Let ours look up the diagnostics of a document."""
        self._to_ours({"jsonrpc": "2.0", "method": LOOKED_UP, "params": params})

    def ours(self, params: dict[str, Any]) -> None:
        """Take what ours published: about record files, and hints on what a change takes back."""
        self._ours[params["uri"]] = params["diagnostics"]
        self._publish(params)

    def _publish(self, params: dict[str, Any]) -> None:
        uri = params["uri"]
        both = [*self._theirs.get(uri, ()), *self._ours.get(uri, ())]
        message = {"jsonrpc": "2.0", "method": _PUBLISH, "params": {**params, "diagnostics": both}}
        self._to_editor(json.dumps(message, ensure_ascii=False).encode())


def pulled(uri: str, result: Any) -> "list[dict[str, Any]]":  # noqa: ANN401  as it came
    """Give what the answer to a request for diagnostics says of documents, as it is published.

    Args:
        uri: of the document that was asked about; empty: of the whole workspace.
        result: the answer; documents without news are left out.

    """
    if not isinstance(result, dict):
        return []
    related = result.get("relatedDocuments")
    reports = [{"uri": uri, **result}] if uri else list(result.get("items") or ())
    if isinstance(related, dict):
        reports += [{"uri": other, **report} for other, report in related.items()]
    return [
        {"uri": report["uri"], "version": report.get("version"), "diagnostics": report["items"]}
        for report in reports
        if isinstance(report, dict) and report.get("kind") == "full" and "items" in report
    ]
