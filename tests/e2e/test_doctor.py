"""``gitmem doctor`` tries every way for real, changes nothing here, and sees what is broken."""

import json
import os
import subprocess
import sys
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

import pytest

from gitmem.memory import Memory
from tests.depth import deep, only_deep

if TYPE_CHECKING:
    from pathlib import Path

    from tests.conftest import Checkout


def examined(world: "Checkout", code: int = 0, **environ: str) -> dict[str, dict[str, Any]]:
    done = subprocess.run(
        [sys.executable, "-P", "-m", "gitmem", "doctor", "--json"], cwd=world,
        env={**os.environ, "SHELL": "/bin/bash", **environ}, capture_output=True, text=True,
        check=False,
    )  # fmt: skip
    assert done.returncode == code, done.stdout + done.stderr
    return {one["name"]: one for one in json.loads(done.stdout)["checks"]}


@pytest.fixture
def world(repo: "Checkout") -> "Checkout":
    Memory.init(str(repo))
    repo.commit("start")
    return repo


@pytest.mark.slow
def test_every_way_is_tried_and_nothing_here_is_changed(
    world: "Checkout", sealed_git: "Path"
) -> None:
    before = world.git("status", "--porcelain"), sorted(os.listdir(world / ".git/hooks"))
    temporary = set(os.listdir(world.parent))
    found = examined(world, TMPDIR=str(world.parent))
    assert {name: one["state"] for name, one in found.items()} == {
        "memory": "ok", "index": "ok", "search": "ok", "run": "ok", "report": "ok", "hint": "ok",
        "pytest": "ok", "shell": "off", "hooks": "off", "merge": "ok", "ci": "ok", "editor": "ok",
        "watch": "ok", "mcp": "ok" if find_spec("mcp") else "off", "setup": "off",
        "assistants": "off", "meaning": found["meaning"]["state"], "hub": "off",
    }  # fmt: skip
    assert all(one["hint"] for one in found.values() if one["state"] == "off")
    assert found["shell"]["said"].startswith("help offered after a failing command; ")
    assert not (sealed_git / ".bash_history").exists()
    assert (world.git("status", "--porcelain"), sorted(os.listdir(world / ".git/hooks"))) == before
    assert set(os.listdir(world.parent)) == temporary


@deep
@only_deep
@pytest.mark.slow
def test_what_is_set_up_and_what_the_settings_leave_out_is_told(
    world: "Checkout", sealed_git: "Path"
) -> None:
    (sealed_git / ".bashrc").write_text('eval "$(gitmem shell-init bash)"\n')
    subprocess.run([sys.executable, "-P", "-m", "gitmem", "hooks", "install"], cwd=world,
                   check=True, capture_output=True)  # fmt: skip
    found = examined(world, GITMEM_CAPTURE_MODE="off")
    assert [found[name]["state"] for name in ("shell", "hooks")] == ["ok", "ok"]
    assert [found[name]["state"] for name in ("run", "pytest")] == ["off", "off"]


@pytest.mark.slow
def test_what_is_set_up_is_looked_up_where_there_is_no_memory_too(
    repo: "Checkout", sealed_git: "Path"
) -> None:
    shared = sealed_git / "hooks"
    shared.mkdir()
    repo.git("config", "--global", "core.hooksPath", str(shared))
    found = examined(repo)
    assert "not installed here: pre-commit" in found["hooks"]["said"]
    assert found["hooks"]["hint"] == found["merge"]["hint"] == "gitmem hooks install"
    assert found["setup"]["hint"] == "gitmem setup"
    assert found["assistants"]["hint"] == "gitmem setup --all --hooks"
    assert os.listdir(shared) == []  # what was tried left nothing in the user's own hooks
    assert not (repo / ".memory").exists()


@deep
@only_deep
@pytest.mark.slow
def test_what_is_off_in_this_clone_is_told(world: "Checkout") -> None:
    """Tried elsewhere and found to work, but not set up here."""
    subprocess.run([sys.executable, "-P", "-m", "gitmem", "hooks", "uninstall"], cwd=world,
                   check=True, capture_output=True)  # fmt: skip
    found = examined(world, SHELL="/bin/fish")
    assert found["merge"]["state"] == "off"
    assert found["merge"]["hint"] == "gitmem hooks install"
    assert "merged by fields; not registered" in found["merge"]["said"]
    assert "a broken one refused; not installed here: pre-commit" in found["hooks"]["said"]
    assert "not tried in fish" in found["shell"]["said"]


@deep
@only_deep
@pytest.mark.slow
def test_a_broken_record_is_named(world: "Checkout") -> None:
    world.add(".memory/notes/2026/01/broken.yaml", "title: [\n")
    found = examined(world, code=1)
    assert found["memory"]["state"] == "broken"
    assert found["memory"]["hint"] == "see: gitmem check"


@pytest.mark.slow
def test_a_broken_git_is_named(world: "Checkout") -> None:
    tools = world.parent / "tools"
    tools.mkdir()
    (tools / "git").write_text("#!/bin/sh\necho 'fatal: out of order' >&2\nexit 1\n")
    (tools / "git").chmod(0o755)
    found = examined(world, code=1, PATH=f"{tools}:{os.environ['PATH']}")
    assert found["git"]["state"] == "broken"
    assert "out of order" in found["git"]["said"]
