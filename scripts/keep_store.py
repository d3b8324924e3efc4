"""Keep a store as a version of gitmem writes it, for the tests that later ones open it.

    python scripts/keep_store.py 0.2.0              # as the commit of the tag v0.2.0 writes it
    python scripts/keep_store.py 0.2.0 --at 1a2b3c  # as another commit does

The code of that commit runs a small story: records of every kind, an archive, watched runs, a
draft, a proposal of an assistant, settings of the team and of the user, an export and a backup.
All that outlives its processes goes into ``tests/corpus/stores/VERSION.tar.gz``; what the version
itself says of it into ``VERSION.json``. Nothing in either is written by hand.
"""

import argparse
import gzip
import io
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final, NamedTuple

from gitmem.system import lock_file

ROOT: Final = Path(__file__).resolve().parent.parent
STORES: Final = ROOT / "tests" / "corpus" / "stores"
USAGE: Final = 2
_PLACE: Final = Path("/tmp/gitmem-kept-store")  # noqa: S108  always the same, see place
_ID: Final = re.compile(r"\b(?:err|fix|dec|ses|pat|note)-[0-9a-z]{10}\b")
_CACHES: Final = frozenset({".cache", "pieces"})
"""What is large, and made anew: answers of packs, and pieces of words."""
TOTAL: Final = """\
def total(prices):
    return sum(prices) / rate


print(total([1, 2]))
"""
_FAILING: Final = TOTAL
_WRONG: Final = f"rate = '2'\n\n\n{TOTAL}"
_MENDED: Final = f"rate = 2\n\n\n{TOTAL}"
_LATER: Final = "import colours\n\nprint(colours.RED)\n"


class Failure(Exception):  # noqa: N818  it is caught at the end of this file
    """A command of the story failed that must not."""


class Version(NamedTuple):
    """A gitmem that can be run: a folder with its code, and a home of its own."""

    code: Path
    home: Path

    def run(self, folder: Path, *words: str, stdin: str = "") -> "subprocess.CompletedProcess[str]":
        """Run its command line in a folder."""
        return subprocess.run(
            [sys.executable, "-m", "gitmem", *words],
            cwd=folder,
            input=stdin,
            env=self.environment(),
            capture_output=True,
            encoding="utf-8",
            check=False,
            timeout=100,
        )

    def ok(self, folder: Path, *words: str, stdin: str = "") -> str:
        """Run a command that must succeed; give what it prints."""
        done = self.run(folder, *words, stdin=stdin)
        if done.returncode:
            command = " ".join(words)
            raise Failure(f"$ gitmem {command}\n{done.stdout}{done.stderr}code {done.returncode}")
        return done.stdout

    def environment(self) -> dict[str, str]:
        """Give variables that lead to its code and its home, and to no settings of this user."""
        return {
            "PATH": os.pathsep.join((str(Path(sys.executable).parent), os.environ["PATH"])),
            "PYTHONPATH": str(self.code),
            "PYTHONDONTWRITEBYTECODE": "1",
            "HOME": str(self.home),
            "LC_ALL": "C.UTF-8",
            "TZ": "UTC",
            "GIT_CONFIG_NOSYSTEM": "1",
        }


class Story(NamedTuple):
    """What was done with a version, and what it says of the outcome.

    Attributes:
        expected: by name of the question, what the answers come to; see ``answers``.
        lacking: commands of the story that the version does not have.

    """

    expected: dict[str, Any]
    lacking: list[str]


@contextmanager
def place() -> Iterator[Path]:
    """Give the one folder in which stores are written and opened, empty and to oneself.

    The journal says in which folder a command was watched, and belongs to that one alone.
    """
    above = os.open(_PLACE.parent, os.O_RDONLY)
    try:
        lock_file(above, wait=True)
        shutil.rmtree(_PLACE, ignore_errors=True)
        _PLACE.mkdir(mode=0o700)
        yield _PLACE
    finally:
        shutil.rmtree(_PLACE, ignore_errors=True)
        os.close(above)


def code_of(commit: str, folder: Path, repository: Path = ROOT) -> Path:
    """Lay the code of a commit into a folder."""
    done = subprocess.run(
        ["git", "archive", commit, "gitmem", "lsp_server"],
        cwd=repository, capture_output=True, check=False,
    )  # fmt: skip
    if done.returncode:
        raise Failure(f"the repository has no commit {commit}: {done.stderr.decode().strip()}")
    with tarfile.open(fileobj=io.BytesIO(done.stdout)) as tar:
        tar.extractall(folder, filter="data")
    return folder


