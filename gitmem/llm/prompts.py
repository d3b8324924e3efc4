"""Prompts: files with a version, instructions and worked examples. See ``prompts/*.md``."""

import json
import os
import re
from collections.abc import Mapping
from functools import cache
from typing import Any, Final, NamedTuple

_FOLDER: Final = os.path.join(os.path.dirname(os.path.abspath(__file__)), "prompts")
_VERSION: Final = re.compile(r"\A<!-- version: (\d+) -->\n")
_PART: Final = re.compile(r"^# (Example question|Example answer)\n", re.MULTILINE)
_ESCAPED: Final = str.maketrans({"<": "\\u003c", ">": "\\u003e", "&": "\\u0026"})


class Message(NamedTuple):
    """One turn of a conversation; ``role`` is system, user or assistant."""

    role: str
    content: str


class Prompt(NamedTuple):
    """A prompt.

    Attributes:
        name: of its file.
        version: counts up when its words or its form change.
        instructions: what the model shall do.
        examples: questions with their answers, in turns.

    """

    name: str
    version: int
    instructions: str
    examples: tuple[Message, ...]


@cache
def prompt(name: str) -> Prompt:
    """Read a prompt of ours.

    Raises:
        ValueError: the file is not in the form of a prompt.

    """
    with open(os.path.join(_FOLDER, f"{name}.md"), encoding="utf-8") as file:
        text = file.read()
    version = _VERSION.match(text)
    parts = _PART.split(text[version.end() :]) if version else []
    heads = parts[1::2]
    if version is None or heads != ["Example question", "Example answer"] * (len(heads) // 2):
        raise ValueError(f"{name}: no version, or examples that are no pairs")
    examples = []
    for head, body in zip(heads, parts[2::2], strict=True):
        if head == "Example question":
            examples.append(Message("user", data_block(json.loads(body))))
        else:
            examples.append(Message("assistant", json.dumps(json.loads(body), ensure_ascii=False)))
    return Prompt(name, int(version[1]), parts[0].strip(), tuple(examples))


def messages(
    prompt: Prompt, material: Mapping[str, Any], schema: Mapping[str, Any]
) -> list[Message]:
    """Put a question together.

    Args:
        prompt: the prompt.
        material: what it is about: plain data, without secrets. It stays inside of its block.
        schema: of the answer; named in words too, for servers without structured output.

    """
    form = json.dumps(schema, ensure_ascii=False, separators=(",", ":"))
    head = f"{prompt.instructions}\n\nAnswer with one JSON object of this schema:\n{form}"
    return [Message("system", head), *prompt.examples, Message("user", data_block(material))]


def data_block(material: Mapping[str, Any]) -> str:
    """Quote data: JSON in which no text can end the block."""
    text = json.dumps(material, ensure_ascii=False, indent=1).translate(_ESCAPED)
    return f"<data>\n{text}\n</data>"
