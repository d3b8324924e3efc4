"""What a project says of itself in its manifests, as a reader is told it. Pure."""

import json
import re
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Final, NamedTuple

_REQUIREMENT: Final = re.compile(r"\s*([A-Za-z0-9][\w.-]*)")
_COMMENT: Final = re.compile(r"<!--.*?-->", re.DOTALL)
_ARTIFACT: Final = re.compile(r"<dependency>.*?<artifactId>\s*([^<\s]+)", re.DOTALL)
_NOT_OWN: Final = re.compile(
    r"<(parent|dependencies|dependencyManagement|build)>.*?</\1>", re.DOTALL
)
_GRADLE: Final = re.compile(
    r"^\s*(?:api|implementation|compileOnly|runtimeOnly|testImplementation|kapt)\b"
    r"""[ (]+(?:platform\()?["'][\w.-]+:([\w.-]+)""",
    re.MULTILINE,
)
_GEM: Final = re.compile(r"""^\s*gem\s+["']([\w.-]+)["']""", re.MULTILINE)
_RUBY: Final = re.compile(r"""^\s*ruby\s+["']([^"']+)["']""", re.MULTILINE)
_NUGET: Final = re.compile(r"""<PackageReference\s[^>]*Include="([\w.-]+)\"""")
_FRAMEWORK: Final = re.compile(r"<TargetFrameworks?>([^<]*)<")
_GO_MODULE: Final = re.compile(r"^module\s+(\S+)", re.MULTILINE)
_GO_VERSION: Final = re.compile(r"^go\s+(\S+)", re.MULTILINE)
_GO_BLOCK: Final = re.compile(r"^require\s*\((.*?)^\)", re.MULTILINE | re.DOTALL)
_GO_ONE: Final = re.compile(r"^require\s+(?!\()(.*)$", re.MULTILINE)


class Made(NamedTuple):
    """What a manifest says.

    Attributes:
        language: such as ``Python``.
        name: of the project; empty if it is not said.
        about: what the project is for, in its own words; empty if it is not said.
        wants: the version of the language that is asked for, as it is written.
        libraries: what it depends on, in the order of the file; for development last.

    """

    language: str
    name: str = ""
    about: str = ""
    wants: str = ""
    libraries: tuple[str, ...] = ()


def is_known(name: str) -> bool:
    """Tell whether a file of this name is a manifest that can be read."""
    return name in _READERS or name.endswith((".csproj", ".fsproj"))


def read(name: str, text: str) -> Made:
    """Read a manifest.

    Args:
        name: of the file, without folders; see ``is_known``.
        text: what it holds.

    Raises:
        ValueError: it can't be read.

    """
    reader = _READERS.get(name, _dotnet)
    try:
        return reader(text)
    except (ValueError, TypeError, AttributeError, RecursionError) as error:
        what = str(error).partition("\n")[0]
        raise ValueError(f"it can't be read: {what}") from None


def _pyproject(text: str) -> Made:
    data = tomllib.loads(text)
    project: Mapping[str, Any] = data.get("project", {})
    poetry: Mapping[str, Any] = data.get("tool", {}).get("poetry", {})
    groups = [*project.get("optional-dependencies", {}).values(),
              *data.get("dependency-groups", {}).values()]  # fmt: skip
    stated = [*project.get("dependencies", ()), *(one for group in groups for one in group)]
    needed = poetry.get("dependencies", {})
    libraries = [*_required(stated), *(name for name in needed if name != "python")]
    own = project.get("name", poetry.get("name", ""))
    about = project.get("description", poetry.get("description", ""))
    wants = project.get("requires-python", needed.get("python", ""))
    return _made("Python", own, about, wants, (one for one in libraries if one != own))


def _requirements(text: str) -> Made:
    lines = (line for line in text.splitlines() if not line.lstrip().startswith(("#", "-")))
    return _made("Python", libraries=_required(lines))


def _required(stated: Iterable[object]) -> Iterator[str]:
    for one in stated:
        if isinstance(one, str) and (found := _REQUIREMENT.match(one)):
            yield found[1]


def _package(text: str) -> Made:
    data = json.loads(text)
    kinds = ("dependencies", "peerDependencies", "devDependencies")
    libraries = [name for kind in kinds for name in data.get(kind, {})]
    language = "TypeScript" if "typescript" in libraries else "JavaScript"
    wants = data.get("engines", {}).get("node", "")
    return _made(language, data.get("name", ""), data.get("description", ""),
                 f"node {wants}" if wants else "", libraries)  # fmt: skip


def _cargo(text: str) -> Made:
    data = tomllib.loads(text)
    package = data.get("package", {})
    libraries = [*data.get("dependencies", {}), *data.get("workspace", {}).get("dependencies", {}),
                 *data.get("dev-dependencies", {})]  # fmt: skip
    stated = package.get("description", ""), package.get("rust-version", package.get("edition", ""))
    # A member may take both from its workspace; a table stands there then.
    about, wants = (one if isinstance(one, str) else "" for one in stated)
    return _made("Rust", package.get("name", ""), about, wants, libraries)


def _go(text: str) -> Made:
    module, version = _GO_MODULE.search(text), _GO_VERSION.search(text)
    lines = [line for block in _GO_BLOCK.findall(text) for line in block.splitlines()]
    lines += _GO_ONE.findall(text)
    stated = [line.split() for line in lines if "// indirect" not in line]
    libraries = [words[0] for words in stated if words and not words[0].startswith("//")]
    return _made("Go", module[1] if module else "", "", version[1] if version else "", libraries)


def _maven(text: str) -> Made:
    # As text, and never as XML: entities that do harm mean nothing here.
    plain = _COMMENT.sub("", text)
    head = _NOT_OWN.sub("", plain)
    name = re.search(r"<artifactId>\s*([^<\s]+)", head)
    about = re.search(r"<description>([^<]*)<", head)
    return _made("Java", name[1] if name else "", about[1] if about else "", "",
                 _ARTIFACT.findall(plain))  # fmt: skip


def _gradle(text: str) -> Made:
    language = "Kotlin" if re.search(r"\bkotlin\b", text) else "Java"
    return _made(language, libraries=_GRADLE.findall(text))


def _gems(text: str) -> Made:
    wants = _RUBY.search(text)
    return _made("Ruby", wants=wants[1] if wants else "", libraries=_GEM.findall(text))


def _composer(text: str) -> Made:
    data = json.loads(text)
    needed = data.get("require") or {}
    libraries = [one for one in (*needed, *(data.get("require-dev") or {}))
                 if one != "php" and not one.startswith("ext-")]  # fmt: skip
    return _made("PHP", data.get("name", ""), data.get("description", ""),
                 needed.get("php", ""), libraries)  # fmt: skip


def _dotnet(text: str) -> Made:
    wants = _FRAMEWORK.search(text)
    return _made(".NET", wants=wants[1] if wants else "", libraries=_NUGET.findall(text))


def _made(
    language: str,
    name: object = "",
    about: object = "",
    wants: object = "",
    libraries: Iterable[object] = (),
) -> Made:
    own, told, version = (" ".join(str(one).split()) for one in (name, about, wants))
    return Made(language, own, told, version, tuple(dict.fromkeys(map(str, libraries))))


_READERS: Final[dict[str, Callable[[str], Made]]] = {
    "pyproject.toml": _pyproject,
    "requirements.txt": _requirements,
    "package.json": _package,
    "Cargo.toml": _cargo,
    "go.mod": _go,
    "pom.xml": _maven,
    "build.gradle": _gradle,
    "build.gradle.kts": _gradle,
    "Gemfile": _gems,
    "composer.json": _composer,
}
