"""Make the packs that are part of gitmem: ``gitmem/packs/NAME.tar.gz`` out of ``packs/NAME.yaml``.

    python scripts/packs.py capture c             # make every error of a pack, apply its answer
    python scripts/packs.py capture c undeclared  # one of them
    python scripts/packs.py write                 # write the archives

An entry is a table: files and a command that fails, why it does, what to do, and what that changes
in the files. ``capture`` runs the command with the real tools, keeps what it prints in
``tests/corpus/packs/NAME.txt``, makes the change and runs it again: now it must succeed. ``write``
needs no tools: an error record is what gitmem reads out of the kept output.

``packs/NAME.records.yaml`` holds records as they are, one YAML document each.
"""

import argparse
import datetime as dt
import hashlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

import yaml

from gitmem.matching.parse import parse
from gitmem.matching.titles import title_of
from gitmem.records import codec
from gitmem.records.convert import encode, from_data
from gitmem.records.kinds import Record
from gitmem.records.layout import make_id, path_for
from gitmem.store.archives import packed

ROOT: Final = Path(__file__).resolve().parent.parent
SOURCES: Final = ROOT / "packs"
ARCHIVES: Final = ROOT / "gitmem" / "packs"
OUTPUTS: Final = ROOT / "tests" / "corpus" / "packs"
CREATED: Final = dt.datetime(2026, 11, 23, tzinfo=dt.UTC)
_AUTHOR: Final = {"name": "gitmem", "via": "tool", "tool": "gitmem"}
_WORDS: Final = frozenset(
    {"run", "needs", "reads", "why", "do", "swap", "green", "shows", "tags", "category"}
)
"""What an entry says of itself; all its other keys are files."""
_CATEGORIES: Final = {
    "ld": "LINK", "c": "COMPILE", "rust": "COMPILE", "go": "COMPILE", "java": "COMPILE",
    "make": "BUILD", "shell": "COMMAND", "actions": "WORKFLOW", "docker": "CONTAINER",
}  # fmt: skip
"""The category of an error by the first of its tags that is named here, else by its pack."""
_HEAD: Final = re.compile(r"^==== (\S+)\n", re.MULTILINE)
_SECONDS: Final = 120


class WrongEntry(Exception):  # noqa: N818  it is caught at the end of this file
    """An entry does not do what it says."""


class Entry(NamedTuple):
    """One error of a pack.

    Attributes:
        pack, name: what they are called; the ids of the records follow from both.
        run: the command that fails, for a shell.
        needs: the tool that must be there to run it.
        why: the cause, in one line.
        advice: what to do; the first line is the title of the fix, the others are its steps.
        files: contents by path.
        green: files that applying the answer writes.
        then: the command that must succeed then; a shell runs it.
        shows: part of the message, where the output has several.
        tags: of both records, beside the name of the pack.
        category: of the error; empty: that of its tags or its pack.

    """

    pack: str
    name: str
    run: str
    needs: str
    why: str
    advice: tuple[str, ...]
    files: dict[str, str]
    green: dict[str, str]
    then: str
    shows: str
    tags: tuple[str, ...]
    category: str


def entries(pack: str) -> list[Entry]:
    """Read the table of a pack; empty where it has none."""
    path = SOURCES / f"{pack}.yaml"
    if not path.exists():
        return []
    table = yaml.safe_load(path.read_text(encoding="utf-8"))
    return [_entry(pack, name, fields) for name, fields in table.items()]


def _entry(pack: str, name: str, fields: Mapping[str, Any]) -> Entry:
    files = {path: text for path, text in fields.items() if path not in _WORDS}
    green = dict(fields.get("green", {}))
    run = fields["run"]
    then = green.pop("run", run)
    for old, new in fields.get("swap", {}).items():
        homes = [path for path, text in files.items() if old in text]
        if not homes and old not in then:
            raise WrongEntry(f"{pack} {name}: nothing holds {old!r}")
        for path in homes:
            green[path] = green.get(path, files[path]).replace(old, new)
        then = then.replace(old, new)
    words = run.split()
    needs = fields.get("needs") or words[0]
    advice = fields["do"] if isinstance(fields["do"], list) else [fields["do"]]
    return Entry(
        pack, name, run, needs, fields["why"], tuple(advice), files, green, then,
        fields.get("shows", ""), tuple(fields.get("tags", [needs])),
        fields.get("category", ""),
    )  # fmt: skip


def outputs(pack: str) -> dict[str, str]:
    """Read what the entries of a pack printed, by their names."""
    path = OUTPUTS / f"{pack}.txt"
    if not path.exists():
        return {}
    _, *parts = _HEAD.split(path.read_bytes().decode())
    return dict(zip(parts[::2], parts[1::2], strict=True))


# Making an error


def capture(entry: Entry) -> str:
    """Make an error and apply its answer; give what the tool printed.

    Raises:
        WrongEntry: its tool is missing, or the command succeeds, or fails with the answer applied.

    """
    if not shutil.which(entry.needs):
        raise WrongEntry(f"{entry.pack} {entry.name}: there is no {entry.needs} here")
    home = Path(tempfile.mkdtemp(prefix="pack-"))
    place = home / "app"
    try:
        place.mkdir()
        _put(place, entry.files)
        status, output = _run(place, entry.run)
        if not status:
            raise WrongEntry(f"{entry.pack} {entry.name}: it succeeds\n{output}")
        _put(place, entry.green)
        status, after = _run(place, entry.then)
        if status:
            raise WrongEntry(f"{entry.pack} {entry.name}: fails with the answer applied\n{after}")
        return output
    finally:
        _run(home, "chmod -R u+w .")
        shutil.rmtree(home)


