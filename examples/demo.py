"""What gitmem does, shown on real tools in a throw-away repository.

``python examples/demo.py [--keep]``: needs git and the installed ``gitmem``, nothing else. Every
line behind a ``$`` is run and what follows it is what it said. Each step is also checked; if one
does not do what it should, the demo stops and exits with 1.
"""

import argparse
import compileall
import importlib.util
import os
import re
import shutil
import subprocess
import sys
import tempfile
import textwrap
import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Final, NamedTuple

HERE: Final = Path(__file__).resolve().parent
ID: Final = re.compile(r"(?:err|fix|dec|ses|pat|note)-[0-9a-z]{10}")
SECONDS: Final = 60
MOST_LINES: Final = 12


class DemoError(Exception):
    """A step did not do what it should."""


class Scene(NamedTuple):
    """One broken program; ``scenes.toml`` tells what the fields mean."""

    folder: str
    tool: str
    command: str
    says: str
    type: str
    file: str
    flags: str
    fix: str


def scenes() -> dict[str, Scene]:
    """Read what there is to show, by folder."""
    told = tomllib.loads((HERE / "scenes.toml").read_text(encoding="utf-8"))
    return {folder: Scene(folder=folder, **fields) for folder, fields in told.items()}


SCENES: Final = scenes()
NAIVE: Final = SCENES["python-naive-datetime"]
IMPORT: Final = SCENES["python-missing-module"]
PRICE: Final = SCENES["python-failing-test"]
SHELL: Final = SCENES["shell-command-not-found"]


class Terminal:
    """Runs commands in one folder and prints what they say.

    Args:
        folder: where commands run.
        environment: all they get to see of the environment.
        colour: whether to print in colour.

    """

    def __init__(self, folder: Path, environment: dict[str, str], *, colour: bool) -> None:
        self.folder = folder
        self.environment = environment
        self.colour = colour

    def paint(self, text: str, code: str) -> str:
        """Colour ``text``, on a terminal."""
        return f"\x1b[{code}m{text}\x1b[0m" if self.colour else text

    def title(self, text: str) -> None:
        """Print a heading."""
        print(f"\n{self.paint(text, '1')}\n{self.paint('-' * len(text), '2')}")

    def say(self, text: str) -> None:
        """Print a caption."""
        for line in textwrap.wrap(text, 88):
            print(self.paint(f"# {line}", "2"))

    def run(
        self, command: str, *, fails: bool = False, has: Sequence[str] = (), most: int = MOST_LINES
    ) -> str:
        """Run a command, print it with what it said, and check that; give the whole output."""
        print(self.paint("$ ", "2") + self.paint(command, "36"))
        code, said = self.quiet(command)
        lines = said.splitlines()
        print(*lines[:most], sep="\n", end="\n" if lines else "")
        if len(lines) > most:
            left = len(lines) - most
            print(self.paint(f"  … {left} more line{'s' if left > 1 else ''}", "2"))
        if (code != 0) != fails:
            raise DemoError(f"exit code {code} of: {command}\n{said}")
        if missing := [text for text in has if text not in said]:
            raise DemoError(f"{missing[0]!r} is not in the output of: {command}\n{said}")
        return said

    def quiet(self, command: str) -> tuple[int, str]:
        """Run a command without printing; give its exit code and output."""
        try:
            done = subprocess.run(
                ["sh", "-c", command],
                cwd=self.folder,
                env=self.environment,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                timeout=SECONDS,
                check=False,
            )
        except subprocess.TimeoutExpired:
            raise DemoError(f"no answer after {SECONDS} s: {command}") from None
        return done.returncode, done.stdout.decode(errors="replace")


def must(truth: object, what: str) -> None:
    """Stop the demo unless ``truth`` holds."""
    if not truth:
        raise DemoError(f"this does not hold: {what}")


def new_id(said: str) -> str:
    """Read the id that gitmem printed first."""
    found = ID.search(said)
    if not found:
        raise DemoError(f"no id in: {said}")
    return found[0]


