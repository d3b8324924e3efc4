"""What a run printed is told alike however the text comes: run, pasted or a saved log."""

import json
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from gitmem.memory import Memory
from tests.depth import sampled
from tests.tools.test_corpus import SAMPLES, Sample

if TYPE_CHECKING:
    from tests.conftest import Checkout

_SMALL = 100_000


def _chosen() -> list[Sample]:
    """Give one sample of each tool that has a failure in it, not too long."""
    by_tool = {one.tool: one for one in reversed(SAMPLES) if one.expected}
    return [one for one in by_tool.values() if len(one.output) < _SMALL]


def gitmem(folder: Path, *arguments: str, stdin: bytes = b"") -> bytes:
    done = subprocess.run(
        [sys.executable, "-P", "-m", "gitmem", *arguments],
        cwd=folder, input=stdin, capture_output=True, check=False,
    )  # fmt: skip
    return done.stdout


def titles(failures: list[dict[str, Any]]) -> list[str]:
    return sorted({failure["title"] for failure in failures})


@sampled(6)
@pytest.mark.parametrize("sample", _chosen(), ids=lambda one: f"{one.tool}-{one.name}")
def test_a_text_is_told_alike_by_each_command(repo: "Checkout", sample: Sample) -> None:
    """``hint`` found nothing where ``run`` had told a failure, and a saved log told another one."""
    Memory.init(str(repo))
    (repo / "out.txt").write_bytes(sample.output)
    script = repo / "prints"
    script.write_text("#!/bin/sh\ncat out.txt\nexit 1\n")
    script.chmod(0o755)
    gitmem(repo, "run", "--", "./prints")
    (ran,) = json.loads(gitmem(repo, "runs", "--json"))["runs"]
    hinted = json.loads(gitmem(repo, "hint", "--json", stdin=sample.output))["failures"]
    saved = json.loads(gitmem(repo, "runs", "capture", "out.txt", "--json"))["failures"]
    of_job = json.loads(gitmem(repo, "ci", "out.txt", "--json"))["failures"]
    assert titles(hinted)
    assert titles(ran["failures"]) == titles(hinted) == titles(saved) == titles(of_job)