def tell(version: Version, shop: Path) -> Story:
    """Run the story in an empty folder.

    Args:
        version: who writes.
        shop: the folder; it becomes a repository with a memory.

    """
    lacking: list[str] = []

    def step(*forms: Sequence[str], stdin: str = "") -> str:
        """Run the first form of a command that the version knows; give the id it prints."""
        for words in forms:
            done = version.run(shop, *words, stdin=stdin)
            if done.returncode == 0:
                printed = _ID.search(done.stdout)
                return printed[0] if printed else ""
            if done.returncode != USAGE:
                raise Failure(f"$ gitmem {' '.join(words)}\n{done.stdout}{done.stderr}")
        lacking.append(" ".join(forms[0][:2]))
        return ""

    _git(version, shop, "init", "-q", "--template=", "-b", "main", ".")
    _git(version, shop, "config", "--global", "user.name", "Ann")
    _git(version, shop, "config", "--global", "user.email", "ann@example.org")
    step(["init"])
    step(["config", "--team", "search.limit", "7"])
    step(["config", "--user", "ui.color", "never"])
    (shop / "tax.py").write_text(_FAILING, encoding="utf-8")
    (shop / "about.txt").write_text("Sums of prices.\n", encoding="utf-8")
    error = step(["add", "error", "--type", "OSError", "--message", "no marble here",
                  "--location", "tax.py:2"])  # fmt: skip
    step(["resolve", error, "bring marble"])
    old = step(["add", "error", "--type", "OSError", "--message", "no copper here"])
    step(["resolve", old, "bring copper"])
    decision = step(["add", "decision", "--title", "Use UTC", "--rationale", "one clock",
                     "--governs", "tax.py"])  # fmt: skip
    newer = ["supersede", decision, "--title", "Use UTC with zones", "--rationale", "travellers"]
    step(newer, ["edit", *newer])
    step(["add", "pattern", "--title", "Retry", "--language", "python", "--code", "-"],
         stdin="while True:\n    work()\n")  # fmt: skip
    step(["add", "note", "--title", "Grüße", "--body", "zeile\nzwei\n"])
    step(["add", "error", "--type", "KeyError", "--message", "'rate'", "--attach", "about.txt"])
    step(["session", "start", "mend", "the", "tax"])
    step(["session", "log", "decision", "divide by the rate"])
    step(["session", "end", "--success"])
    _git(version, shop, "add", "-A")
    _git(version, shop, "commit", "-qm", "begin")
    step(["archive", old, "--apply"], ["archive", old, "--yes"], ["archive", old])
    # A failure that is mended is recorded, another one becomes a draft, and one stays.
    for mode, texts in (("auto", (_FAILING, _MENDED)), ("draft", (_WRONG, _MENDED, _LATER))):
        step(["config", "--user", "capture.mode", mode])
        for text in texts:
            (shop / "tax.py").write_text(text, encoding="utf-8")
            version.run(shop, "run", "--", "python3", "tax.py")
    step(["session", "start", "find", "the", "colours"])
    if not _propose(version, shop):
        lacking.append("mcp --write draft")
    step(["export", "export.json"], ["backup", "export", "export.json"])
    step(["backup", "backup.gz"])
    return Story(answers(version, shop), lacking)


def answers(version: Version, shop: Path) -> dict[str, Any]:
    """Ask a version what it finds in a folder: records with status, drafts, runs, settings."""
    rows = json.loads(version.ok(shop, "list", "--json", "--limit", "100"))
    return {
        "records": {
            row["id"]: {"title": row["title"], "kind": row["kind"], "status": row.get("status", "")}
            for row in rows["records"]
        },
        "drafts": _heads(version.ok(shop, "drafts")),
        "runs": _heads(version.ok(shop, "runs")),
        "limit": version.ok(shop, "config", "search.limit").strip(),
    }


def _heads(text: str) -> int:
    """Count the entries of a list, whose further lines are indented."""
    return len([line for line in text.splitlines() if line[:1].strip()])


