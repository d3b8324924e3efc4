"""The room for the system: the same names on each, kept by each, and asked for nowhere else."""

import ast
import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from gitmem import system

ROOT: Final = Path(__file__).resolve().parents[2]
_HERE: Final = "gitmem/system"
_ONE_SYSTEMS: Final = frozenset({
    "_winapi", "fcntl", "grp", "msvcrt", "posix", "pty", "pwd", "resource", "select", "syslog",
    "termios", "tty", "winreg", "platform",
})  # fmt: skip
_ASKED: Final = frozenset({"sys.platform", "os.name", "os.uname", "sys.getwindowsversion"})
_LIBRARY: Final = re.compile(r"^\w+\.(so\b|dll$|dylib$)")


def _modules() -> Iterator[tuple[str, ast.Module]]:
    for package in ("gitmem", "lsp_server"):
        for path in (ROOT / package).rglob("*.py"):
            name = path.relative_to(ROOT).as_posix()
            if not name.startswith(_HERE):
                yield name, ast.parse(path.read_text(encoding="utf-8"))


def _of_one_system(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from {alias.name for alias in node.names} & _ONE_SYSTEMS
        elif isinstance(node, ast.ImportFrom):
            yield from {node.module or ""} & _ONE_SYSTEMS
            yield from {f"{node.module}.{alias.name}" for alias in node.names} & _ASKED
        elif isinstance(node, ast.Attribute):
            yield from {ast.unparse(node)} & _ASKED
        elif isinstance(node, ast.Call) and "import_module" in ast.unparse(node.func):
            yield from {getattr(node.args[0], "value", "")} & _ONE_SYSTEMS
        elif isinstance(node, ast.Constant) and _LIBRARY.search(str(node.value)):
            yield str(node.value)


def test_nothing_else_names_a_system_or_what_only_one_has() -> None:
    named = {name: set(_of_one_system(tree)) for name, tree in _modules()}
    assert len(named) > 500
    assert {name: what for name, what in named.items() if what} == {}


def test_each_way_to_ask_for_the_system_would_be_found() -> None:
    ways = ("import fcntl", "from termios import TCSANOW", "import os\nos.name", "import platform",
            "from sys import platform", "import sys\nx = sys.platform == 'win32'",
            "import importlib\nimportlib.import_module('pwd')")  # fmt: skip
    assert [way for way in ways if not list(_of_one_system(ast.parse(way)))] == []


def _names(module: str) -> dict[str, str]:
    """Give the public names that a module defines; those of functions with their parameters."""
    tree = ast.parse((ROOT / _HERE / f"{module}.py").read_text(encoding="utf-8"))
    names: dict[str, str] = {}
    for node in tree.body:
        if isinstance(node, ast.FunctionDef):
            names[node.name] = ast.unparse(node.args)
        targets = node.targets if isinstance(node, ast.Assign) else []
        targets += [node.target] if isinstance(node, ast.AnnAssign) else []
        words = (word for target in targets for word in ast.walk(target))
        names |= {word.id: "" for word in words if isinstance(word, ast.Name)}
    return {name: given for name, given in names.items() if not name.startswith("_")}


def test_both_systems_have_the_same_names_with_the_same_parameters() -> None:
    unix, windows = _names("unix"), _names("windows")
    assert unix.keys() - windows.keys() == {"high"}  # for the command's streams on Unix
    assert windows.keys() - unix.keys() == {"found_program"}
    both = {name for name in unix.keys() & windows.keys() if unix[name] and windows[name]}
    assert len(both) > 15
    assert {name: unix[name] for name in both} == {name: windows[name] for name in both}


def _open(path: Path, flags: int = 0) -> int:
    return os.open(path, os.O_RDWR | os.O_CREAT | flags | system.OPEN_NO_LINK)


def test_a_lock_keeps_others_out_until_it_is_closed(tmp_path: Path) -> None:
    path = tmp_path / "lock"
    with system.lock(str(path), 0):
        with pytest.raises(system.LockUnavailable) as kept_out, system.lock(str(path), 0.05):
            pass
        assert kept_out.value.reason == "another process is updating it"
    with system.lock(str(path), 0):
        pass
    first, second = _open(path), _open(path)
    assert system.locked_within(first, 0, shared=True)
    assert system.locked_within(second, 0, shared=True)
    third = _open(path)
    assert not system.locked_within(third, 0)
    for handle in (first, second):
        os.close(handle)
    assert system.locked_within(third, 0)
    os.close(third)


def test_a_lock_stands_in_no_readers_way_and_changes_nothing(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"one\r\ntwo\n")
    handle = _open(path)
    system.lock_file(handle)
    assert path.read_bytes() == b"one\r\ntwo\n"
    assert system.append(handle, b"") == 0
    os.close(handle)


def test_bytes_are_read_and_written_as_they_are_at_their_place(tmp_path: Path) -> None:
    handle = _open(tmp_path / "file")
    assert system.pwrite(handle, b"\r\n\x1a\x00end", 3) == 7
    assert system.pread(handle, 4, 3) == b"\r\n\x1a\x00"
    assert system.pread(handle, 100, 0) == b"\0\0\0\r\n\x1a\x00end"
    assert system.pread(handle, 5, 1000) == b""
    os.close(handle)
    handle = _open(tmp_path / "file", os.O_APPEND)
    assert system.append(handle, b"\n") == 1
    os.close(handle)
    assert (tmp_path / "file").read_bytes().endswith(b"end\n")


def test_what_is_written_appears_at_once_in_the_place_of_another(tmp_path: Path) -> None:
    old, new = tmp_path / "old", tmp_path / "new"
    old.write_text("old")
    new.write_text("new")
    system.replace(str(new), str(old))
    assert (old.read_text(), new.exists()) == ("new", False)
    system.sync_folder(str(tmp_path))


def test_a_file_is_ours_and_no_pipe(tmp_path: Path) -> None:
    assert system.is_ours(str(tmp_path), tmp_path.stat())
    assert not system.is_endless(tmp_path.stat())


def test_paths_are_told_as_git_tells_them(tmp_path: Path) -> None:
    inner = tmp_path / "a b" / "c.py"
    assert system.relative_path(str(inner), str(tmp_path)) == "a b/c.py"
    assert system.relative_path(str(tmp_path), str(tmp_path)) == "."
    assert system.relative_path(str(tmp_path), str(inner)).startswith("../")


def test_a_program_is_started_waited_for_and_ended(tmp_path: Path) -> None:
    out = _open(tmp_path / "out")
    said = "import sys; print(repr(sys.stdin.read())); sys.exit(3)"
    child = system.spawn([sys.executable, "-c", said], dict(os.environ), out)
    assert system.is_alive(child)
    assert system.wait_for(child) == 3
    os.close(out)
    assert (tmp_path / "out").read_text().split() == ["''"]
    reading, writing = os.pipe()
    child = system.spawn(
        [sys.executable, "-c", "import time; time.sleep(60)"], dict(os.environ), writing
    )
    system.terminate(child)
    assert system.wait_for(child) != 0
    for end in (reading, writing):
        os.close(end)


def test_a_process_is_there_until_it_has_ended() -> None:
    assert system.is_alive(os.getpid())
    assert system.parent_watch()()
    child = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    assert system.is_alive(child.pid)
    began = time.monotonic()
    child.communicate(b"\n")
    system.wait_for_end(child.pid)
    assert time.monotonic() - began < 30
    assert not system.is_alive(child.pid)


def test_programs_and_the_user_have_names() -> None:
    assert os.path.basename(system.program("git")).lower().removesuffix(".exe") == "git"
    missing = system.program("no-such-program")
    assert missing == "no-such-program" or os.path.isabs(missing)  # never the folder at hand's
    assert system.shell("exit 3")[1:] == ["-c", "exit 3"]
    assert any(system.account_names())
    assert system.home_of({"HOME": "/h"}) == "/h"
    assert system.home_of({}) == ""
    assert system.from_uri("/home/ann") == "/home/ann"
