"""The language of a file, by its name. Pure."""

import re
from typing import Final

PYTHON: Final = "python"
PARSED: Final = (PYTHON, "javascript", "typescript", "go", "rust", "java")
"""Languages whose trees can be read: Python always, the others with the extra ``code``."""

_ENDINGS: Final = {
    "py": PYTHON, "pyi": PYTHON, "pyw": PYTHON,
    "js": "javascript", "jsx": "javascript", "mjs": "javascript", "cjs": "javascript",
    "ts": "typescript", "tsx": "typescript", "mts": "typescript", "cts": "typescript",
    "go": "go", "rs": "rust", "java": "java",
    "c": "c", "h": "c", "cc": "c++", "cpp": "c++", "cxx": "c++", "hpp": "c++", "hh": "c++",
    "cs": "c#", "kt": "kotlin", "kts": "kotlin", "scala": "scala", "swift": "swift",
    "rb": "ruby", "php": "php", "pl": "perl", "lua": "lua", "r": "r", "jl": "julia",
    "ex": "elixir", "exs": "elixir", "erl": "erlang", "hs": "haskell", "clj": "clojure",
    "dart": "dart", "zig": "zig", "m": "objective-c", "vue": "vue", "svelte": "svelte",
    "sh": "shell", "bash": "shell", "zsh": "shell", "ps1": "powershell", "sql": "sql",
    "html": "html", "css": "css", "scss": "css", "el": "emacs lisp", "tf": "terraform",
}  # fmt: skip
_NAMES: Final = {"Makefile": "make", "Dockerfile": "docker", "Jenkinsfile": "groovy"}
_ALIASES: Final = {
    "py": PYTHON, "python3": PYTHON, "js": "javascript", "jsx": "javascript", "node": "javascript",
    "ts": "typescript", "tsx": "typescript", "golang": "go", "rs": "rust",
    "cpp": "c++", "csharp": "c#",
}  # fmt: skip
_AMONG_WORDS: Final = (
    "Python", "JavaScript", "TypeScript", "Golang", "Rust", "Java", "Kotlin", "Scala", "Swift",
    "Ruby", "PHP", "Perl", "Lua", "Julia", "Elixir", "Erlang", "Haskell", "Clojure", "Dart", "C++",
    "C#", "Node",
)  # fmt: skip
"""Names that mean a language wherever they stand in a sentence."""
_WORD: Final = re.compile(r"[\w+#]+")


def language_of(path: str) -> str:
    """Name the programming language of a file; empty: it is in none, or not in a known one."""
    name = path.rpartition("/")[2]
    return _NAMES.get(name) or _ENDINGS.get(name.rpartition(".")[2].lower(), "")


def endings_of(language: str) -> list[str]:
    """Give the endings of files in a language, by our name of it."""
    return [ending for ending, name in _ENDINGS.items() if name == language]


def languages_named(text: str) -> set[str]:
    """Give our names of the languages that a sentence names; what runs as another counts, too."""
    names = {name.lower() for name in _AMONG_WORDS}
    words = _WORD.findall(text)
    # In small letters it is a verb.
    named = {known_as(word) for word in words if word.lower() in names or word == "Go"}
    return named | ({"javascript", "typescript"} if named & {"javascript", "typescript"} else set())


def known_as(alias: str) -> str:
    """Give our name of a language that somebody names: ``JS`` is javascript."""
    name = alias.strip().lower()
    return _ALIASES.get(name, name)
