"""Reads off a project's files by which commands it is built and tested. Pure."""

import json
import re
from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

_TARGET: Final = re.compile(r"^([A-Za-z][\w-]*)[^\S\n]*:(?![=:])", re.MULTILINE)
_RECIPE: Final = re.compile(r"^@?([A-Za-z][\w-]*)(?:[^\S\n][^\n:=]*)?:(?!=)", re.MULTILINE)
_NAMES: Final = (
    "setup", "install", "bootstrap", "build", "compile", "test", "tests", "check", "lint",
    "typecheck", "format", "docs", "dev", "start", "run",
)  # fmt: skip
"""Of targets and scripts, those that somebody who begins wants to know, in this order."""
_MOST: Final = 6
_FIXED: Final = {
    "Cargo.toml": ("cargo build", "cargo test"),
    "go.mod": ("go build ./...", "go test ./..."),
    "pom.xml": ("mvn package", "mvn test"),
    "build.gradle": ("gradle build", "gradle test"),
    "build.gradle.kts": ("gradle build", "gradle test"),
    "mix.exs": ("mix compile", "mix test"),
    "tox.ini": ("tox",),
    "noxfile.py": ("nox",),
}
_MANAGERS: Final = {"pnpm-lock.yaml": "pnpm", "yarn.lock": "yarn", "bun.lock": "bun"}
_WRAPPERS: Final = {"gradle": "gradlew", "mvn": "mvnw"}
READ: Final[tuple[str, ...]] = (
    "Makefile",
    "justfile",
    "package.json",
    "pyproject.toml",
    "pytest.ini",
)
"""Files whose text says by which commands; of others their name does."""


class BuildCommands(NamedTuple):
    """Commands, and the file that says so."""

    source: str
    commands: tuple[str, ...]


def build_commands(names: frozenset[str], texts: Mapping[str, str]) -> tuple[BuildCommands, ...]:
    """Give the commands by which a project is built and tested, as its files say.

    Args:
        names: of what lies in its top folder.
        texts: of the files of ``READ`` that are there.

    """
    return tuple(each for each in _each(names, texts) if each.commands)


def _each(names: frozenset[str], texts: Mapping[str, str]) -> Iterator[BuildCommands]:
    if text := texts.get("Makefile"):
        yield BuildCommands("Makefile", _some("make ", _TARGET.findall(text)))
    if text := texts.get("justfile"):
        yield BuildCommands("justfile", _some("just ", _RECIPE.findall(text)))
    if text := texts.get("package.json"):
        managers = (tool for file, tool in _MANAGERS.items() if file in names)
        yield BuildCommands("package.json", _some(_runs(next(managers, "npm")), _scripts(text)))
    for file, commands in _FIXED.items():
        if file in names:
            yield BuildCommands(file, tuple(_wrapped(command, names) for command in commands))
    pytest = "[tool.pytest" in texts.get("pyproject.toml", "") or "pytest.ini" in texts
    if pytest:
        source = "pytest.ini" if "pytest.ini" in texts else "pyproject.toml"
        yield BuildCommands(source, ("pytest",))


def _runs(manager: str) -> str:
    return f"{manager} run "


def _scripts(text: str) -> list[str]:
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        return []
    scripts = data.get("scripts") if isinstance(data, dict) else None
    return [str(name) for name in scripts] if isinstance(scripts, dict) else []


def _some(start: str, names: list[str]) -> tuple[str, ...]:
    named = [name for name in _NAMES if name in names]
    return tuple(f"{start}{name}" for name in named[:_MOST])


def _wrapped(command: str, names: frozenset[str]) -> str:
    program, _, rest = command.partition(" ")
    wrapper = _WRAPPERS.get(program, "")
    return f"./{wrapper} {rest}" if wrapper in names and wrapper else command
