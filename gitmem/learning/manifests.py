"""Reads manifests of a project: name, purpose, dependencies and tools. Pure.

One reader for all who ask: a profile compares what is declared with what is imported, a context
tells libraries as they are written.
"""

import json
import re
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping
from fnmatch import fnmatchcase
from typing import Any, Final, NamedTuple

from gitmem.learning.enclosed import blocks, enclosed, without

_REQUIREMENT: Final = re.compile(r"\s*([A-Za-z0-9][\w.-]*)")
_ARTIFACT: Final = re.compile(r"<artifactId>\s*([^<\s]+)")
_GROUP: Final = re.compile(r"<groupId>\s*([\w.$\{\}-]+)\s*</groupId>")
_NOT_OWN: Final = ("parent", "dependencyManagement", "dependencies", "build")
_GRADLE: Final = re.compile(
    r"^[^\S\n]*(?:\w*(?:[iI]mplementation|[cC]ompile|[aA]pi|[cC]ompileOnly|[rR]untimeOnly)|kapt)\b"
    r"""[ \t(]+(?:platform\()?["']([\w.-]+):([\w.-]+)""",
    re.MULTILINE,
)
_GEM: Final = re.compile(r"""^[^\S\n]*gem\s+["']([\w.-]+)["']""", re.MULTILINE)
_RUBY: Final = re.compile(r"""^[^\S\n]*ruby\s+["']([^"']+)["']""", re.MULTILINE)
_NUGET: Final = re.compile(r"""<PackageReference\s[^<>]*Include="([\w.-]+)\"""")
_FRAMEWORK: Final = re.compile(r"<TargetFrameworks?>([^<]*)<")
_GO_MODULE: Final = re.compile(r"^module\s+(\S+)", re.MULTILINE)
_GO_VERSION: Final = re.compile(r"^go\s+(\S+)", re.MULTILINE)
_GO_BLOCK: Final = re.compile(r"^require\s*\(", re.MULTILINE)
_GO_BLOCK_END: Final = re.compile(r"^\)", re.MULTILINE)
_GO_ONE: Final = re.compile(r"^require\s+(?!\()(.*)$", re.MULTILINE)
_SECTIONS: Final = {"ruff": "Ruff", "mypy": "mypy", "pytest": "pytest", "black": "Black",
                    "isort": "isort", "pyright": "Pyright", "coverage": "coverage.py",
                    "poetry": "Poetry", "hatch": "Hatch", "pdm": "PDM", "uv": "uv",
                    "importlinter": "import-linter"}  # fmt: skip
# The language by whose rules what is imported is compared with what is declared.
_FAMILIES: Final = {"Python": "python", "JavaScript": "javascript", "TypeScript": "javascript",
                    "Rust": "rust", "Go": "go", "Java": "java", "Kotlin": "java"}  # fmt: skip


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
        return _FAMILIES.get(self.language, "")


def is_manifest(path: str) -> bool:
    """Tell a manifest that ``read_manifest`` knows, by its name."""
    return _reader(path) is not None


def read_manifest(path: str, text: str) -> Manifest:
    """Read a manifest that ``is_manifest`` knows.

    One that can't be read declares nothing and says why in ``broken``.
    """
    language, read = _reader(path) or _UNKNOWN
    try:
        fields = read(text)
    except (ValueError, TypeError, AttributeError, RecursionError) as error:
        reason = str(error).partition("\n")[0]
        return Manifest(path, language, broken=f"it can't be read: {reason}")
    own = {
        field: " ".join(str(fields[field]).split())
        for field in ("name", "about", "wants")
        if fields.get(field)
    }
    libraries = tuple(dict.fromkeys(map(str, fields.get("libraries", ()))))
    return Manifest(
        path,
        fields.get("language", language),
        libraries=libraries,
        declared=frozenset(fields.get("declared", ())),
        tools=tuple(fields.get("tools", ())),
        **own,
    )


def plain(name: str) -> str:
    """Write a Python distribution's name as all its spellings are compared."""
    return re.sub(r"[-_.]+", "-", name).lower()


def _pyproject(text: str) -> dict[str, Any]:
    data = tomllib.loads(text)
    project: Mapping[str, Any] = data.get("project", {})
    poetry: Mapping[str, Any] = data.get("tool", {}).get("poetry", {})
    needed = poetry.get("dependencies", {})
    groups = [*project.get("optional-dependencies", {}).values(),
              *data.get("dependency-groups", {}).values()]  # fmt: skip
    more = [group.get("dependencies", {}) for group in poetry.get("group", {}).values()]
    stated = [
        *project.get("dependencies", ()),
        *needed,
        *(requirement for group in groups for requirement in group),
        *(requirement for table in more for requirement in table),
    ]
    own = str(project.get("name") or poetry.get("name") or "")
    libraries = [
        library for library in _required(stated) if plain(library) not in ("python", plain(own))
    ]
    building = _required(data.get("build-system", {}).get("requires", ()))
    return {
        "name": own,
        "about": project.get("description", poetry.get("description", "")),
        "wants": project.get("requires-python", needed.get("python", "")),
        "libraries": libraries,
        "declared": {plain(library) for library in (*libraries, *building)} - {plain(own)},
        "tools": [_SECTIONS[tool] for tool in data.get("tool", {}) if tool in _SECTIONS],
    }


def _requirements(text: str) -> dict[str, Any]:
    return _of_lines(line for line in text.splitlines() if not line.lstrip().startswith("-"))


def _of_lines(lines: Iterable[str]) -> dict[str, Any]:
    libraries = list(_required(lines))
    return {"libraries": libraries, "declared": map(plain, libraries)}


