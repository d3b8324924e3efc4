"""Proves the hooks that assistants have here, with what these say when they run."""

import json
import shutil
import sys
from typing import TYPE_CHECKING, Any, Final

from gitmem.assistants.assistant import NAME
from gitmem.assistants.hooks import HOOK_CLIENTS, hooks_of
from gitmem.assistants.payloads import payload
from gitmem.assistants.setup import survey
from gitmem.memory.checks.trial_repository import TrialFailed, World

if TYPE_CHECKING:
    from collections.abc import Mapping

_FAILING: Final = (
    "import unittest\n\n\ndef price_NAME(card):\n    return card['NAME']\n\n\n"
    "class Test(unittest.TestCase):\n    def test_card(self):\n"
    "        self.assertIsNone(price_NAME({}))\n"
)
_MENDED: Final = _FAILING.replace("card['NAME']", "card.get('NAME')")


def installed(start: str) -> list[str]:
    """Name the assistants that have all their hooks in the project around a folder.

    One that reads the hooks of another has none of its own.
    """
    hooked = (hooks_of(each.tool.name) for each in survey(start) if each.hooked)
    return list(dict.fromkeys(hooked))


def program(environ: "Mapping[str, str]") -> str | None:
    """Find the program as the assistants do: by its name, on the path."""
    return shutil.which(NAME, path=environ.get("PATH"))


def prove(world: World, started: str, name: str, *, notes_runs: bool) -> None:
    """Play a session of an assistant: it starts, a test fails, is mended, and passes.

    Args:
        world: where.
        started: the program.
        name: of the assistant.
        notes_runs: commands that failed are noted here.

    Raises:
        TrialFailed: a hook does not answer as it should.

    """
    module, command = f"card_of_{name}", (sys.executable, "-m", "unittest")

    def answer(kind: str, output: str = "", code: int = 0) -> str:
        line = f"python -m unittest {module}"
        event = payload(name, kind, world.folder, line, output, code)
        text = world.must(started, "assistant-hook", name, stdin=json.dumps(event))
        return _text(name, text)

    if "project" not in answer("session"):
        raise TrialFailed(f"{name}: a session began, and its hook printed nothing")
    world.write(f"{module}.py", _FAILING.replace("NAME", name))
    world.commit()
    if not notes_runs:
        return
    output = world.run(*command, module)
    answer("begins")
    answer("red", output.stdout + output.stderr, output.returncode)
    world.write(f"{module}.py", _MENDED.replace("NAME", name))
    output = world.run(*command, module)
    answer("begins")
    if "the fix `" not in answer("green", output.stdout + output.stderr):
        raise TrialFailed(f"{name}: a failed command was fixed, and no draft was reported")


def _text(name: str, answer: str) -> str:
    """Give the text in an answer of the form that an assistant reads; empty: it says nothing."""
    if not answer:
        return ""
    value: Any = json.loads(answer)[HOOK_CLIENTS[name].answers[0]]
    return str(value["additionalContext"] if isinstance(value, dict) else value)
