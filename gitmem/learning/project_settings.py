"""Which tools a project uses, by its configuration files and sections of manifests. Pure."""

from collections.abc import Iterable
from fnmatch import fnmatchcase
from typing import Final

from gitmem.learning.manifests import Manifest

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


def tools(paths: Iterable[str], manifests: Iterable[Manifest]) -> list[tuple[str, str]]:
    """Name the tools that are set up, each with the file that says so."""
    folders: dict[str, str] = {}
    for path in paths:
        name = path.rpartition("/")[2]
        for folder, tool in _FOLDERS.items():
            if path.startswith(folder):
                folders.setdefault(tool, folder)
        for form, tool in _TOOLS.items():
            if fnmatchcase(name, form):
                folders.setdefault(tool, path)
    for manifest in manifests:
        for tool in manifest.tools:
            folders.setdefault(tool, manifest.path)
    return sorted(folders.items())