def _put(place: Path, files: Mapping[str, str | None]) -> None:
    for name, text in files.items():
        path = place / name
        if text is None:
            path.unlink()
            continue
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode())


def _run(place: Path, command: str) -> tuple[int, str]:
    environ = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
    environ |= {"LC_ALL": "C.UTF-8", "TERM": "dumb", "CARGO_TERM_COLOR": "never", "NO_COLOR": "1"}
    environ |= {"CARGO_NET_OFFLINE": "true", "GOPROXY": "off", "GOFLAGS": "-mod=mod"}
    # No engine is ever asked: what docker's client alone says is all that its pack holds.
    environ |= {"DOCKER_HOST": "unix:///run/no-engine.sock", "DOCKER_CONFIG": "/run/no-config"}
    # Nobody's settings of git, and a name for commits.
    environ |= {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull}
    environ |= {"GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": "init.defaultBranch"}
    environ |= {"GIT_CONFIG_VALUE_0": "main", "GIT_TERMINAL_PROMPT": "0", "GIT_EDITOR": "true"}
    for role in ("AUTHOR", "COMMITTER"):
        environ |= {f"GIT_{role}_NAME": "Ann", f"GIT_{role}_EMAIL": "ann@example.org"}
    environ |= {"RUST_BACKTRACE": "0", "GOTOOLCHAIN": "local", "USER": "ann"}
    process = subprocess.run(
        ["bash", "-c", command],
        cwd=place, env=environ, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT, timeout=_SECONDS, check=False,
    )  # fmt: skip
    text = process.stdout.decode(errors="replace")
    return process.returncode, text.replace(str(place), "/app").replace(str(place.parent), "")


# Records


def records(pack: str) -> Iterator[Record]:
    """Give the records of a pack: those that are written down, and those of its table."""
    path = SOURCES / f"{pack}.records.yaml"
    if path.exists():
        for text in path.read_bytes().split(b"---\n")[1:]:
            yield from_data(codec.load(text))
    printed = outputs(pack)
    for number, entry in enumerate(entries(pack)):
        # Of several that a message leads to, the first of the table is told: the general case.
        created = CREATED + dt.timedelta(seconds=number)
        yield from entry_records(entry, printed[entry.name], created)


def entry_records(entry: Entry, output: str, created: dt.datetime) -> tuple[Record, Record]:
    """Give the error and the fix of an entry."""
    fields = failure_fields(entry, output)
    error_id, fix_id = _id("error", entry), _id("fix", entry)
    base = {
        "schema": 1, "created": created.isoformat().replace("+00:00", "Z"), "author": _AUTHOR,
        "tags": list(dict.fromkeys([entry.pack, *entry.tags])),
    }  # fmt: skip
    error = from_data(
        {"id": error_id, "kind": "error", "title": title_of(fields)} | base
        | fields | {"cause": entry.why, "category": _category(entry)}
    )  # fmt: skip
    title, *steps = entry.advice
    fix = from_data(
        {"id": fix_id, "kind": "fix", "title": title, "links": {"fixes": [error_id]}} | base
        | {"approach": title, "cause": entry.why, "steps": steps or [title]}
    )  # fmt: skip
    return error, fix


def failure_fields(entry: Entry, output: str) -> dict[str, Any]:
    """Give what gitmem reads out of an output of an entry's error, less where it was."""
    failures = parse(output.encode())
    for failure in failures:
        if entry.shows in f"{failure.error_type} {failure.code} {failure.message}":
            return {
                name: value
                for name in ("error_type", "code", "message", "tool", "language", "excerpt")
                if (value := getattr(failure, name))
            }
    raise WrongEntry(f"{entry.pack} {entry.name}: no failure with {entry.shows!r} in\n{output}")


def _category(entry: Entry) -> str:
    if entry.category:
        return entry.category
    named = [name for name in (*entry.tags, entry.pack) if name in _CATEGORIES]
    return _CATEGORIES[named[0]]


def _id(kind: str, entry: Entry) -> str:
    return make_id(kind, hashlib.sha256(f"{kind} {entry.pack} {entry.name}".encode()).digest())


def files(pack: str) -> dict[str, bytes]:
    """Give the record files of a pack by path."""
    return {
        path_for(record.KIND, record.id, record.title, record.created): encode(record)
        for record in records(pack)
    }


def names() -> list[str]:
    """Name all packs."""
    return sorted({path.name.partition(".")[0] for path in SOURCES.glob("*.yaml")})


def main(arguments: Sequence[str] | None = None) -> int:
    """Do what the command line says."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else "")
    parser.add_argument("command", choices=("capture", "write"))
    parser.add_argument("pack", nargs="?", default="")
    parser.add_argument("entry", nargs="*")
    options = parser.parse_args(arguments)
    packs = [options.pack] if options.pack else names()
    if options.command == "write":
        for pack in packs:
            (ARCHIVES / f"{pack}.tar.gz").write_bytes(packed(files(pack)))
        return 0
    wrong = 0
    for pack in packs:
        printed = outputs(pack)
        table = entries(pack)
        for entry in table:
            if options.entry and entry.name not in options.entry:
                continue
            try:
                printed[entry.name] = capture(entry)
                failure_fields(entry, printed[entry.name])
            except WrongEntry as error:
                wrong += 1
                sys.stderr.write(f"{error}\n")
        OUTPUTS.mkdir(exist_ok=True)
        text = "".join(
            f"==== {entry.name}\n{printed[entry.name]}" for entry in table if entry.name in printed
        )
        (OUTPUTS / f"{pack}.txt").write_bytes(text.encode())
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
