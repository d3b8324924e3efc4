"""Reads manifests of a project: name, purpose, dependencies and tools. Pure.

One reader for all who ask: a profile compares what is declared with what is imported, a context
tells libraries as they are written. What each manifest says its tool knows.
"""

import json
import tomllib
from collections.abc import Callable, Mapping
from fnmatch import fnmatchcase
from typing import Any, Final, NamedTuple

from gitmem.tools.choice import load, values

_COMPARED: Final = frozenset({
    "Python", "JavaScript", "TypeScript", "Rust", "Go", "Java", "Kotlin",
})  # fmt: skip
"""Languages in which what is imported is compared with what is declared."""
_FAMILIES: Final = {"TypeScript": "JavaScript", "Kotlin": "Java"}
"""Of those the ones that import by another one's rules."""
_DATA: Final[Mapping[str, Callable[[str], Any]]] = {"json": json.loads, "toml": tomllib.loads}


class Manifest(NamedTuple):
    """What one manifest says.

    Attributes:
        path: the file.
        language: such as ``Python``.
        name: of the project, for Go of the module; empty if it is not said.
        about: what the project is for, in its own words; empty if it is not said.
        wants: the version of the language that is asked for, as it is written.
        libraries: what it depends on, as it is written and in that order; for development last.
        declared: the same, and what stands there without being asked for, in the form that
            imports are compared with; empty where imports are not read.
        tools: that are set up in it.
        broken: why it could not be read; empty: it could.

    """

    path: str
    language: str
    name: str = ""
    about: str = ""
    wants: str = ""
    libraries: tuple[str, ...] = ()
    declared: frozenset[str] = frozenset()
    tools: tuple[str, ...] = ()
    broken: str = ""

    @property
    def family(self) -> str:
        """The language as readers of source files name it; empty: they do not read it."""
        family = _FAMILIES.get(self.language, self.language)
        return family.lower() if family in _COMPARED else ""


def is_manifest(path: str) -> bool:
    """Tell a manifest that ``read_manifest`` knows, by its name."""
    return _reader(path) is not None


def read_manifest(path: str, text: str) -> Manifest:
    """Read a manifest that ``is_manifest`` knows.

    One that can't be read declares nothing and says why in ``broken``.
    """
    tool, language = _reader(path) or ("", "")
    read = load(tool).files.read if tool else None
    if read is None:
        return Manifest(path, language)
    try:
        fields = read(as_data(path, text))
    except (ValueError, TypeError, AttributeError, RecursionError) as error:
        reason = str(error).partition("\n")[0]
        return Manifest(path, language, broken=f"it can't be read: {reason}")
    own = {
        field: " ".join(str(fields[field]).split())
        for field in ("name", "about", "wants")
        if fields.get(field)
    }
    libraries = tuple(dict.fromkeys(map(str, fields.get("libraries", ()))))
    shown = {
        section: name
        for sections in values("files.sections").values()
        for section, name in sections.items()
    }
    return Manifest(
        path,
        fields.get("language", language),
        libraries=libraries,
        declared=frozenset(fields.get("declared", ())),
        tools=tuple(shown[section] for section in fields.get("sections", ()) if section in shown),
        **own,
    )


def as_data(path: str, text: str) -> Any:  # noqa: ANN401  whatever a file holds
    """Give what a file of JSON or TOML holds, of others the text.

    Raises:
        ValueError: it holds something else.
        RecursionError: it is nested too deeply.

    """
    ending = path.rpartition(".")[2]
    return _DATA[ending](text) if ending in _DATA else text


def _reader(path: str) -> tuple[str, str] | None:
    """Give the tool that reads a manifest, and the language that it is about."""
    name = path.rpartition("/")[2]
    return next(
        (
            (tool, language)
            for tool, forms in values("files.reads").items()
            for form, language in forms.items()
            if fnmatchcase(name, form)
        ),
        None,
    )
