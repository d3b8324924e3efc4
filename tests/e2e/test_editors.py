"""Real editors as clients, set up as docs/editors.md says: the snippets are taken from there.

They are skipped only where the editor is not installed; ``make test-editors`` installs them.
"""

import json
import os
import re
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from gitmem.memory import Memory
from tests.e2e.lsp_editor import wait_until
from tests.e2e.running import SCRIPTS

if TYPE_CHECKING:
    from tests.conftest import Checkout

HERE = Path(__file__).parent / "editors"
PAGE = Path(__file__).parents[2] / "docs" / "editors.md"
SECTIONS = dict(re.findall(r"^## (.+)\n((?s:.+?))(?=^## |\Z)", PAGE.read_text(), re.MULTILINE))
HANGS = 110
ELPA = Path("/usr/share/emacs/site-lisp/elpa-src")
RECORD = """\
schema: 1
id: fix-7k3m9q2d4x
kind: fix
title: t
created: '2026-01-01T00:00:00Z'
author:
  name: Ann
outcome: wroked
"""
ACTIONS = [f"Replace by {word}" for word in ("worked", "partial", "failed", "unverified")]


def editor(name: str, package: str) -> str:
    found = shutil.which(name)
    if found is None:
        pytest.skip(f"{name} is not installed (Debian: {package}); make test-editors installs it")
    return found


def snippet(language: str, word: str = "") -> str:
    """Give the first snippet of docs/editors.md in a language that has a word in it."""
    found: list[str] = re.findall(
        rf"^```{language}\n(.*?)^```$", PAGE.read_text(), re.MULTILINE | re.DOTALL
    )
    return next(text for text in found if word in text)


@pytest.fixture
def world(repo: "Checkout") -> "Checkout":
    """Give a repository with a past error, code that names it, and a record file with a slip."""
    Memory.init(str(repo))
    with Memory.open(str(repo)) as memory:
        made = memory.add("error", {"title": "naïve datetime", "message": "can't compare"})
        memory.resolve(made.id, {"approach": "use aware datetimes"})
        memory.checks.catch_up()
    repo.add("main.txt", f"one\nsee 😀 {made.id} for this\n")
    repo.add(".memory/fixes/2026/01/t-fix-7k3m9q2d4x.yaml", RECORD)
    repo.commit()
    return repo


def error_of(world: Path) -> str:
    with Memory.open(str(world)) as memory:
        return memory.list("kind:error")[0].id


def drive(
    world: Path, tmp_path: Path, command: list[str], **variables: str | Path
) -> Mapping[str, Any]:
    """Run an editor; give what it saw."""
    out = tmp_path / "seen.json"
    found = {
        "OUT": out,
        "RECORD": world / ".memory/fixes/2026/01/t-fix-7k3m9q2d4x.yaml",
        "CODE": world / "main.txt",
        "ID": error_of(world),
        "PATH": f"{SCRIPTS}{os.pathsep}{os.environ['PATH']}",
        **variables,
    }
    environment = {**os.environ, **{name: str(value) for name, value in found.items()}}
    done = subprocess.run(
        command, cwd=world, env=environment, stdin=subprocess.DEVNULL, capture_output=True,
        timeout=HANGS, check=False,
    )  # fmt: skip
    assert out.is_file(), done
    seen: dict[str, Any] = json.loads(out.read_text())
    assert "fault" not in seen, (seen, done.stdout[-2000:], done.stderr[-2000:])
    return seen


def neovim(world: Path, tmp_path: Path, scenario: str, **more: str | Path) -> Mapping[str, Any]:
    program = editor("nvim", "neovim")
    setup = tmp_path / "setup"
    (setup / "lua").mkdir(parents=True)
    (setup / "lua" / "gitmem.lua").write_text(snippet("lua"))
    flags = ["--headless", "--clean", "-u", "NONE", "-i", "NONE", "-n"]
    command = [program, *flags, "-c", f"luafile {HERE / 'neovim.lua'}"]
    return drive(world, tmp_path, command, SCENARIO=scenario, SETUP=setup, **more)


