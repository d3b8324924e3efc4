"""Build the packages, install the wheel in an empty environment, and use it there.

Nothing of the source tree is on the path: what is tested is what users get. Prints one line;
on a failure, the command that failed with all its output, and exits 1.
"""

import os
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
NEEDED = ("gitmem/py.typed", "lsp_server/py.typed", ".dist-info/licenses/LICENSE")
FORBIDDEN = ("tests/", "benchmarks/", "scripts/", "examples/", "docs/")


class Failure(Exception):  # noqa: N818  it is caught four lines further down
    """Something that is not as it should be, with what to show."""


class Shell(NamedTuple):
    """Runs commands in one folder, away from the settings of whoever runs this."""

    folder: Path
    environment: dict[str, str]

    def __call__(self, *command: str | Path) -> str:
        """Run a command; give its output, or raise with all of it."""
        words = [str(word) for word in command]
        done = subprocess.run(
            words,
            cwd=self.folder,
            env=self.environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            encoding="utf-8",
            errors="replace",
            check=False,
        )
        if done.returncode:
            raise Failure(f"$ {' '.join(words)}\n{done.stdout}exit code {done.returncode}")
        return done.stdout


def sealed(home: Path) -> dict[str, str]:
    """Give an environment with its own home and no Python, git or gitmem settings."""
    kept = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("PYTHON", "GIT", "VIRTUAL_ENV", "XDG_"))
    }
    return kept | {
        "HOME": str(home),
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_CONFIG_GLOBAL": os.devnull,
        "PYTHONSAFEPATH": "1",
        "PIP_DISABLE_PIP_VERSION_CHECK": "1",
        "PIP_NO_INPUT": "1",
    }


def build(folder: Path) -> Path:
    """Build the source archive, and from it (so that it is complete) the wheel."""
    environment = dict(os.environ)
    Shell(ROOT, environment)(
        sys.executable, "-m", "build", "--no-isolation", "--outdir", folder, ROOT
    )
    wheels = list(folder.glob("*.whl"))
    if len(wheels) != 1 or not list(folder.glob("*.tar.gz")):
        raise Failure(f"expected a wheel and a source archive, got {sorted(folder.iterdir())}")
    return wheels[0]


def inspect(wheel: Path) -> None:
    """Refuse a wheel that lacks something, or carries what is not for users."""
    names = zipfile.ZipFile(wheel).namelist()
    for needed in NEEDED:
        if not any(name.endswith(needed) for name in names):
            raise Failure(f"{needed} is not in {wheel.name}")
    for name in names:
        if name.startswith(FORBIDDEN) or name.endswith(".pyc"):
            raise Failure(f"{name} should not be in {wheel.name}")


def use(wheel: Path, folder: Path, python: str = sys.executable) -> str:
    """Install the wheel in an empty environment and run through a first minute with it.

    Args:
        wheel: what is tried.
        folder: a new one; the environment stays in ``venv`` in it.
        python: what the environment is made of.

    """
    home, project, environment = folder / "home", folder / "project", folder / "venv"
    home.mkdir()
    project.mkdir()
    # To install, the user's own settings (proxies, indexes) are needed; to run, none are.
    install = Shell(folder, dict(os.environ))
    install(python, "-m", "venv", environment)
    scripts = environment / "bin"
    install(scripts / "python", "-m", "pip", "-qq", "--no-input", "install", wheel)
    run = Shell(project, sealed(home))
    gitmem = scripts / "gitmem"

    place = run(scripts / "python", "-c", "import gitmem; print(gitmem.__file__)").strip()
    if not Path(place).is_relative_to(environment):
        raise Failure(f"gitmem was imported from {place}, not from the wheel")
    version = run(gitmem, "--version").strip()
    if wheel.name.split("-")[1] not in version:
        raise Failure(f"{wheel.name} says it is {version!r}")
    if "search" not in run(gitmem, "--help"):
        raise Failure("gitmem --help does not name search")

    run("git", "init", "--quiet")
    run("git", "config", "user.name", "Zoë")
    run("git", "config", "user.email", "zoe@example.org")
    run(gitmem, "init")
    run(gitmem, "add", "note", "--title", "The staging database is reset at night")
    found = run(gitmem, "search", "staging database")
    if "reset at night" not in found:
        raise Failure(f"gitmem search does not find what was added:\n{found}")
    if not list((project / ".memory" / "notes").rglob("*.yaml")):
        raise Failure("gitmem add wrote no file")
    run(gitmem, "check")
    return version


def main() -> int:
    """Run as a script."""
    with tempfile.TemporaryDirectory(prefix="gitmem-wheel-") as name:
        folder = Path(name)
        try:
            wheel = build(folder / "dist")
            inspect(wheel)
            version = use(wheel, folder)
        except Failure as failure:
            print(failure, file=sys.stderr)
            return 1
    print(f"{wheel.name}: installs and works ({version})")
    return 0


if __name__ == "__main__":
    sys.exit(main())
