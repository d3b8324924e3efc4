"""What manifests declare, and which tools are set up, by the files that there are. Pure."""

import json
import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from fnmatch import fnmatchcase
from typing import Any, Final, NamedTuple

_REQUIREMENT: Final = re.compile(r"\s*([A-Za-z0-9][A-Za-z0-9._-]*)")
_GO_MODULE: Final = re.compile(r"^module\s+(\S+)", re.MULTILINE)
_GO_NEEDS: Final = re.compile(r"^\s*(?:require\s+)?([\w.-]+\.[\w.-]+/\S+)\s+v", re.MULTILINE)
_POM: Final = re.compile(r"<dependency>\s*<groupId>\s*([\w.$\{\}-]+)\s*</groupId>")
_GRADLE: Final = re.compile(
    r"^\s*\w*(?:[iI]mplementation|[cC]ompile|[aA]pi|runtimeOnly)\w*[\s(]+['\"]([\w.-]+):",
    re.MULTILINE,
)
NAMES: Final = (
    "pyproject.toml", "requirements*.txt", "setup.cfg", "package.json", "go.mod", "Cargo.toml",
    "pom.xml", "build.gradle", "build.gradle.kts",
)  # fmt: skip
_TOOLS: Final = {
    ".editorconfig": "EditorConfig", ".prettierrc*": "Prettier", "prettier.config.*": "Prettier",
    "eslint.config.*": "ESLint", ".eslintrc*": "ESLint", "biome.json": "Biome",
    "ruff.toml": "Ruff", ".ruff.toml": "Ruff", "mypy.ini": "mypy", ".flake8": "Flake8",
    ".pylintrc": "Pylint", "pytest.ini": "pytest", "tox.ini": "tox", "noxfile.py": "nox",
    ".pre-commit-config.yaml": "pre-commit", "tsconfig.json": "TypeScript",
    "vitest.config.*": "Vitest", "jest.config.*": "Jest", "Makefile": "make",
    "Dockerfile": "Docker", "rustfmt.toml": "rustfmt", ".golangci.y*ml": "golangci-lint",
    ".gitlab-ci.yml": "GitLab CI", "Jenkinsfile": "Jenkins",
}  # fmt: skip
_FOLDERS: Final = {".github/workflows/": "GitHub Actions", ".circleci/": "CircleCI"}
_SECTIONS: Final = {"ruff": "Ruff", "mypy": "mypy", "pytest": "pytest", "black": "Black",
                    "isort": "isort", "pyright": "Pyright", "coverage": "coverage.py",
                    "poetry": "Poetry", "hatch": "Hatch", "pdm": "PDM", "uv": "uv",
                    "importlinter": "import-linter"}  # fmt: skip


class Manifest(NamedTuple):
    """What one manifest says.

    Attributes:
        path: the file.
        language: the language whose libraries it names.
        declared: names of libraries, in small letters.
        name: of the project; for Go, of the module.
        tools: that are set up in it.
        broken: it could not be read.

    """

    path: str
    language: str
    declared: frozenset[str]
    name: str = ""
    tools: tuple[str, ...] = ()
    broken: bool = False


def is_manifest(path: str) -> bool:
    """Tell a manifest that ``read_manifest`` knows, by its name."""
    name = path.rpartition("/")[2]
    return any(fnmatchcase(name, one) for one in NAMES)


def read_manifest(path: str, text: str) -> Manifest:
    """Read a manifest; one that can't be read declares nothing and is ``broken``."""
    name = path.rpartition("/")[2]
    if name == "package.json":
        return _package(path, text)
    if name == "go.mod":
        module = _GO_MODULE.search(text)
        return Manifest(path, "go", frozenset(_GO_NEEDS.findall(text)), module[1] if module else "")
    if name in ("pom.xml", "build.gradle", "build.gradle.kts"):
        found = (_POM if name == "pom.xml" else _GRADLE).findall(text)
        return Manifest(path, "java", frozenset(found))
    if name.endswith(".toml"):
        try:
            data = tomllib.loads(text)
        except (tomllib.TOMLDecodeError, RecursionError):
            return Manifest(path, "rust" if name == "Cargo.toml" else "python", frozenset(),
                            broken=True)  # fmt: skip
        return _cargo(path, data) if name == "Cargo.toml" else _pyproject(path, data)
    lines = text.splitlines()
    if name == "setup.cfg":
        lines = _install_requires(lines)
    return Manifest(path, "python", frozenset(_requirements(lines)))


