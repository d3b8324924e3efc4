"""A ``kagura.toml`` becomes the user's settings; what can't be set here is refused by name."""

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from gitmem.errors import InvalidError, UsageError
from gitmem.memory import Memory
from gitmem.parts.imports.import_other import import_other

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.conftest import Checkout

FILE = """
[coding_memory]
enabled = true
max_session_duration_hours = 12
auto_summarize_on_end = true
enable_pattern_learning = true
[coding_memory.defaults]
model = "gpt-5-mini"
auto_approve = false
cost_threshold = "dear"
[coding_memory.costs]
max_monthly_budget_usd = 5.0
warn_at_percentage = 70.0
"""


@pytest.fixture
def memory(repo: "Checkout", tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> "Iterator[Memory]":
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "settings"))
    Memory.init(str(repo))
    with Memory.open(str(repo)) as opened:
        yield opened


def settings(memory: Memory, text: str = FILE, *, dry_run: bool = False) -> list[str]:
    path = Path(memory.workspace.start) / "kagura.toml"
    path.write_text(text)
    return import_other(memory, str(path), dry_run=dry_run).notices


def value(memory: Memory, key: str) -> object:
    with Memory.open(memory.workspace.start) as again:
        return again.workspace.settings.get(key)[0]


def test_s4_41_to_43_what_has_a_name_here_is_set_and_the_rest_is_refused_by_name(
    memory: Memory,
) -> None:
    settings(memory, dry_run=True)
    assert value(memory, "llm.model") == ""
    notices = settings(memory)
    assert value(memory, "session.max_hours") == 12
    assert value(memory, "llm.model") == "gpt-5-mini"
    assert value(memory, "llm.monthly_budget") == 5
    assert value(memory, "llm.warn_at_percentage") == 70
    refused = [text.partition(" is not set: ") for text in notices if " is not set: " in text]
    reasons = {name: reason for name, _, reason in refused}
    assert "gitmem init" in reasons["enabled"]
    assert "--summarise" in reasons["auto_summarize_on_end"]
    assert "gitmem code profile" in reasons["enable_pattern_learning"]
    assert "dear" in reasons["defaults.cost_threshold"]
    assert len(reasons) == 4
    with Memory.open(memory.workspace.start) as again:
        assert "llm.model is gpt-5-mini already" in settings(again)


@pytest.mark.parametrize(
    ("key", "line"),
    [
        ("llm.monthly_budget", "max_monthly_budget_usd = 500.0"),
        ("llm.monthly_budget", "max_monthly_budget_usd = 0"),
        ("llm.auto_approve", "auto_approve = true"),
        ("llm.cost_threshold", "cost_threshold = 2.5"),
    ],
)
def test_what_lets_more_be_spent_is_named_and_not_set(memory: Memory, key: str, line: str) -> None:
    before = value(memory, key)
    notices = settings(memory, f"[coding_memory]\n{line}\n")
    assert value(memory, key) == before
    assert f"gitmem config {key} " in notices[1]


@pytest.mark.parametrize("text", ["[other]\na = 1\n", "not = = toml", "coding_memory = 1"])
def test_another_file_is_refused(memory: Memory, text: str) -> None:
    with pytest.raises(InvalidError):
        settings(memory, text)


@pytest.mark.parametrize(
    ("key", "said"),
    [
        ("auto_summarize_on_end", "--summarise"),
        ("coding_memory.defaults.model", "llm.model"),
        ("enabled", "gitmem init"),
        ("enable_pattern_learning", "gitmem code profile"),
        ("enable_rag", "semantic.embedder"),
        ("enable_graph", "gitmem code graph"),
        ("coding_memory.max_session_duration_hours", "session.max_hours"),
        ("defaults.vision_model", "llm.vision_model"),
        ("auto_approve", "llm.auto_approve"),
        ("cost_threshold", "llm.cost_threshold"),
        ("costs.max_monthly_budget_usd", "llm.monthly_budget"),
        ("warn_at_percentage", "llm.warn_at_percentage"),
        ("similarity_threshold", "gitmem.compat.learning"),
        ("confidence_boost_factor", "gitmem.compat.learning"),
        ("pattern_retention_limit", "retention.pattern_limit"),
        ("solution_retention_limit", "retention.solution_limit"),
    ],
)
def test_a_setting_by_its_older_name_is_refused_with_what_replaces_it(
    memory: Memory, key: str, said: str
) -> None:
    with pytest.raises(UsageError, match=f"there is no setting {key}") as refused:
        memory.workspace.settings.set(key, "true", "user")
    assert said in refused.value.hint
