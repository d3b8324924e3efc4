"""Which libraries are used, and whether a manifest declares them. Pure."""

import sys
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Final, NamedTuple

from gitmem.learning.dependencies import Resolved
from gitmem.learning.manifests import Manifest
from gitmem.tools.common.requirements import plain

# Where what is imported has nothing to do with the name of the distribution.
_CALLED: Final = {
    "yaml": "pyyaml", "pil": "pillow", "cv2": "opencv-python", "sklearn": "scikit-learn",
    "bs4": "beautifulsoup4", "dateutil": "python-dateutil", "git": "gitpython",
    "dotenv": "python-dotenv", "jwt": "pyjwt", "openssl": "pyopenssl", "attr": "attrs",
    "mysqldb": "mysqlclient", "serial": "pyserial", "usb": "pyusb", "crypto": "pycryptodome",
    "magic": "python-magic", "slugify": "python-slugify", "pkg-resources": "setuptools",
    "skimage": "scikit-image", "zmq": "pyzmq", "fitz": "pymupdf", "docx": "python-docx",
}  # fmt: skip
_NODE: Final = frozenset({
    "assert", "async_hooks", "buffer", "child_process", "cluster", "console", "constants",
    "crypto", "dgram", "dns", "domain", "events", "fs", "http", "http2", "https", "module", "net",
    "os", "path", "perf_hooks", "process", "punycode", "querystring", "readline", "repl", "stream",
    "string_decoder", "timers", "tls", "tty", "url", "util", "v8", "vm", "worker_threads", "zlib",
})  # fmt: skip
_COMPILED: Final = ("java", "javax", "jdk")


class Library(NamedTuple):
    """A library that is imported.

    Attributes:
        name: as it is imported.
        language: the language.
        files: how many files import it.
        standard: it comes with the language.
        declared: a manifest names it; None: there is no manifest for this language.

    """

    name: str
    language: str
    files: int
    standard: bool
    declared: bool | None


class Libraries(NamedTuple):
    """Libraries that are used, the most used first, and those that are only declared."""

    used: tuple[Library, ...]
    unused: tuple[tuple[str, str], ...]


def libraries(resolved: Resolved, manifests: Sequence[Manifest]) -> Libraries:
    """Compare what is imported with what is declared.

    Names that are declared and never imported may be tools, plugins or extras.
    """
    declared: dict[str, set[str]] = {}
    for manifest in manifests:
        if manifest.family and not manifest.broken:
            declared.setdefault(manifest.family, set()).update(manifest.declared)
    counts: dict[tuple[str, str], set[str]] = {}
    for path, language, name in resolved.outside:
        counts.setdefault((_family(language), name), set()).add(path)
    used, met = [], set()
    for (language, name), files in counts.items():
        standard = is_standard(name, language)
        names = declared.get(language)
        match = None if names is None else _declared(name, language, names)
        if match:
            met.add((language, match))
        is_declared = None if standard or names is None else bool(match)
        used.append(Library(name, language, len(files), standard, is_declared))
    used.sort(key=lambda library: (-library.files, library.language, library.name))
    unused = [
        (language, name)
        for language, names in declared.items()
        for name in names
        if (language, name) not in met and not name.startswith("@types/")
    ]
    return Libraries(tuple(used), tuple(sorted(unused)) if counts else ())


def _family(language: str) -> str:
    return "javascript" if language == "typescript" else language


def is_standard(name: str, language: str) -> bool:
    """Tell whether a library comes with its language."""
    if language == "python":
        return name in sys.stdlib_module_names or name == "__future__"
    if language == "javascript":
        return name.startswith("node:") or name in _NODE
    if language == "go":
        return "." not in name.partition("/")[0]
    return name in _COMPILED or name == "std"


def _declared(name: str, language: str, names: AbstractSet[str] | Mapping[str, str]) -> str:
    """Give the declared name that an imported one belongs to; empty: none."""
    if language == "python":
        bare = plain(name)
        tried = (bare, _CALLED.get(bare, bare))
        declared = next((candidate for candidate in tried if candidate in names), "")
        return declared or min((name for name in names if name.startswith(f"{bare}-")), default="")
    if language == "java":
        return max((declared for declared in names if _shares(name, declared)), key=len, default="")
    if language == "go":
        return min(
            (declared for declared in names if declared == name or declared.startswith(f"{name}/")),
            default="",
        )
    return name if name in names else ""


def _shares(package: str, group: str) -> bool:
    """Tell whether a Java package is likely of a group: their first two parts agree."""
    return package.split(".")[:2] == group.split(".")[:2]