def _requirements(lines: Iterable[object]) -> Iterator[str]:
    for line in lines:
        found = _REQUIREMENT.match(line) if isinstance(line, str) else None
        if found:
            yield plain(found[1])


def _install_requires(lines: Iterable[str]) -> list[str]:
    found: list[str] = []
    inside = False
    for line in lines:
        if line[:1].strip():
            inside = line.startswith(("install_requires", "tests_require"))
            line = line.partition("=")[2]  # noqa: PLW2901
        if inside:
            found.append(line)
    return found


def plain(name: str) -> str:
    """Write a Python distribution's name as all its spellings are compared."""
    return re.sub(r"[-_.]+", "-", name).lower()


def _mapping(data: object, *keys: str) -> Mapping[str, Any]:
    for key in keys:
        data = data.get(key) if isinstance(data, Mapping) else None
    return data if isinstance(data, Mapping) else {}


def _list(data: object) -> list[object]:
    return data if isinstance(data, list) else []


def _pyproject(path: str, data: Mapping[str, Any]) -> Manifest:
    project = _mapping(data, "project")
    said = list(_list(project.get("dependencies")))
    for group in (_mapping(project, "optional-dependencies"), _mapping(data, "dependency-groups")):
        said += [one for some in group.values() for one in _list(some)]
    said += _list(_mapping(data, "build-system").get("requires"))
    poetry = _mapping(data, "tool", "poetry")
    said += _mapping(poetry, "dependencies")
    for one in _mapping(poetry, "group").values():
        said += _mapping(one, "dependencies")
    name = project.get("name") or poetry.get("name") or ""
    tools = tuple(_SECTIONS[one] for one in _mapping(data, "tool") if one in _SECTIONS)
    declared = frozenset(_requirements(said)) - {"python", plain(str(name))}
    return Manifest(path, "python", declared, str(name), tools)


def _package(path: str, text: str) -> Manifest:
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        return Manifest(path, "javascript", frozenset(), broken=True)
    keys = ("dependencies", "devDependencies", "peerDependencies", "optionalDependencies")
    names = {name for key in keys for name in _mapping(data, key)}
    names |= {name.removeprefix("@types/") for name in names}
    name = data.get("name", "") if isinstance(data, dict) else ""
    return Manifest(path, "javascript", frozenset(names), str(name))


def _cargo(path: str, data: Mapping[str, Any]) -> Manifest:
    keys = ("dependencies", "dev-dependencies", "build-dependencies")
    names = {name.replace("-", "_") for key in keys for name in _mapping(data, key)}
    names |= {name.replace("-", "_") for name in _mapping(data, "workspace", "dependencies")}
    return Manifest(path, "rust", frozenset(names), str(_mapping(data, "package").get("name", "")))


def tools(paths: Iterable[str], manifests: Iterable[Manifest]) -> list[tuple[str, str]]:
    """Name the tools that are set up, each with the file that says so."""
    found: dict[str, str] = {}
    for path in paths:
        name = path.rpartition("/")[2]
        for folder, tool in _FOLDERS.items():
            if path.startswith(folder):
                found.setdefault(tool, folder)
        for form, tool in _TOOLS.items():
            if fnmatchcase(name, form):
                found.setdefault(tool, path)
    for one in manifests:
        for tool in one.tools:
            found.setdefault(tool, one.path)
    return sorted(found.items())