def quoted(text: str) -> str:
    """Quote ``text`` for the shell so that people can read it."""
    return '"' + re.sub(r'([\\"$`])', r"\\\1", text) + '"'


def place(scene: Scene, said: str) -> str:
    """Look up where the mistake shows: Python names the innermost line last, others first."""
    name = re.escape(Path(scene.file).name)
    lines = re.findall(rf"{name}(?:\", line |: line |: |:|\()(\d+)", said) if scene.file else []
    if not lines:
        return ""
    line = lines[-1] if scene.tool == "python3" else lines[0]
    return f" --location {scene.file}:{line}"


def fail(terminal: Terminal, scene: Scene) -> str:
    """Run a broken program, and write down what it says; give the error's id."""
    said = terminal.run(scene.command, fails=True, has=[scene.says])
    (terminal.folder.parent / "output.txt").write_text(said, encoding="utf-8")
    line = next(line for line in said.splitlines() if scene.says in line)
    message = line[line.find(scene.says) :].strip().removeprefix(f"{scene.type}: ")
    made = terminal.run(
        f"gitmem add error --type {scene.type} --message {quoted(message)} {scene.flags}"
        f"{place(scene, said)} --command {quoted(scene.command)} --excerpt - < ../output.txt"
    )
    return new_id(made)


def watch(terminal: Terminal, scene: Scene) -> list[str]:
    """Let gitmem watch a program fail, be mended, pass; commit; give the ids of what it learnt."""
    folder, _, program = scene.command.rpartition(" && ")
    command = f"{folder} && gitmem run -- {program}" if folder else f"gitmem run -- {program}"
    terminal.run(command, fails=True, has=[scene.says, "gitmem: new"])
    terminal.run(f"git apply --directory={scene.folder} ../patches/{scene.folder}.patch")
    said = terminal.run(command, has=["gitmem: learnt", "recorded as"])
    terminal.run(f"git add -A && git commit -qm {quoted(scene.fix)}")
    return ID.findall(said[said.index("recorded as") :])


def watched(terminal: Terminal) -> str:
    """Let gitmem watch a command fail, be mended, and its error show again; give its id."""
    terminal.title("1. Put `gitmem run --` before a command")
    terminal.run("gitmem init", has=["gitmem.yaml"])
    terminal.run('git add -A && git commit -qm "Start remembering"')
    terminal.run(f"gitmem run -- {NAIVE.command}", fails=True, has=[NAIVE.says, "gitmem: new"])
    terminal.say("Fix it and run it again: gitmem records the error and the fix.")
    terminal.run(f"git apply --directory={NAIVE.folder} ../patches/{NAIVE.folder}.patch")
    said = terminal.run(f"gitmem run -- {NAIVE.command}", has=["gitmem: learnt", "recorded as"])
    error = new_id(said)
    terminal.say("Each record is a file. It is committed, reviewed and merged like code.")
    terminal.run("git status --short --untracked-files=all", has=[".memory/errors/"])
    terminal.run('git add -A && git commit -qm "Invoices have a zone"')
    terminal.run(f"gitmem show {error}", has=["resolved", "worked"], most=24)
    return error


def elsewhere(terminal: Terminal, error: str) -> None:
    """Show the error in other code: it is known, with what ended it."""
    terminal.title("2. It fails again, in another file: it is known, with what ended it")
    file = "python-naive-datetime/reminder.py"
    command = f"gitmem run -- python3 {file}"
    terminal.run(command, fails=True, has=["gitmem: known", "worked", error])
    terminal.say("The same fix works here:")
    terminal.run(f"sed -i 's/%H:%M\")/%H:%M\").replace(tzinfo=UTC)/' {file}")
    terminal.run(command, has=["gitmem: learnt"])
    terminal.run('git add -A && git commit -qm "Reminders have a zone"')


