"""The coding memory with a language model: its options, approval, and what a session then says."""

from typing import TYPE_CHECKING, Any

import pytest

from gitmem.compat.coding import CodingMemoryManager
from tests.compat.calling import ended
from tests.model_server import Server, fails

if TYPE_CHECKING:
    from gitmem.llm.approval import Estimate
    from tests.conftest import Checkout

WHO: dict[str, Any] = {"user_id": "dev_john", "project_id": "api-service"}


def test_s4_40_and_s4_46_a_manager_with_a_model_ends_sessions_with_its_summary(
    here: "Checkout", server: Server
) -> None:
    manager = CodingMemoryManager(**WHO, model="gpt-5-mini", cost_threshold=0.5)
    said = ended(manager)
    assert said["summary"].startswith("Goal: Make the clock aware")
    assert "> The clock is aware." in said["summary"]
    assert "> - add a pre-commit hook" in said["summary"]
    assert server.requests[0].body["model"] == "gpt-5-mini"
    costs = manager.coding_analyzer
    assert (costs.total_cost, costs.total_tokens, costs.call_count) == (0.0014, 1200, 1)
    assert [(one["model"], one["cost"]) for one in costs.call_costs] == [("gpt-5-mini", 0.0014)]


def test_s4_38_and_s4_40_what_needs_approval_is_asked_about_or_not_sent(
    here: "Checkout", server: Server
) -> None:
    asked: list[Estimate] = []

    def no(estimate: "Estimate") -> bool:
        asked.append(estimate)
        return False

    for approve in (None, no):
        manager = CodingMemoryManager(**WHO, model="m", cost_threshold=0.0, approve=approve)
        said = ended(manager)
        assert "By the model" not in said["summary"]
        assert any("m at 127.0.0.1" in one for one in said["notes"])
    assert server.requests == []
    assert [one.model for one in asked] == ["m"]
    auto = CodingMemoryManager(**WHO, model="m", cost_threshold=0.0, auto_approve=True)
    assert "> The clock is aware." in ended(auto)["summary"]


def test_s4_28_and_36_the_variable_of_the_model_has_sessions_summed_up_by_it(
    here: "Checkout", server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CODING_MEMORY_MODEL", "gpt-5-mini")
    held = ended(CodingMemoryManager(**WHO, cost_threshold=0.0))
    assert "By the model" not in held["summary"]
    assert any("no summary by gpt-5-mini" in one for one in held["notes"])
    assert server.requests == []
    assert "> The clock is aware." in ended(CodingMemoryManager(**WHO))["summary"]
    assert server.requests[0].body["model"] == "gpt-5-mini"


def test_s4_36_a_setting_of_gitmem_alone_asks_no_model(
    here: "Checkout", server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GITMEM_LLM_MODEL", "gpt-5-mini")
    assert "By the model" not in ended(CodingMemoryManager(**WHO))["summary"]
    assert server.requests == []


def test_a_model_that_does_not_answer_keeps_no_session_from_ending(
    here: "Checkout", server: Server
) -> None:
    server.will(fails(401, "who are you"))
    said = ended(CodingMemoryManager(**WHO, model="m"))
    assert said["success"] is True
    assert any("401" in one for one in said["notes"])
