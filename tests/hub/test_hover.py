"""What a hub knows, in hovers of the real language server; a hub that is down changes none."""

import threading
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from gitmem.memory import Memory
from tests.e2e.conftest import UNSET
from tests.e2e.lsp_editor import Editor, wait_until
from tests.e2e.test_lsp_known import TEXT, call_first, diagnostic, text_of
from tests.hub.organisation import Hub
from tests.hub.test_developer import LIES, Handler, hit, scripted

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.conftest import Built, Checkout

pytestmark = pytest.mark.usefixtures("plain_terminal")
UNKNOWN = diagnostic(message="nobody here has seen this message", code="reportGeneral")


@pytest.fixture
def plain_terminal(sealed_git: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Take away what would make the server start another way than an editor starts it."""
    for name in UNSET:
        monkeypatch.delenv(name, raising=False)


def looking(editor: Editor, repo: "Checkout", *given: "dict[str, object]") -> Path:
    """Open a file with diagnostics in the editor."""
    editor.initialize(repo)
    path = repo / "typed.py"
    editor.open(path, TEXT)
    editor.forward(path, *given)
    return path


def test_a_hover_tells_what_another_repository_knows(
    repo: "Checkout",
    make_repo: "Callable[..., Checkout]",
    tmp_path: Path,
    database: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    Memory.init(str(repo))
    theirs = make_repo("api")
    call_first(theirs)
    theirs.add(".memory/gitmem.yaml", "format: 1\nsettings:\n  hub.publish: true\n")
    theirs.commit("published")
    hub = Hub(tmp_path / "hub", database)
    hub.run("add", "payments/api", str(theirs), "--internal")
    hub.run("sync")
    monkeypatch.setenv("GITMEM_HUB_TOKEN", hub.run("token", "ada").strip())
    with hub.serving() as url:
        monkeypatch.setenv("GITMEM_HUB_URL", url)
        client = Editor(repo)
        try:
            path = looking(client, repo, diagnostic())
            wait_until(lambda: client.hover(path, 7, 10) is not None)
            shown = client.hover(path, 7, 10)
        finally:
            client.close()
    assert shown
    assert shown["range"] == diagnostic()["range"]
    text = text_of(shown)
    assert "same message, in payments/api" in text
    order = ["worked there: call first instead", "failed there: ignore the rule"]
    assert 0 < text.index(order[0]) < text.index(order[1])


def test_what_is_the_same_error_here_is_not_asked(
    repo: "Checkout", built: "Built", monkeypatch: pytest.MonkeyPatch
) -> None:
    world = built(repo, call_first)
    with scripted(lambda handler: handler.answer(hit())) as server:
        monkeypatch.setenv("GITMEM_HUB_URL", server.url)
        client = Editor(world)
        try:
            path = looking(client, world, diagnostic())
            wait_until(lambda: client.hover(path, 7, 10) is not None)
            assert "same message, in a" not in text_of(client.hover(path, 7, 10))
            assert server.asked == []
        finally:
            client.close()


def test_no_hover_waits_for_a_hub_and_it_is_not_asked_twice_about_the_same(
    repo: "Checkout", built: "Built", monkeypatch: pytest.MonkeyPatch
) -> None:
    world = built(repo, call_first)
    hovered = threading.Event()

    def waits(handler: Handler) -> None:
        assert hovered.wait(60)
        handler.answer(hit(title="seen next door"))

    with scripted(waits) as server:
        monkeypatch.setenv("GITMEM_HUB_URL", server.url)
        client = Editor(world)
        try:
            elsewhere = diagnostic(4, 11, 19, message=UNKNOWN["message"], code="reportGeneral")
            path = looking(client, world, elsewhere, diagnostic())
            wait_until(lambda: client.hover(path, 7, 10) is not None)
            assert client.hover(path, 4, 12) is None
            wait_until(lambda: len(server.asked) == 1)
            hovered.set()
            wait_until(lambda: "seen next door" in text_of(client.hover(path, 4, 12)))
            before = len(server.asked)
            for _ in range(3):
                assert "seen next door" in text_of(client.hover(path, 4, 12))
            assert len(server.asked) == before
            assert all(UNKNOWN["message"] not in sent for sent in server.asked)
        finally:
            hovered.set()
            client.close()


@pytest.mark.parametrize("lie", ["dead", *LIES])
def test_a_hub_that_is_down_or_lies_changes_no_hover(
    repo: "Checkout", built: "Built", lie: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    world = built(repo, call_first)
    elsewhere = diagnostic(4, 11, 19, message=UNKNOWN["message"], code="reportGeneral")

    def hovers() -> list[object]:
        client = Editor(world)
        try:
            path = looking(client, world, elsewhere, diagnostic())
            wait_until(lambda: client.hover(path, 7, 10) is not None)
            places = ((4, 12), (7, 10), (4, 12), (0, 0), (4, 12), (4, 12))
            return [client.hover(path, line, at) for line, at in places]
        finally:
            client.close()

    alone = hovers()
    with scripted(LIES.get(lie, LIES["an error"])) as server:
        url = "http://127.0.0.1:1" if lie == "dead" else server.url
        monkeypatch.setenv("GITMEM_HUB_URL", url)
        assert hovers() == alone
        assert bool(server.asked) == (lie != "dead")
