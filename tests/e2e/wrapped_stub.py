"""A small language server for tests of the wrapper, run as a program: it does what it is told.

It publishes an error on each line that holds ``undefined_name``, with ``--pulled`` only when it is
asked; it answers hovers, and has commands: ``stub.die`` ends it, ``stub.texts`` gives the texts.
"""

import json
import os
import sys
from typing import Any

HOVERS = {"contents": {"kind": "plaintext", "value": "from the stub"}}


def read() -> dict[str, Any] | None:
    """Read a message; None: there are no more."""
    length = 0
    while line := sys.stdin.buffer.readline():
        if line.lower().startswith(b"content-length:"):
            length = int(line.partition(b":")[2])
        elif not line.strip():
            message = json.loads(sys.stdin.buffer.read(length))
            assert isinstance(message, dict)
            return message
    return None


def send(message: dict[str, Any]) -> None:
    """Send a message, its id last, as some servers do."""
    body = json.dumps({"jsonrpc": "2.0", **message}).encode()
    sys.stdout.buffer.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
    sys.stdout.buffer.flush()


def errors_in(text: str) -> list[dict[str, Any]]:
    """Give an error for each line that is bad."""
    return [
        {"range": {"start": {"line": number, "character": 6},
                   "end": {"line": number, "character": 20}},
         "severity": 1, "source": "Pyright", "code": "reportUndefinedVariable",
         "message": '"undefined_name" is not defined'}
        for number, line in enumerate(text.splitlines()) if "undefined_name" in line
    ]  # fmt: skip


def publish(uri: str, text: str) -> None:
    """Publish the errors of a text."""
    params = {"uri": uri, "diagnostics": errors_in(text)}
    send({"method": "textDocument/publishDiagnostics", "params": params})


def _pulled(method: object, document: dict[str, Any], texts: dict[str, str]) -> Any:
    """Answer who asks for diagnostics; None: another thing was asked."""
    if method != "textDocument/diagnostic":
        return None
    return {"kind": "full", "items": errors_in(texts[document["uri"]])}


def main() -> None:
    """Serve until the end."""
    capabilities: dict[str, Any] = {
        "textDocumentSync": 1, "hoverProvider": True, "completionProvider": {},
        "codeActionProvider": {"resolveProvider": True}, "positionEncoding": "utf-16",
        "executeCommandProvider": {"commands": ["stub.die", "stub.texts"]},
    }  # fmt: skip
    texts: dict[str, str] = {}
    while message := read():
        method, params = message.get("method"), message.get("params") or {}
        document = params.get("textDocument", {}) if isinstance(params, dict) else {}
        result: Any = _pulled(method, document, texts)
        if method == "initialize":
            result = {"capabilities": capabilities, "serverInfo": {"name": "stub"}}
        elif method in ("textDocument/didOpen", "textDocument/didChange"):
            changes = params.get("contentChanges") or [document]
            texts[document["uri"]] = changes[-1]["text"]
            if "--pulled" not in sys.argv:
                publish(document["uri"], texts[document["uri"]])
        elif method == "textDocument/hover":
            result = HOVERS if params["position"]["line"] else None
        elif method == "textDocument/completion":
            result = [{"label": "x" * 40, "detail": str(number)} for number in range(2000)]
        elif method == "textDocument/codeAction":
            result = [{"title": "of the stub", "kind": "quickfix", "data": 1}]
        elif method == "codeAction/resolve":
            result = {**params, "edit": {}, "resolved": "by the stub"}
        elif method == "workspace/executeCommand" and params["command"] == "stub.texts":
            result = texts
        elif method == "exit" or params == {"command": "stub.die", "arguments": []}:
            os._exit(0 if method == "exit" else 3)
        if "id" in message and method:
            send({"result": result, "id": message["id"]})


if __name__ == "__main__":
    main()
