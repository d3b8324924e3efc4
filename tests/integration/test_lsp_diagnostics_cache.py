"""What the language server keeps about diagnostics follows the memory."""

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING, cast

import pytest

from gitmem.matching.parse import parse
from gitmem.memory import Memory
from gitmem.output.failure import Failure
from lsp_server.diagnostics_cache import DiagnosticsCache
from lsp_server.failures import ForeignDiagnostic
from lsp_server.open_memory import OpenMemory
from lsp_server.positions import EditorRange

if TYPE_CHECKING:
    from lsp_server.client import WorkProgress
    from tests.conftest import Checkout

pytestmark = pytest.mark.usefixtures("sealed_git")


class NoProgress:
    """Shows nobody how far work is."""

    def report(self, *_: object) -> None:
        """Take it."""

    def end(self) -> None:
        """Take it."""


def past_failure(repo: "Checkout") -> tuple[Failure, str]:
    Memory.init(str(repo))
    output = f'{repo}/typed.py:8:7 - error: "name" is not defined (reportUndefinedVariable)\n'
    (failure,) = parse(output, str(repo))
    with Memory.open(str(repo)) as memory:
        (error,) = memory.failures.capture([output], command="pyright", record=True).written
    return failure, error


def test_what_is_recorded_while_a_match_comes_back_is_seen(repo: "Checkout") -> None:
    failure, error = past_failure(repo)
    uri = Path(repo, "typed.py").as_uri()

    async def approaches() -> list[str]:
        loop = asyncio.get_running_loop()
        progress = cast("WorkProgress", NoProgress())
        open_memory = OpenMemory(Memory.open(str(repo)), loop, lambda _: None, progress)
        cache = DiagnosticsCache(lambda _: None)
        try:
            state = cache.open(uri, "typed.py", open_memory)
            await state.ready.wait()
            diagnostics = [ForeignDiagnostic(EditorRange((7, 6), (7, 10)), failure)]
            cache.take(state, uri, 1, diagnostics, whole=True)
            # The match is made, and its answer waits for the loop, which this function holds.
            open_memory.look().result()
            with Memory.open(str(repo)) as other:
                other.resolve(error, {"approach": "import it"})
                other.checks.catch_up()
            cache.renew(open_memory)
            await state.ready.wait()
            (diagnostic,) = state.diagnostics
            assert diagnostic.details
            return [attempt.fix.approach for attempt in diagnostic.details.attempts]
        finally:
            open_memory.close()

    assert asyncio.run(approaches()) == ["import it"]


def test_what_was_known_is_offered_while_it_is_looked_up_again(repo: "Checkout") -> None:
    failure, error = past_failure(repo)
    with Memory.open(str(repo)) as memory:
        memory.checks.catch_up()
    uri, span = Path(repo, "typed.py").as_uri(), EditorRange((7, 6), (7, 10))

    async def offered() -> list[list[str]]:
        loop = asyncio.get_running_loop()
        progress = cast("WorkProgress", NoProgress())
        open_memory = OpenMemory(Memory.open(str(repo)), loop, lambda _: None, progress)
        cache = DiagnosticsCache(lambda _: None)
        try:
            state = cache.open(uri, "typed.py", open_memory)
            cache.take(state, uri, 1, [ForeignDiagnostic(span, failure)], whole=True)
            await state.ready.wait()
            cache.renew(open_memory)  # its answer can't come before this function waits
            return [
                [row.id for row in diagnostic.details.known.errors]
                for diagnostic in state.looked_up_at(span)
                if diagnostic.details
            ]
        finally:
            open_memory.close()

    assert asyncio.run(offered()) == [[error]]
