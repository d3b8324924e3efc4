"""Resolves the imports of files to files of the same repository. Pure.

What can't be resolved to a file is taken for a library and counted by its name. Search paths that
only a build knows (``tsconfig`` paths, ``PYTHONPATH``, class paths) are not known here.
"""

import posixpath
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Final, NamedTuple

from gitmem.learning.graphs import IMPORTS, TYPES, Edge

_SCRIPTS: Final = (".ts", ".tsx", ".d.ts", ".js", ".jsx", ".mjs", ".cjs", ".mts", ".cts", ".vue",
                   ".svelte", ".json")  # fmt: skip
_SOURCE_OF: Final = {".js": (".ts", ".tsx"), ".mjs": (".mts",), ".cjs": (".cts",),
                     ".jsx": (".tsx",)}  # fmt: skip
_SELF: Final = ("crate", "self", "super")
_COMPILED: Final = ("java", "javax", "jdk")
_BUILT_IN: Final = ("std", "core", "alloc")


class FileImports(NamedTuple):
    """What one file imports.

    Attributes:
        path: the file.
        language: its language.
        names: what is imported, as ``Node.name`` gives it.
        typed: what of that is only imported for the checker of types.

    """

    path: str
    language: str
    names: tuple[str, ...]
    typed: tuple[str, ...] = ()


class Resolved(NamedTuple):
    """Which files import which, and which libraries.

    Attributes:
        edges: between files; in Go, from files to folders, as a folder is a package.
        outside: (file, language, library).

    """

    edges: tuple[Edge, ...]
    outside: tuple[tuple[str, str, str], ...]

    def libraries(self) -> dict[str, int]:
        """Count the files that import each library, the most first."""
        counts = Counter(name for _, _, name in set(self.outside))
        return dict(sorted(counts.items(), key=lambda item: (-item[1], item[0])))


def resolve(
    files: Sequence[FileImports], paths: AbstractSet[str], modules: Mapping[str, str]
) -> Resolved:
    """Find the files behind imports.

    Args:
        files: what is imported where.
        paths: all files of the repository.
        modules: names of Go modules by their folder.

    """
    python = _PythonPaths(paths)
    java = _suffixes(paths, ".java")
    finders: dict[str, Callable[[FileImports, str], tuple[str, str]]] = {
        "python": lambda file, name: python.find(file.path, name),
        "javascript": lambda file, name: _script(file.path, name, paths),
        "typescript": lambda file, name: _script(file.path, name, paths),
        "go": lambda _, name: _go(name, paths, modules),
        "java": lambda _, name: _java(name, java),
        "rust": lambda file, name: _rust(file.path, name, paths),
    }
    edges: set[Edge] = set()
    outside: set[tuple[str, str, str]] = set()
    for file in files:
        find = finders.get(file.language)
        for name in file.names if find else ():
            for candidate in _one_by_one(name, file.language):
                target, library = find(file, candidate) if find else ("", "")
                if target and target != file.path:
                    edges.add(Edge(file.path, target, TYPES if name in file.typed else IMPORTS))
                elif library:
                    outside.add((file.path, file.language, library))
    real = {edge[:2] for edge in edges if edge.kind == IMPORTS}
    remaining = (edge for edge in edges if edge.kind == IMPORTS or edge[:2] not in real)
    return Resolved(tuple(sorted(remaining)), tuple(sorted(outside)))


def _one_by_one(name: str, language: str) -> Iterator[str]:
    if language == "rust" and "{" in name:
        yield from _unfolded(name)
    else:
        yield from filter(None, name.split("\n"))


def _unfolded(name: str) -> Iterator[str]:
    """Write ``a::{b, c::{d}}`` as ``a::b`` and ``a::c::d``."""
    before, _, inside = name.partition("{")
    depth, word = 0, ""
    for char in inside.removesuffix("}") + ",":
        depth += (char == "{") - (char == "}")
        if char == "," and not depth:
            if word:
                yield from _unfolded(before + word) if "{" in word else (before + word,)
            word = ""
        else:
            word += char


class _PythonPaths:
    """Modules by their dotted names.

    A package begins below the topmost folder that has no ``__init__.py``; files of no package are
    known by their path from the top, from ``src``, and to their neighbours by their bare name.
    """

    def __init__(self, paths: AbstractSet[str]) -> None:
        self._modules: dict[str, str] = {}
        sources = sorted(path for path in paths if path.endswith((".py", ".pyi")))
        self._packages = {
            posixpath.dirname(path) for path in sources if posixpath.basename(path) == "__init__.py"
        }
        for path in sources:
            module = path.rpartition(".")[0].removesuffix("/__init__")
            root = self._root(posixpath.dirname(path))
            for base in dict.fromkeys((root, "", "src")):
                inside = module[len(base) + 1 :] if base else module
                if not base or path.startswith(f"{base}/"):
                    self._modules.setdefault(inside.replace("/", "."), path)
        self._paths = paths

    def _root(self, folder: str) -> str:
        while folder and folder in self._packages:
            folder = posixpath.dirname(folder)
        return folder

    def find(self, path: str, name: str) -> tuple[str, str]:
        folder = posixpath.dirname(path)
        if name.startswith("."):
            return self._relative(folder, name), ""
        parts = name.removesuffix(".*").split(".")
        beside = "" if folder in self._packages else folder
        for end in range(len(parts), 0, -1):
            if file := self._modules.get(".".join(parts[:end])):
                return file, ""
            if beside and (file := self._file("/".join((beside, *parts[:end])))):
                return file, ""
        return "", parts[0]

    def _relative(self, folder: str, name: str) -> str:
        bare = name.lstrip(".")
        for _ in range(len(name) - len(bare) - 1):
            folder = posixpath.dirname(folder)
        parts = [part for part in bare.split(".") if part != "*"]
        for end in range(len(parts), -1, -1):
            if path := self._file("/".join(filter(None, (folder, *parts[:end])))):
                return path
        return ""

    def _file(self, module: str) -> str:
        for path in (f"{module}.py", f"{module}/__init__.py", f"{module}.pyi"):
            if path in self._paths:
                return path
        return ""