def other_tools(terminal: Terminal) -> list[str]:
    """Record failures of whatever compilers and interpreters there are; name those skipped."""
    terminal.title("3. Other tools, other mistakes")
    skipped = []
    for scene in SCENES.values():
        if scene in (NAIVE, IMPORT, PRICE, SHELL):  # these have steps of their own
            continue
        if shutil.which(scene.tool, path=terminal.environment["PATH"]):
            watch(terminal, scene)
        else:
            skipped += [scene.tool] if scene.tool not in skipped else []
            terminal.say(f"{scene.tool} is not on this machine: {scene.folder} is skipped.")
    return skipped


def attempts(terminal: Terminal) -> None:
    """What did not work is worth as much as what did."""
    terminal.title("4. By hand: failed attempts are recorded, too")
    error = fail(terminal, IMPORT)
    terminal.run("touch python-missing-module/tools/__init__.py")
    terminal.run(IMPORT.command, fails=True, has=[IMPORT.says])
    why = "python puts the script's own folder on its path, not the one above"
    terminal.run(
        f'gitmem resolve {error} "make tools a package" --outcome failed --why-failed "{why}"'
    )
    terminal.run("rm python-missing-module/tools/__init__.py")
    works = "cd python-missing-module && python3 -m tools.report"
    terminal.run(works, has=["total: 1250 cents"])
    terminal.run(f'gitmem resolve {error} "{IMPORT.fix}" --step "{works}" --verified-by "{works}"')
    terminal.run("gitmem search billing", has=["failed", "make tools a package", "worked"])
    terminal.run('git add -A && git commit -qm "Learn how to start the report"')


def decisions(terminal: Terminal) -> None:
    """Write down three decisions of gitmem itself, and find the one about a file."""
    terminal.title("5. Decisions, with their reasons")
    terminal.run("gitmem add decision --from ../decisions.yaml", has=["Statuses are derived"])
    terminal.run("gitmem list kind:decision path:gitmem/sync.py", has=["caught up lazily"])
    terminal.run('gitmem search "why no counter" kind:decision', has=["Statuses are derived"])
    terminal.run('git add -A && git commit -qm "Decisions"')


def session(terminal: Terminal) -> None:
    """Run a session from start to end."""
    terminal.title("6. A piece of work, from start to end")
    terminal.run('gitmem session start "Round prices like a cash register" --tag price')
    learnt = watch(terminal, PRICE)
    reason = "binary floats lose half a cent"
    terminal.run(f'gitmem session log change python-failing-test/price.py --reason "{reason}"')
    wanted = ["It succeeded.", "python-failing-test/price.py", reason, *learnt]
    terminal.run("gitmem session end --success", has=wanted, most=30)
    terminal.run('git add -A && git commit -qm "Session: rounding"')


def merge(terminal: Terminal, error: str) -> None:
    """Let two branches learn something, also about the same error, and merge them."""
    terminal.title("7. Two branches learn, and are merged with plain git")
    terminal.run("git switch -qc ann")
    watch(terminal, SHELL)
    terminal.say("Meanwhile Ben, on his branch, learns something about the error of step 1.")
    terminal.run("git switch -qc ben main && git config user.name Ben")
    again = '--step "pass tzinfo to datetime()" --step "let ruff look for DTZ001"'
    terminal.run(f'gitmem resolve {error} "the same fix, and a linter rule" {again}')
    terminal.run('gitmem add note --type gotcha --title "strptime gives datetimes without a zone"')
    terminal.run('git add -A && git commit -qm "What Ben learnt"')
    terminal.run("git switch -q main && git merge -q ann && git merge -q --no-edit ben")
    terminal.run(f"gitmem search {NAIVE.type} datetime --limit 1", has=[error, "Ann", "Ben"])
    must(terminal.quiet("git ls-files --unmerged")[1] == "", "the merge has no conflict")
    terminal.run("gitmem log --limit 5", has=["strptime gives"])


def proof(terminal: Terminal) -> None:
    """Check everything."""
    terminal.title("8. Check everything")
    said = terminal.run("gitmem status", has=["1 failed", "1 succeeded"])
    must(re.search(r"error +(\d+) +\1 resolved", said), "every error is resolved")
    terminal.run("gitmem check", has=["nothing wrong"])
    terminal.run("git status --short")
    must(terminal.quiet("git status --porcelain")[1] == "", "reading changed no file")


