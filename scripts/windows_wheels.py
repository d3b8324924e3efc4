"""Install what gitmem needs on Windows, and what its tests need there.

    python scripts/windows_wheels.py            into this Python, a Windows one
    python scripts/windows_wheels.py FOLDER     its wheels into a folder, from any system

pip resolves for the Python it runs in, whose markers (``sys_platform``) it takes for true, so what
only Windows needs is named here.
"""

import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Final

PYTHON: Final = "3.14"
_ONLY_THERE: Final = ("colorama", "pywin32")
"""What click, mcp and pytest need there alone."""
_TESTS: Final = (
    "hypothesis",
    "markdown-it-py[linkify]",
    "pytest",
    "pytest-lsp",
    "pytest-timeout",
    "ruamel.yaml",
    "tree-sitter",
)


def main() -> int:
    """Install it; give pip's exit code."""
    project = tomllib.loads(Path("pyproject.toml").read_text(encoding="utf-8"))["project"]
    wanted = [*project["dependencies"], *_ONLY_THERE]
    extras = project["optional-dependencies"]
    for extra in ("mcp", "serve", "code", "llm"):
        wanted += [need for need in extras.get(extra, ()) if not need.startswith("gitmem")]
    wanted += _TESTS
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    if folders := sys.argv[1:]:
        pip += ["--platform", "win_amd64", "--python-version", PYTHON, "--implementation", "cp"]
        pip += ["--only-binary=:all:", "--upgrade", "--target", *folders]
    else:
        pip += ["--editable", "."]
    return subprocess.run([*pip, *wanted], check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