def test_neovim_shows_problems_of_records_mends_them_and_hovers(
    world: Path, tmp_path: Path
) -> None:
    seen = neovim(world, tmp_path, "records")
    (problem,) = seen["diagnostics"]
    assert (problem["line"], problem["column"]) == (7, 0)
    assert "wroked" in problem["message"]
    assert [title for title in seen["actions"] if "Replace" in title] == ACTIONS
    assert seen["text"] == RECORD.replace("wroked", "worked").splitlines()
    assert "tags" in seen["completion"]
    assert "use aware datetimes" in seen["hover"]
    assert "use aware datetimes" in "\n".join(seen["window"])
    assert seen["symbols"] == ["naïve datetime"]
    assert error_of(world) in seen["definition"]


def known_to_ruff(world: "Checkout") -> dict[str, str | Path]:
    """Record how an error of Ruff was fixed; give where it is, and how Ruff's server is started."""
    ruff = shutil.which("ruff", path=SCRIPTS)
    assert ruff
    code = world.add("typed.py", "import json\n\n\nprint(undefined_name)\n")
    said = subprocess.run(
        [ruff, "check", "--isolated", "--no-cache", "--output-format", "concise", code.name],
        cwd=world, capture_output=True, text=True, check=False,
    )  # fmt: skip
    with Memory.open(str(world)) as memory:
        written = memory.failures.capture([said.stdout], command="ruff check", record=True).written
        (known,) = [one for one in written if "undefined_name" in str(memory.show(one).record)]
        memory.resolve(known, {"approach": "define it first"})
        memory.checks.catch_up()
    other = json.dumps([ruff, "server", "--isolated"])
    return {"CODE": code, "AT": "undefined_name", "SOURCE": "ruff", "OTHER": other}


def behind_ours(known: dict[str, str | Path]) -> dict[str, str | Path]:
    command = ["gitmem", "lsp", "--with", "--", *json.loads(str(known["OTHER"]))]
    return {**known, "OTHER": json.dumps(command)}


def sees_both(seen: Mapping[str, Any]) -> None:
    assert "define it first" in seen["hover"]
    assert any("past fix" in title for title in seen["actions"])
    assert any(title.startswith("Ruff") for title in seen["actions"]), "the other server's"


def test_neovim_hovers_on_what_another_server_said(world: "Checkout", tmp_path: Path) -> None:
    """Ruff's own server and ours share a buffer; the page's snippet hands its words on."""
    sees_both(neovim(world, tmp_path, "two_servers", **known_to_ruff(world)))


def test_neovim_has_one_server_with_another_behind_it(world: "Checkout", tmp_path: Path) -> None:
    sees_both(neovim(world, tmp_path, "wrapped", **behind_ours(known_to_ruff(world))))


def test_neovim_starts_a_server_that_crashed_again(world: Path, tmp_path: Path) -> None:
    """The set-up kept the dead client; nothing was known until Neovim was restarted."""
    seen = neovim(world, tmp_path, "crashed")
    assert len(seen["ended"]) == 1
    assert "use aware datetimes" in seen["before"]
    assert not seen["same"]
    assert "use aware datetimes" in seen["hover"]


def emacs(
    world: Path, tmp_path: Path, client: str, scenario: str, **more: str | Path
) -> Mapping[str, Any]:
    """Run a scenario of one of the clients of Emacs, set up as the page says."""
    package = {"eglot": "elpa-eglot", "lsp_mode": "elpa-lsp-mode"}[client]
    program = editor("emacs", f"emacs-nox {package}")
    if not list(ELPA.glob(f"{package.removeprefix('elpa-')}-[0-9]*")):
        pytest.skip(f"Debian's {package} is not installed; make test-editors installs it")
    setup = tmp_path / "setup"
    setup.mkdir()
    word = {"eglot": "(require 'eglot)", "lsp_mode": "(require 'lsp-mode)"}[client]
    (setup / "gitmem.el").write_text(snippet("elisp", word))
    command = [program, "-Q", "--batch", "-l", str(HERE / f"{client}.el")]
    return drive(world, tmp_path, command, SETUP=setup, SCENARIO=scenario, **more)