def _script(path: str, name: str, paths: AbstractSet[str]) -> tuple[str, str]:
    """Find a module as bundlers do: relative names are files, others are packages."""
    if not name.startswith("."):
        return "", _package(name)
    base = posixpath.normpath(posixpath.join(posixpath.dirname(path), name.partition("?")[0]))
    stem, ending = posixpath.splitext(base)
    tried = [base, *(stem + other for other in _SOURCE_OF.get(ending, ()))]
    tried += [base + other for other in _SCRIPTS] + [f"{base}/index{suffix}" for suffix in _SCRIPTS]
    return next((path for path in tried if path in paths), ""), ""


def _package(name: str) -> str:
    """Give the package of a module: ``@scope/name/deep`` is ``@scope/name``."""
    if not name or name.startswith(("/", "#", "node:")) or "://" in name:
        return name if name.startswith("node:") else ""
    parts = name.split("/")
    return "/".join(parts[:2]) if name.startswith("@") else parts[0]


def _go(name: str, paths: AbstractSet[str], modules: Mapping[str, str]) -> tuple[str, str]:
    for folder, module in sorted(modules.items(), key=lambda entry: -len(entry[1])):
        if name == module or name.startswith(f"{module}/"):
            inside = name[len(module) + 1 :]
            prefix = "/".join(filter(None, (folder, inside))) + "/"
            return (prefix, "") if any(path.startswith(prefix) for path in paths) else ("", "")
    parts = name.split("/")
    # Standard packages have no dot in their first part.
    hosted = "." in parts[0]
    return "", "/".join(parts[:3]) if hosted else parts[0]


def _suffixes(paths: Iterable[str], ending: str) -> dict[str, str]:
    """Give files by every end of their path, the shortest path first."""
    path_of: dict[str, str] = {}
    for path in sorted(paths, key=lambda path: (len(path), path)):
        if path.endswith(ending):
            parts = path.removesuffix(ending).split("/")
            for at in range(len(parts)):
                path_of.setdefault(".".join(parts[at:]), path)
    return path_of


def _java(name: str, files: Mapping[str, str]) -> tuple[str, str]:
    parts = name.removesuffix(".*").split(".")
    # A class, or a member of one.
    for end in (len(parts), len(parts) - 1):
        if end > 1 and (path := files.get(".".join(parts[:end]))):
            return path, ""
    return "", parts[0] if parts[0] in _COMPILED else ".".join(parts[:2])


def _rust(path: str, name: str, paths: AbstractSet[str]) -> tuple[str, str]:
    folder, base = posixpath.split(path)
    own = folder if base in ("mod.rs", "lib.rs", "main.rs") else path.removesuffix(".rs")
    if name.startswith("mod "):
        return _rust_file(own, [name[4:]], paths), ""
    parts = [part for part in name.partition(" as ")[0].split("::") if part and part != "*"]
    if not parts or parts[0] not in _SELF:
        first = parts[0] if parts else ""
        return "", "std" if first in _BUILT_IN else first
    if parts[0] == "crate":
        own = next(
            (
                ancestor
                for ancestor in _above(path)
                if f"{ancestor}/lib.rs" in paths or f"{ancestor}/main.rs" in paths
            ),
            folder,
        )
    while parts and parts[0] in _SELF:
        if parts[0] == "super":
            own = posixpath.dirname(own)
        parts = parts[1:]
    return _rust_file(own, parts, paths), ""


def _above(path: str) -> Iterator[str]:
    while path := posixpath.dirname(path):
        yield path


def _rust_file(folder: str, parts: Sequence[str], paths: AbstractSet[str]) -> str:
    """Find the file of the longest part of a path that is a module."""
    for end in range(len(parts), 0, -1):
        stem = "/".join(filter(None, (folder, *parts[:end])))
        for tried in (f"{stem}.rs", f"{stem}/mod.rs"):
            if tried in paths:
                return tried
    return next(
        (
            path
            for path in (f"{folder}.rs", f"{folder}/mod.rs", f"{folder}/lib.rs")
            if path in paths
        ),
        "",
    )
