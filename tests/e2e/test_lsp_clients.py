"""The language server with a client of another make, which checks every message's form."""

import asyncio
import re
import subprocess
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
import pytest_lsp
from lsprotocol import types
from pytest_lsp import ClientServerConfig, LanguageClient, client_capabilities, make_test_lsp_client

from tests.depth import sampled
from tests.e2e.test_lsp_known import TEXT, diagnostic
from tests.e2e.test_lsp_known import world as known_world

pytestmark = pytest.mark.usefixtures("sealed_git")
world = known_world
EDITORS = ("visual_studio_code", "neovim", "emacs")
_TRIES = 600


def strict_client() -> LanguageClient:
    """Make a client; lsprotocol takes a code action that holds a command for the command."""
    client = make_test_lsp_client()
    converter = client.protocol._converter

    def hook(data: dict[str, Any], _: object) -> types.Command | types.CodeAction:
        plain = isinstance(data.get("command"), str)
        if plain:
            return converter.structure(data, types.Command)
        return converter.structure(data, types.CodeAction)

    converter.register_structure_hook(types.Command | types.CodeAction, hook)

    @client.feature(types.WORKSPACE_CODE_LENS_REFRESH)  # type: ignore[untyped-decorator]  # pygls
    def refresh(_params: None) -> None:
        """Ask for no lenses again: the tests do."""

    return client


@pytest_lsp.fixture(  # type: ignore[untyped-decorator]  # its types are not told
    params=EDITORS,
    config=ClientServerConfig(
        server_command=[sys.executable, "-m", "gitmem", "lsp"], client_factory=strict_client
    ),
)
async def client(
    request: pytest.FixtureRequest, world: Path, lsp_client: LanguageClient
) -> AsyncIterator[None]:
    params = types.InitializeParams(
        capabilities=client_capabilities(request.param),
        workspace_folders=[types.WorkspaceFolder(uri=world.as_uri(), name="world")],
        initialization_options={"codeLens": True},
    )
    await lsp_client.initialize_session(params)
    yield
    await lsp_client.shutdown_session()


def opened(client: LanguageClient, path: Path) -> types.TextDocumentIdentifier:
    item = types.TextDocumentItem(uri=path.as_uri(), language_id="python", version=1, text=TEXT)
    client.text_document_did_open(types.DidOpenTextDocumentParams(text_document=item))
    return types.TextDocumentIdentifier(uri=path.as_uri())


async def known_hover(client: LanguageClient, document: types.TextDocumentIdentifier) -> str:
    """Hover the diagnostic until something is known of it."""
    position = types.Position(line=7, character=10)
    params = types.HoverParams(text_document=document, position=position)
    for _ in range(_TRIES):
        shown = await client.text_document_hover_async(params)
        if shown and isinstance(shown.contents, types.MarkupContent):
            return shown.contents.value
        await asyncio.sleep(0.05)
    raise AssertionError("nothing was known")


@sampled(2)
@pytest.mark.asyncio
async def test_an_editor_gets_hover_actions_lens_and_commands(
    client: LanguageClient, world: Path
) -> None:
    document = opened(client, world / "typed.py")
    notice = {"uri": document.uri, "version": 1, "diagnostics": [diagnostic()]}
    client.protocol.notify("gitmem/diagnostics", notice)
    text = await known_hover(client, document)
    assert "**worked**: call first instead" in text
    place = types.Range(
        start=types.Position(line=7, character=6), end=types.Position(line=7, character=20)
    )
    found = await client.text_document_code_action_async(
        types.CodeActionParams(
            text_document=document, range=place, context=types.CodeActionContext(diagnostics=[])
        )
    )
    titles = [re.sub(r"[:(].*", "", one.title).strip() for one in found or ()]
    assert titles[:3] == ["Apply past fix", "Show past fix", "Record what fixed it"]
    lenses = await client.text_document_code_lens_async(
        types.CodeLensParams(text_document=document)
    )
    assert [one.command.title for one in lenses or () if one.command] == [
        "1 attempt failed",  # of the whole file, above its first line
        "fixed before: call first instead",
    ]
    told = await client.workspace_execute_command_async(
        types.ExecuteCommandParams(command="gitmem.status", arguments=[])
    )
    assert told
    # Nobody's files get diagnostics of ours, and nothing popped up.
    assert not any(client.diagnostics.values())
    assert client.messages == []


@pytest.mark.asyncio
async def test_over_a_connection_it_is_the_same(world: Path) -> None:
    server = subprocess.Popen(  # noqa: ASYNC220  over before anything waits
        [sys.executable, "-m", "gitmem", "lsp", "--tcp", "0"],
        stdin=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
    )
    assert server.stderr
    try:
        said = await asyncio.to_thread(server.stderr.readline)
        client = strict_client()
        await client.start_tcp("127.0.0.1", int(said.rpartition(b":")[2]))
        capabilities = client_capabilities("neovim")
        await client.initialize_session(types.InitializeParams(capabilities=capabilities))
        document = opened(client, world / "typed.py")
        notice = {"uri": document.uri, "version": 1, "diagnostics": [diagnostic()]}
        client.protocol.notify("gitmem/diagnostics", notice)
        assert "**worked**: call first instead" in await known_hover(client, document)
        await client.shutdown_session()
        assert await asyncio.to_thread(server.wait, 30) == 0
        await client.stop()  # type: ignore[no-untyped-call]  # pygls
    finally:
        server.kill()
        server.wait()
        server.stderr.close()