def _setup(text: str) -> dict[str, Any]:
    # By hand: what configparser refuses in a file of setuptools' is no matter here.
    values, inside = [], False
    for line in text.splitlines():
        stated = line
        if line[:1].strip():
            inside = line.startswith(("install_requires", "tests_require"))
            stated = line.partition("=")[2]
        if inside:
            values.append(stated)
    return _of_lines(values)


def _required(stated: Iterable[object]) -> Iterator[str]:
    for requirement in stated:
        if isinstance(requirement, str) and (match := _REQUIREMENT.match(requirement)):
            yield match[1]


def _package(text: str) -> dict[str, Any]:
    data = json.loads(text)
    kinds = ("dependencies", "peerDependencies", "optionalDependencies", "devDependencies")
    libraries = [name for kind in kinds for name in data.get(kind, {})]
    wants = data.get("engines", {}).get("node", "")
    return {
        "language": "TypeScript" if "typescript" in libraries else "JavaScript",
        "name": data.get("name", ""),
        "about": data.get("description", ""),
        "wants": f"node {wants}" if wants else "",
        "libraries": libraries,
        "declared": {*libraries, *(name.removeprefix("@types/") for name in libraries)},
    }


def _cargo(text: str) -> dict[str, Any]:
    data = tomllib.loads(text)
    package = data.get("package", {})
    libraries = [*data.get("dependencies", {}),
                 *data.get("workspace", {}).get("dependencies", {}),
                 *data.get("dev-dependencies", {}),
                 *data.get("build-dependencies", {})]  # fmt: skip
    stated = package.get("description", ""), package.get("rust-version", package.get("edition", ""))
    # A member may take both from its workspace; a table stands there then.
    about, wants = (field if isinstance(field, str) else "" for field in stated)
    return {"name": package.get("name", ""), "about": about, "wants": wants,
            "libraries": libraries,
            "declared": [name.replace("-", "_") for name in libraries]}  # fmt: skip


def _go(text: str) -> dict[str, Any]:
    module, version = _GO_MODULE.search(text), _GO_VERSION.search(text)
    required = blocks(text, _GO_BLOCK, _GO_BLOCK_END)
    lines = [line for block in required for line in block.splitlines()]
    lines += _GO_ONE.findall(text)
    stated = [
        (line, words[0])
        for line in lines
        if (words := line.split()) and not words[0].startswith("//")
    ]
    return {
        "name": module[1] if module else "",
        "wants": version[1] if version else "",
        "libraries": [name for line, name in stated if "// indirect" not in line],
        "declared": [name for _, name in stated],
    }


def _maven(text: str) -> dict[str, Any]:
    # As text, and never as XML: entities that do harm mean nothing here.
    plain_text = head = without(text, "<!--", "-->")
    for tag in _NOT_OWN:
        head = without(head, f"<{tag}>", f"</{tag}>")
    about = re.search(r"<description>([^<]*)<", head)
    name = _ARTIFACT.search(head)
    spans = enclosed(plain_text, "<dependency>", "</dependency>")
    needed = [plain_text[start:end] for start, end in spans]
    return {
        "name": name[1] if name else "",
        "about": about[1] if about else "",
        "libraries": [
            matched[1] for dependency in needed if (matched := _ARTIFACT.search(dependency))
        ],
        "declared": [matched[1] for dependency in needed if (matched := _GROUP.search(dependency))],
    }


def _gradle(text: str) -> dict[str, Any]:
    needed = _GRADLE.findall(text)
    return {"language": "Kotlin" if re.search(r"\bkotlin\b", text) else "Java",
            "libraries": [artifact for _, artifact in needed],
            "declared": [group for group, _ in needed]}  # fmt: skip


def _gems(text: str) -> dict[str, Any]:
    wants = _RUBY.search(text)
    return {"wants": wants[1] if wants else "", "libraries": _GEM.findall(text)}


def _composer(text: str) -> dict[str, Any]:
    data = json.loads(text)
    needed = data.get("require") or {}
    libraries = [
        library
        for library in (*needed, *(data.get("require-dev") or {}))
        if library != "php" and not library.startswith("ext-")
    ]
    return {"name": data.get("name", ""), "about": data.get("description", ""),
            "wants": needed.get("php", ""), "libraries": libraries}  # fmt: skip


def _dotnet(text: str) -> dict[str, Any]:
    wants = _FRAMEWORK.search(text)
    return {"wants": wants[1] if wants else "", "libraries": _NUGET.findall(text)}


_Reader = tuple[str, Callable[[str], dict[str, Any]]]
_READERS: Final[dict[str, _Reader]] = {
    "pyproject.toml": ("Python", _pyproject),
    "requirements*.txt": ("Python", _requirements),
    "setup.cfg": ("Python", _setup),
    "package.json": ("JavaScript", _package),
    "Cargo.toml": ("Rust", _cargo),
    "go.mod": ("Go", _go),
    "pom.xml": ("Java", _maven),
    "build.gradle": ("Java", _gradle),
    "build.gradle.kts": ("Java", _gradle),
    "Gemfile": ("Ruby", _gems),
    "composer.json": ("PHP", _composer),
    "*.csproj": (".NET", _dotnet),
    "*.fsproj": (".NET", _dotnet),
}
_UNKNOWN: Final[_Reader] = ("", lambda _text: {})


def _reader(path: str) -> _Reader | None:
    name = path.rpartition("/")[2]
    return next((reader for form, reader in _READERS.items() if fnmatchcase(name, form)), None)