@pytest.mark.parametrize("client", ["eglot", "lsp_mode"])
def test_emacs_shows_problems_of_records_mends_them_and_hovers(
    world: Path, tmp_path: Path, client: str
) -> None:
    seen = emacs(world, tmp_path, client, "records")
    assert any("wroked" in text for text in seen["diagnostics"])
    assert [title for title in seen["actions"] if "Replace" in title] == ACTIONS
    assert seen["text"] == RECORD.replace("wroked", "worked")
    assert "use aware datetimes" in seen["hover"]
    assert error_of(world) in seen["definition"]


def test_eglot_has_one_server_with_another_behind_it(world: "Checkout", tmp_path: Path) -> None:
    more = behind_ours(known_to_ruff(world))
    seen = emacs(world, tmp_path, "eglot", "wrapped", **more)
    assert any("undefined_name" in text for text in seen["diagnostics"])
    sees_both(seen)


def test_lsp_mode_hands_on_what_another_server_says(world: "Checkout", tmp_path: Path) -> None:
    """Ruff's own server and ours share a buffer; the page's snippet hands its words on."""
    sees_both(emacs(world, tmp_path, "lsp_mode", "beside", **known_to_ruff(world)))


@pytest.fixture
def kakoune(world: "Checkout", tmp_path: Path) -> Iterator[Callable[..., str]]:
    """Give what shows a hover in a file at a word; ours may stand in front of another server."""
    program = editor("kak", "kakoune")
    if shutil.which("kak-lsp") is None:
        pytest.skip("kak-lsp is not installed; cargo install kak-lsp")
    # The path of a socket must be short.
    sockets = tempfile.mkdtemp(dir="/tmp")
    config, shown = tmp_path / "kak", tmp_path / "hover"
    config.mkdir()
    environment = {**os.environ, "XDG_RUNTIME_DIR": sockets, "KAKOUNE_CONFIG_DIR": str(config),
                   "PATH": f"{SCRIPTS}{os.pathsep}{os.environ['PATH']}"}  # fmt: skip

    def tell(commands: str) -> None:
        subprocess.run(
            [program, "-p", "s"], input=commands, text=True, env=environment, check=False
        )

    def hover(file: Path, word: str, wanted: str, *wrapping: str) -> str:
        arguments = json.dumps(["lsp", *wrapping])
        (config / "kakrc").write_text(snippet("kak").replace('["lsp"]', arguments))
        kak = subprocess.Popen(
            [program, "-ui", "dummy", "-s", "s", str(file)], cwd=world, env=environment,
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip

        def told() -> bool:
            tell(f"evaluate-commands -client client0 %{{ edit {file}; "
                 f"execute-keys 'gg/{word}<ret>'; lsp-hover-buffer }}")  # fmt: skip
            time.sleep(0.3)  # it answers into a buffer, and tells nobody
            tell("evaluate-commands -buffer *hover* %{ execute-keys '%'; "
                 f"echo -to-file {shown} %val{{selection}} }}")  # fmt: skip
            return shown.is_file() and wanted in shown.read_text()

        try:
            wait_until(told)
        finally:
            tell("kill! 0")
            kak.wait(HANGS)
        return shown.read_text()

    yield hover
    shutil.rmtree(sockets, ignore_errors=True)


def test_kakoune_hovers_over_an_id(world: "Checkout", kakoune: Callable[..., str]) -> None:
    error = error_of(world)
    code = world.add("named.py", f"one = 1\n# see {error}\n")
    assert "naïve datetime" in kakoune(code, error, "use aware datetimes")


def test_kakoune_has_one_server_with_another_behind_it(
    world: "Checkout", kakoune: Callable[..., str]
) -> None:
    known = known_to_ruff(world)
    other = json.loads(str(known["OTHER"]))
    assert kakoune(Path(known["CODE"]), "undefined_name", "define it first", "--with", "--", *other)


def test_the_page_has_a_section_for_each_editor() -> None:
    assert list(SECTIONS) == [
        "VS Code",
        "In front of another server",
        "Neovim",
        "Emacs",
        "Helix",
        "Kakoune",
        "Sublime Text",
        "Zed",
        "JetBrains",
    ]


@pytest.mark.parametrize("name", SECTIONS)
def test_every_section_says_whether_it_is_tested(name: str) -> None:
    text = SECTIONS[name]
    assert ("Tested with" in text) != ("Not tested" in text), name
    assert "gitmem" in text
