"""The plugin for OpenCode, as both its versions load it: what it asks gitmem, and what it answers.

OpenCode 1 calls ``server`` of the default export and reads hooks off what that returns; OpenCode 2
calls ``setup``, which registers them. The hosts here hand the plugin what these hand it.
"""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from gitmem.assistants.hooks import HOOK_CLIENTS
from tests.e2e.running import ok

if TYPE_CHECKING:
    from tests.conftest import Checkout

pytestmark = pytest.mark.skipif(not shutil.which("node"), reason="node is not installed")
SHOP = "def average(values):\n    return sum(values) / len(values)\n"
TEST = "from shop import average\n\n\ndef test_empty():\n    assert average([]) == 0\n"
HOST = """\
import plugin from "./.opencode/plugins/gitmem.mjs"
import { spawnSync } from "node:child_process"
import { writeFileSync } from "node:fs"

const run = (command, workdir) => {
  const done = spawnSync("sh", ["-c", command], { cwd: workdir ?? ".", encoding: "utf8" })
  return { output: done.stdout + done.stderr, exit: done.status }
}
const hosts = {
  1: async () => {
    const toasts = []
    const client = { tui: { showToast: async ({ body }) => toasts.push(body.message) } }
    const hooks = await plugin.server({ client, directory: process.cwd() })
    return {
      begin: async () => {
        const output = { system: [] }
        await hooks["experimental.chat.system.transform"]({ sessionID: "ses_1" }, output)
        return output.system.join("")
      },
      call: async (callID, args) => {
        const input = { tool: "bash", sessionID: "ses_1", callID }
        await hooks["tool.execute.before"](input, { args })
        const metadata = run(args.command, args.workdir)
        const output = { title: "", output: metadata.output, metadata }
        await hooks["tool.execute.after"]({ ...input, args }, output)
        return output.output
      },
      end: async () => {
        await hooks.event({ event: { type: "session.idle", properties: { sessionID: "ses_1" } } })
        return toasts.join("")
      },
    }
  },
  2: async () => {
    const hooks = {}
    const hook = async (name, callback) => void (hooks[name] = callback)
    if (plugin.id !== "gitmem") throw Error("it has no id")
    await plugin.setup({ session: { hook }, tool: { hook } })
    return {
      begin: async () => {
        const event = { sessionID: "ses_2", system: [] }
        await hooks.context(event)
        return event.system.map((part) => part.text).join("")
      },
      call: async (id, input) => {
        const event = { tool: "shell", sessionID: "ses_2", id, input }
        await hooks["execute.before"](event)
        const output = run(input.command, input.workdir)
        const content = [{ type: "text", text: output.output }]
        event.result = { output, content, metadata: { exit: output.exit } }
        await hooks["execute.after"](Object.assign(event, { status: "completed" }))
        await hooks["execute.after"]({ ...event, status: "error", error: { message: "x" } })
        return event.result.content.map((part) => part.text).join("")
      },
      end: async () => "",
    }
  },
}
const [version, ...commands] = process.argv.slice(2)
const host = await hosts[version]()
const texts = [await host.begin()]
for (const [number, command] of commands.entries()) {
  texts.push(await host.call(`call_${number}`, JSON.parse(command)))
}
texts.push(await host.end())
writeFileSync(1, JSON.stringify(texts))
"""


def hosted(repo: "Checkout", version: int, *commands: str, workdir: str | None = None) -> list[str]:
    """Let a version run commands in a session; give what it showed its model, and its user."""
    plugin = Path(repo, HOOK_CLIENTS["opencode"].file)
    plugin.with_suffix(".mjs").write_text(plugin.read_text())
    host = Path(repo, ".git", "host.mjs")
    host.write_text(HOST.replace("./.opencode", "../.opencode"))
    where = {"workdir": workdir} if workdir else {}
    inputs = [json.dumps({"command": command, **where}) for command in commands]
    done = subprocess.run(
        ["node", host, str(version), *inputs], cwd=repo, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    texts: list[str] = json.loads(done.stdout)
    return texts


@pytest.fixture
def shop(repo: "Checkout", tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> "Checkout":
    program = tmp_path / "bin" / "gitmem"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\nexec {sys.executable} -P -m gitmem "$@"\n')
    program.chmod(0o755)
    monkeypatch.setenv("PATH", os.pathsep.join((str(program.parent), os.environ["PATH"])))
    repo.add("src/shop.py", SHOP)
    repo.add("src/test_shop.py", TEST)
    repo.add(".gitignore", "__pycache__\n*.mjs\n")
    ok(repo, "init")
    ok(repo, "setup", "opencode", "--hooks")
    repo.commit()
    return repo


@pytest.mark.parametrize("version", [1, 2])
def test_both_versions_hear_of_the_past_and_what_they_mend_is_drafted(
    shop: "Checkout", version: int
) -> None:
    red = f"{sys.executable} -m pytest -q -p no:cacheprovider"
    mend = "sed -i 's/len(values)$/len(values) if values else 0/' shop.py"
    begun, _, _, green, ended = hosted(shop, version, red, mend, red, workdir="src")
    assert "The project" in begun
    assert "1 passed" in green
    assert "gitmem drafted the fix" in green
    assert ("1 draft of what this session taught" in ended) == (version == 1)
    drafted = ok(shop, "drafts")
    ok(shop, "drafts", "keep", drafted.split()[0])
    assert "via agent opencode" in ok(shop, "log")
    Path(shop, "src", "shop.py").write_text(SHOP)
    *_, again, _ = hosted(shop, version, f"{red} src")
    assert "if values else 0" in again


@pytest.mark.parametrize("version", [1, 2])
def test_without_gitmem_the_session_goes_on(
    shop: "Checkout", version: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    node = os.path.dirname(shutil.which("node") or "")
    monkeypatch.setenv("PATH", os.pathsep.join((node, "/usr/bin", "/bin")))
    assert hosted(shop, version, "echo fine") == ["", "fine\n", ""]
