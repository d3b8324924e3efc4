"""The language of code by the end of a file's name."""

import os
from typing import Final

_LANGUAGES: Final = {
    ".py": "python", ".pyi": "python", ".js": "javascript", ".jsx": "javascript",
    ".mjs": "javascript", ".cjs": "javascript", ".ts": "typescript", ".tsx": "typescript",
    ".java": "java", ".kt": "kotlin", ".go": "go", ".rs": "rust", ".c": "c", ".h": "c",
    ".cc": "cpp", ".cpp": "cpp", ".hpp": "cpp", ".cs": "csharp", ".rb": "ruby", ".php": "php",
}  # fmt: skip


def language_of(path: str) -> str:
    """Name the language of a file; empty: it is not known."""
    return _LANGUAGES.get(os.path.splitext(path)[1], "")
