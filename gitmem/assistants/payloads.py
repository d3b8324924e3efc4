"""What assistants told their hooks when they were run, with other folders, commands and outputs."""

import json
import os
import re
from functools import cache
from typing import Any, Final

_CODE: Final = re.compile(r"(?i)(exit code:? )1\b")


@cache
def _all() -> dict[str, dict[str, dict[str, Any]]]:
    path = os.path.join(os.path.dirname(__file__), "payloads.json")
    with open(path, encoding="utf-8") as file:
        payloads: dict[str, dict[str, dict[str, Any]]] = json.load(file)
    return payloads


def kinds(client: str) -> tuple[str, ...]:
    """Name what is there of an assistant: session, begins, red, green, and mostly stop."""
    return (*_all()[client],)


def payload(
    client: str, kind: str, folder: str, command: str = "", output: str = "", code: int = 0
) -> dict[str, Any]:
    """Give what an assistant says of an event.

    Args:
        client: the assistant.
        kind: one of ``kinds``.
        folder: where it works.
        command: what its shell ran.
        output: what that printed.
        code: how it ended.

    """
    values = {"@FOLDER@": folder, "@COMMAND@": command, "@OUTPUT@": output}

    def filled(value: Any) -> Any:  # noqa: ANN401  any value
        if isinstance(value, dict):
            return {key: filled(inner) for key, inner in value.items()}
        if not isinstance(value, str):
            return value
        if value.startswith('{"exitCode"'):  # JSON within JSON
            return json.dumps(filled({**json.loads(value), "exitCode": code}))
        value = _CODE.sub(rf"\g<1>{code}", value)
        for name, text in values.items():
            value = value.replace(name, text)
        return value

    answer: dict[str, Any] = filled(_all()[client][kind])
    response = answer.get("tool_response")
    if isinstance(response, dict) and "exit" in response:
        response["exit"] = code
    return answer