def _git(version: Version, folder: Path, *words: str) -> None:
    subprocess.run(["git", *words], cwd=folder, env=version.environment(), check=True)


def _propose(version: Version, shop: Path) -> bool:
    """Let an assistant propose a decision; tell whether the version can be asked to."""
    client = {"name": "assistant", "version": "1"}
    hello = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": client}
    arguments = {"decision": "Ask the bank for rates", "rationale": "it knows"}
    offers_all = "--coding-tools" in version.run(shop, "mcp", "--help").stdout
    more = ["--coding-tools"] if offers_all else []  # older versions always offer them
    decision = {"name": "coding_record_decision", "arguments": arguments}
    with subprocess.Popen(
        [sys.executable, "-m", "gitmem", "mcp", "--write", "draft", *more],
        cwd=shop, env=version.environment(), stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        stderr=subprocess.PIPE, encoding="utf-8",
    ) as server:  # fmt: skip
        assert server.stdin  # noqa: S101  as asked for
        assert server.stdout  # noqa: S101

        def ask(number: int, method: str, parameters: dict[str, Any]) -> dict[str, Any] | None:
            message = {"jsonrpc": "2.0", "id": number, "method": method, "params": parameters}
            print(json.dumps(message), file=server.stdin, flush=True)
            line = server.stdout.readline() if server.stdout else ""
            return json.loads(line) if line else None

        try:
            if ask(1, "initialize", hello) is None:
                return False
            ready = {"jsonrpc": "2.0", "method": "notifications/initialized"}
            print(json.dumps(ready), file=server.stdin, flush=True)
            answer = ask(2, "tools/call", decision)
        except BrokenPipeError:
            return False
    if answer is None or answer.get("error") or answer["result"].get("isError"):
        raise Failure(f"the assistant could not propose a decision: {answer}")
    return True


def pack(shop: Path, home: Path) -> bytes:
    """Put a repository and a home into one archive, without caches, times and owners."""
    tape = io.BytesIO()
    with tarfile.open(fileobj=tape, mode="w", format=tarfile.PAX_FORMAT) as tar:
        for top, name in ((shop, "shop"), (home, "home")):
            for path in sorted(top.rglob("*")):
                plain = path.is_file() and not path.is_symlink()
                if plain and not _CACHES.intersection(path.parts):
                    info = tarfile.TarInfo(f"{name}/{path.relative_to(top)}")
                    data = path.read_bytes()
                    info.size, info.mode = len(data), 0o644
                    tar.addfile(info, io.BytesIO(data))
    return gzip.compress(tape.getvalue(), 9, mtime=0)


def main() -> int:
    """Run as a script."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("version")
    parser.add_argument("--at", help="a commit; default: the tag of the version")
    asked = parser.parse_args()
    commit = asked.at or f"v{asked.version}"
    shown = subprocess.run(["git", "show", "-s", "--format=%H %cs", commit, "--"], cwd=ROOT,
                           capture_output=True, text=True, check=False)  # fmt: skip
    if shown.returncode:
        print(f"there is no commit {commit}", file=sys.stderr)
        return 1
    full, day = shown.stdout.split()
    try:
        with tempfile.TemporaryDirectory() as code, place() as top:
            for name in ("home", "shop"):
                (top / name).mkdir()
            version = Version(code_of(full, Path(code)), top / "home")
            story = tell(version, top / "shop")
            # It says where this Python lies.
            _git(version, top / "shop", "config", "merge.gitmem.driver", "true")
            data = pack(top / "shop", top / "home")
    except Failure as failure:
        print(failure, file=sys.stderr)
        return 1
    STORES.mkdir(parents=True, exist_ok=True)
    about = {"version": asked.version, "commit": full, "day": day, "lacking": story.lacking,
             "expected": story.expected}  # fmt: skip
    (STORES / f"{asked.version}.tar.gz").write_bytes(data)
    text = json.dumps(about, ensure_ascii=False, indent=1, sort_keys=True) + "\n"
    (STORES / f"{asked.version}.json").write_text(text, encoding="utf-8")
    print(f"{asked.version}: {len(story.expected['records'])} records, {len(data)} bytes;"
          f" lacking: {', '.join(story.lacking) or 'nothing'}")  # fmt: skip
    return 0


if __name__ == "__main__":
    sys.exit(main())
