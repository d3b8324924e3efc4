"""The assistants themselves, with a model on loopback: their hooks run, and are answered.

Each is skipped where it is not installed. They are looked for on the PATH and in the folder that
GITMEM_TEST_CLIENTS names, such as node_modules/.bin after ``npm install @openai/codex``.
"""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from gitmem.assistants.hooks import HOOK_CLIENTS
from tests.e2e.fake_model import FakeModel
from tests.e2e.running import environment, ok

if TYPE_CHECKING:
    from tests.conftest import Checkout

INSTALLED = os.pathsep.join(
    filter(None, (os.environ.get("GITMEM_TEST_CLIENTS"), os.environ["PATH"]))
)
PROMPT = "mend the shop"
SHOP = "def average(values):\n    return sum(values) / len(values)\n"
TEST = "from shop import average\n\n\ndef test_empty():\n    assert average([]) == 0\n"
RED = f"{sys.executable} -m pytest -q -p no:cacheprovider"
MEND = "sed -i 's/len(values)$/len(values) if values else 0/' shop.py"
BREAK = "sed -i 's/ if values else 0//' shop.py"
_SECONDS = 170


class Client:
    """An assistant of this machine, in a home of its own."""

    def __init__(self, name: str, repo: "Checkout", home: Path) -> None:
        self.name, self.repo, self.home = name, repo, home
        self.program = shutil.which(name, path=INSTALLED) or ""
        started = home / "bin" / "gitmem"
        self._write("bin/gitmem", f'#!/bin/sh\nexec {sys.executable} -P -m gitmem "$@"\n')
        started.chmod(0o755)
        node = os.path.dirname(shutil.which("node") or "")
        self.path = os.pathsep.join([str(started.parent), node, "/usr/bin", "/bin"])
        self._write(".profile", f"PATH={self.path}\n")  # of a login shell

    def _write(self, name: str, content: object) -> None:
        file = self.home / name
        file.parent.mkdir(parents=True, exist_ok=True)
        text = content if isinstance(content, str) else json.dumps(content)
        file.write_text(text)

    def _started(self, url: str) -> tuple[list[str], dict[str, str]]:
        """Give its command line, and what it needs in its environment."""
        match self.name:
            case "claude":
                return (
                    ["-p", PROMPT, "--allowedTools", "Bash"],
                    {"ANTHROPIC_BASE_URL": url, "ANTHROPIC_API_KEY": "sk-x", "IS_SANDBOX": "1",
                     "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1"},
                )  # fmt: skip
            case "codex":
                provider = f'name = "fake"\nbase_url = "{url}/v1"\nwire_api = "responses"\n'
                self._write(
                    ".codex/config.toml",
                    f'model = "gpt-5"\nmodel_provider = "fake"\n[model_providers.fake]\n{provider}'
                    f'[projects."{self.repo}"]\ntrust_level = "trusted"\n',
                )
                trusting = ("--dangerously-bypass-approvals-and-sandbox",
                            "--dangerously-bypass-hook-trust")  # fmt: skip
                return ["exec", *trusting, PROMPT], {}
            case "gemini":
                auth = {"security": {"auth": {"selectedType": "gemini-api-key"}}}
                self._write(".gemini/settings.json", auth)
                self._write(".gemini/trustedFolders.json", {str(self.repo): "TRUST_FOLDER"})
                return (
                    ["-p", PROMPT, "--yolo", "-m", "gemini-2.5-pro"],
                    {"GOOGLE_GEMINI_BASE_URL": url, "GEMINI_API_KEY": "x"},
                )
            case "copilot":
                return (
                    ["-p", PROMPT, "--allow-all", "--trust-folder", "--no-auto-update"],
                    {"COPILOT_PROVIDER_BASE_URL": f"{url}/v1", "COPILOT_MODEL": "gpt-4.1",
                     "COPILOT_OFFLINE": "true"},
                )  # fmt: skip
        options = {"baseURL": f"{url}/v1", "apiKey": "x"}
        provider_of = {"npm": "@ai-sdk/openai-compatible", "options": options, "models": {"m": {}}}
        self._write(
            ".config/opencode/opencode.json",
            {"provider": {"fake": provider_of}, "small_model": "fake/m", "autoupdate": False},
        )
        return (
            ["run", "--model", "fake/m", PROMPT],
            {"OPENCODE_DISABLE_MODELS_FETCH": "1", "OPENCODE_CONFIG_DIR": ""},
        )

    def works(self, *commands: str, options: Sequence[str] = ()) -> list[dict[str, Any]]:
        """Let its model run commands; give what the model was asked."""
        with FakeModel([*commands]) as model:
            arguments, more = self._started(model.url)
            arguments += options
            own = {"HOME": str(self.home), "PATH": self.path, "PWD": str(self.repo)}
            for folder in ("CONFIG", "DATA", "CACHE", "STATE"):
                own[f"XDG_{folder}_HOME"] = str(self.home / f".{folder.lower()}")
            done = subprocess.run(
                [self.program, *arguments],
                cwd=self.repo,
                env={**environment(own), **more},
                stdin=subprocess.DEVNULL,
                capture_output=True,
                text=True,
                check=False,
                timeout=_SECONDS,
            )
        assert done.returncode == 0, done.stderr
        return model.requests


