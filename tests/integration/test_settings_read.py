"""Settings that are written while they are read are noticed afterwards."""

import os
from typing import TYPE_CHECKING, Any

import pytest

from gitmem import Memory
from gitmem.memory.core import site

if TYPE_CHECKING:
    from tests.conftest import Checkout


@pytest.mark.parametrize("layer", ["team", "user"])
def test_what_is_written_just_behind_the_reading_counts_as_new(
    repo: "Checkout", tmp_path: Any, monkeypatch: pytest.MonkeyPatch, layer: str
) -> None:
    Memory.init(str(repo))
    own = tmp_path / "config" / "gitmem" / "config.yaml"
    own.parent.mkdir(parents=True)
    own.write_text("search.limit: 3\n")
    paths = {"team": repo / ".memory" / "gitmem.yaml", "user": own}
    text = {"team": "format: 1\nsettings:\n  search.limit: 5\n", "user": "search.limit: 5\n"}
    environ = {**os.environ, "XDG_CONFIG_HOME": str(tmp_path / "config")}
    with Memory.open(str(repo), environ=environ) as memory:
        assert not memory.workspace.has_old_settings()
    read = getattr(site, f"{layer}_layer")

    def read_and_written(where: Any) -> Any:
        found = read(where)
        paths[layer].write_text(text[layer])
        return found

    with monkeypatch.context() as patch:
        patch.setattr(site, f"{layer}_layer", read_and_written)
        memory = Memory.open(str(repo), environ=environ)
    with memory:
        assert memory.workspace.site.config.search_limit == 3
        assert memory.workspace.has_old_settings()
    with Memory.open(str(repo), environ=environ) as again:
        assert again.workspace.site.config.search_limit == 5
        assert not again.workspace.has_old_settings()