def stage(folder: Path, gitmem: str) -> tuple[Path, dict[str, str]]:
    """Make a repository, a home and an environment that know nothing of the user's."""
    shop, home, programs = folder / "shop", folder / "home", folder / "bin"
    for made in (home, programs, folder / "patches"):
        made.mkdir()
    for source in sorted(HERE.iterdir()):
        if source.is_dir() and source.name != "__pycache__":
            ignore = shutil.ignore_patterns("fix.patch", "__pycache__", ".*")
            shutil.copytree(source, shop / source.name, ignore=ignore)
            if (source / "fix.patch").exists():
                shutil.copy(source / "fix.patch", folder / "patches" / f"{source.name}.patch")
    shutil.copy(HERE / "decisions.yaml", folder)
    (programs / "gitmem").symlink_to(gitmem)
    (programs / "python3").symlink_to(sys.executable)
    config = "[user]\n\tname = Ann\n\temail = ann@example.org\n[init]\n\tdefaultBranch = main\n"
    (home / ".gitconfig").write_text(config, encoding="utf-8")
    environment = {
        "PATH": os.pathsep.join([str(programs), os.environ.get("PATH", os.defpath)]),
        "HOME": str(home),
        "TMPDIR": str(folder),
        "XDG_CACHE_HOME": cache(folder),
        "LANG": "C.UTF-8",
        "LC_ALL": "C.UTF-8",
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_CEILING_DIRECTORIES": str(folder),
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTHONUNBUFFERED": "1",
    }
    return shop, environment


def cache(folder: Path) -> str:
    """Give the folder for what gitmem makes of its packs: one that the next demo finds again."""
    lasting = HERE.parent / "build" / "demo-cache"
    try:
        lasting.mkdir(parents=True, exist_ok=True)
    except OSError:
        return str(folder / "cache")
    return str(lasting)


def compile_gitmem() -> None:
    """Compile gitmem, once for all commands.

    They write no compiled modules themselves: those of the scenes would be out of date before
    Python can tell, as their files change within a second.
    """
    spec = importlib.util.find_spec("gitmem")
    for folder in (spec.submodule_search_locations if spec else None) or ():
        compileall.compile_dir(folder, quiet=2)


def find_gitmem() -> str:
    """Find the command: beside this Python, or on the path."""
    beside = shutil.which("gitmem", path=str(Path(sys.executable).parent))
    found = beside or shutil.which("gitmem")
    if not found:
        raise DemoError("gitmem is not installed; run: make demo")
    if not shutil.which("git"):
        raise DemoError("git is not installed")
    return str(Path(found).absolute())


def main() -> int:
    """Run the demo."""
    parser = argparse.ArgumentParser(description="show what gitmem does, on real tools")
    parser.add_argument("--keep", action="store_true", help="leave the repository to look around")
    keep = parser.parse_args().keep
    kept: Path | None = None
    colour = sys.stdout.isatty() and "NO_COLOR" not in os.environ
    try:
        with tempfile.TemporaryDirectory(prefix="gitmem-demo-") as name:
            folder = Path(name).resolve()
            shop, environment = stage(folder, find_gitmem())
            compile_gitmem()
            environment |= {"GITMEM_UI_COLOR": "always"} if colour else {}
            terminal = Terminal(shop, environment, colour=colour)
            terminal.quiet("git init -q")
            error = watched(terminal)
            elsewhere(terminal, error)
            skipped = other_tools(terminal)
            attempts(terminal)
            decisions(terminal)
            session(terminal)
            merge(terminal, error)
            proof(terminal)
            if keep:
                kept = shutil.copytree(shop, Path(tempfile.mkdtemp(prefix="gitmem-demo-")) / "shop")
    except DemoError as problem:
        print(f"\nthe demo stopped: {problem}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130
    where = (
        f"The repository is {kept}." if kept else "The repository was deleted; --keep leaves it."
    )
    print(f"\nEvery step worked. {where}")
    if skipped:
        print(f"Skipped, because they are not on this machine: {', '.join(skipped)}.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