@pytest.fixture(params=[name for name in HOOK_CLIENTS if name not in {"cursor", "devin"}])
def client(request: pytest.FixtureRequest, repo: "Checkout", tmp_path: Path) -> Client:
    repo.add("shop.py", SHOP)
    repo.add("test_shop.py", TEST)
    repo.add(".gitignore", "__pycache__\n")
    ok(repo, "init")
    own = Client(request.param, repo, tmp_path / "home")
    if not own.program:
        pytest.skip(f"{request.param} is not installed")
    ok(repo, "setup", *HOOK_CLIENTS, "--hooks")  # what the others read is there, too
    repo.commit()
    return own


@pytest.mark.timeout(400)
@pytest.mark.parametrize("hooked", [False, True], ids=["alone", "beside-the-hooks"])
def test_the_plugin_does_what_the_hooks_of_a_project_do_once(
    repo: "Checkout", tmp_path: Path, *, hooked: bool
) -> None:
    own = Client("claude", repo, tmp_path / "home")
    if not own.program:
        pytest.skip("claude is not installed")
    repo.add("shop.py", SHOP)
    repo.add("test_shop.py", TEST)
    repo.add(".gitignore", "__pycache__\n")
    ok(repo, "init")
    if hooked:
        ok(repo, "setup", "claude", "--hooks")
    repo.commit()
    plugin = str(Path(__file__).resolve().parents[2] / "plugins" / "claude-code")
    asked = own.works(RED, MEND, RED, options=("--plugin-dir", plugin))
    text = json.dumps(asked[-1])
    assert text.count("gitmem drafted the fix") == 1
    assert "The project" in text
    assert "gitmem_hint" in text
    assert len(json.loads(ok(repo, "runs", "--json"))["runs"]) == 2
    assert "ZeroDivisionError: division by zero" in ok(repo, "drafts")


@pytest.mark.timeout(400)
def test_the_plugin_is_silent_where_there_is_no_memory(repo: "Checkout", tmp_path: Path) -> None:
    own = Client("claude", repo, tmp_path / "home")
    if not own.program:
        pytest.skip("claude is not installed")
    repo.add("shop.py", SHOP)
    repo.commit()
    plugin = str(Path(__file__).resolve().parents[2] / "plugins" / "claude-code")
    asked = own.works("python -c 'nothing'", options=("--plugin-dir", plugin))
    tools = [tool["name"] for tool in asked[-1]["tools"]]
    assert "Bash" in tools
    assert not [name for name in tools if "gitmem" in name]
    assert "Quoted from" not in json.dumps(asked[-1])
    assert not (repo / ".memory").exists()


@pytest.mark.timeout(400)
def test_the_client_hears_of_its_past_and_what_it_mends_is_drafted(client: Client) -> None:
    repo = client.repo
    asked = client.works(RED, MEND, RED)
    assert "The project" in json.dumps(asked[-1])
    assert "gitmem drafted the fix" in json.dumps(asked[-1])
    runs = json.loads(ok(repo, "runs", "--json"))["runs"]
    assert len(runs) == 2
    drafted = ok(repo, "drafts")
    assert "ZeroDivisionError: division by zero" in drafted
    assert ok(repo, "list") == ""

    ok(repo, "drafts", "keep", drafted.split()[0])
    tool = HOOK_CLIENTS[client.name].actor.partition(":")[2]
    assert f"via agent {tool}" in ok(repo, "log")
    asked = client.works(BREAK, f"{RED} test_shop.py")
    assert "Quoted from this repository's memory" in json.dumps(asked[-1])
    assert "if values else 0" in json.dumps(asked[-1])
