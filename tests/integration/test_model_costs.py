"""What calls to language models cost, to the last digit, whatever becomes of the answer."""

import time
from collections.abc import Iterator
from contextlib import suppress
from decimal import Decimal
from typing import TYPE_CHECKING

import pytest

from gitmem import Memory
from gitmem.errors import EnvironmentProblem, UsageError
from gitmem.llm.approval import Estimate
from gitmem.llm.ledger import Call
from tests.depth import sampled
from tests.model_server import (
    Answer,
    Open,
    Server,
    chunk,
    fails,
    hangs,
    opening,
    says,
    sends,
    serving,
    usage,
)

if TYPE_CHECKING:
    from tests.conftest import Checkout

NOTHING = '{"patterns": []}'
MILLION = Decimal(1_000_000)


@pytest.fixture
def server() -> Iterator[Server]:
    with serving() as made:
        yield made


@pytest.fixture
def open_(repo: "Checkout", server: Server) -> Iterator[Open]:
    """Open a memory with an error, where every call is dear."""
    Memory.init(str(repo))
    dear = {"llm.model": "small-1", "llm.cost_threshold": 0}
    with opening(repo, server, dear) as opened:

        def with_error(**settings: object) -> Memory:
            memory = opened(**settings)
            memory.add("error", {"error_type": "E", "message": "the clock is slow"})
            return memory

        yield with_error


def asked(memory: Memory) -> tuple[Call, Estimate]:
    """Ask once, whether or not an answer comes; give what was noted, and the estimate."""
    seen: list[Estimate] = []

    def approve(estimate: Estimate) -> bool:
        seen.append(estimate)
        return True

    with suppress(EnvironmentProblem):
        memory.models.find_patterns(memory.models.analyse(), approve)
    (call,), (estimate,) = memory.models.spending().calls, seen
    return call, estimate


@sampled(5)
@pytest.mark.parametrize(
    ("answers", "requests", "tokens"),
    [
        ([says(NOTHING, tokens=(1234, 56))], 1, (1234, 56)),
        # A refusal is not charged: only the try that was answered is.
        ([fails(429, Retry_After="0"), says(NOTHING, tokens=(1234, 56))], 2, (1234, 56)),
        ([fails(503, Retry_After="0"), fails(429, Retry_After="0"),
          says(NOTHING, tokens=(7, 1))], 3, (7, 1)),
        ([fails(429, Retry_After="0")], 3, (0, 0)),
        ([fails(401)], 1, (0, 0)),
        # An answer of another form was given all the same.
        ([says("I think so", tokens=(1234, 56))], 1, (1234, 56)),
        ([says(NOTHING, tokens=(1234, 4000), end="length")], 1, (1234, 4000)),
        ([says("", tokens=(1234, 0))], 1, (1234, 0)),
        # Counted with each piece: the last count is that of the whole.
        ([sends(chunk(NOTHING), usage(1234, 3), chunk(end="stop"), usage(1234, 56), "[DONE]")],
         1, (1234, 56)),
        # Counted, and then the line breaks.
        ([sends(chunk("{"), usage(1234, 5))], 1, (1234, 5)),
        # What the model thought is charged, also where it is no part of the answer.
        ([sends(chunk(NOTHING, "stop"), usage(1234, 56, thought=700), "[DONE]")], 1, (1234, 756)),
    ],
    ids=["streamed", "429 first", "503 and 429 first", "429 to the end", "no key",
         "another form", "cut off", "empty", "counted twice", "broken after the count", "thoughts"],
)  # fmt: skip
def test_s4_50_what_the_server_counted_is_charged_once_and_exactly(
    open_: Open, server: Server, answers: list[Answer], requests: int, tokens: tuple[int, int]
) -> None:
    memory = open_()
    server.will(*answers)
    call, estimate = asked(memory)
    assert len(server.requests) == requests
    assert (call.input, call.output) == tokens
    assert call.cost == (tokens[0] + 2 * Decimal(tokens[1])) / MILLION
    assert call.measured
    spent = memory.models.spending("now")
    assert (spent.total.calls, spent.total.cost, spent.this_month) == (1, call.cost, call.cost)
    assert call.cost <= (estimate.cost or 0)


@sampled(2)
@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (hangs(), "no whole answer"),
        (hangs('{"patterns'), "no whole answer"),
        (sends(chunk("{")), "broke off"),
        (sends("{no json"), "not a stream"),
    ],
    ids=["silent", "begun", "broken off", "no stream"],
)
def test_s4_55_where_nobody_counted_all_that_was_estimated_counts(
    open_: Open, server: Server, answer: Answer, words: str
) -> None:
    """A server may go on after it was given up, and charge for that: a budget must hold."""
    memory = open_(llm_timeout=0.5)
    server.will(answer)
    with pytest.raises(EnvironmentProblem, match=words):
        memory.models.find_patterns(memory.models.analyse(), lambda _: True)
    (call,) = memory.models.spending().calls
    assert (call.state, call.measured, call.output) == ("failed", False, 4000)
    assert call.cost == (call.input + 2 * Decimal(4000)) / MILLION


def test_s4_55_a_call_that_was_given_up_uses_the_budget_up(open_: Open, server: Server) -> None:
    memory = open_(llm_timeout=0.5, llm_monthly_budget=0.015, llm_auto_approve=True)
    server.will(hangs())
    with pytest.raises(EnvironmentProblem):
        memory.models.find_patterns(memory.models.analyse(), None)
    (call,) = memory.models.spending().calls
    with pytest.raises(UsageError, match="is left"):
        memory.models.find_patterns(memory.models.analyse(), None)
    assert len(server.requests) == 1
    assert memory.models.spending("now").this_month == call.cost


@pytest.mark.parametrize("claimed", [(10**12, 1), (1, 10**12), (10**12, 10**12)])
def test_a_server_that_claims_too_much_does_not_use_the_budget_up(
    open_: Open, server: Server, claimed: tuple[int, int]
) -> None:
    memory = open_(llm_monthly_budget=1, llm_auto_approve=True)
    server.will(says(NOTHING, tokens=claimed), says(NOTHING))
    memory.models.find_patterns(memory.models.analyse(), None)
    assert any("more than there can have been" in note for note in memory.workspace.notices)
    (call,) = memory.models.spending().calls
    assert not call.measured
    assert call.input < 10_000
    assert call.output <= 4000
    memory.models.find_patterns(memory.models.analyse(), None)
    assert len(server.requests) == 2


def test_five_seconds_are_five_seconds(open_: Open, server: Server) -> None:
    """Five is the default of the library below, which took it for: not set, and waited 600."""
    memory = open_(llm_timeout=5)
    server.will(hangs())
    began = time.monotonic()
    with pytest.raises(EnvironmentProblem, match="no whole answer within 5 s"):
        memory.models.find_patterns(memory.models.analyse(), lambda _: True)
    assert time.monotonic() - began < 30


def test_s4_51_each_call_is_listed_with_time_model_and_cost(open_: Open, server: Server) -> None:
    memory = open_(llm_auto_approve=True)
    server.will(
        says(NOTHING, tokens=(1000, 1)), fails(400), says("no", tokens=(10, 1)),
        says(NOTHING, tokens=(1, 1000)),
    )  # fmt: skip
    for _ in range(4):
        with suppress(EnvironmentProblem):
            memory.models.find_patterns(memory.models.analyse(), None)
    calls = memory.models.spending().calls
    assert [one.cost for one in calls] == [
        Decimal("0.001002"), Decimal(0), Decimal("0.000012"), Decimal("0.002001"),
    ]  # fmt: skip
    assert [one.state for one in calls] == ["answered", "failed", "answered", "answered"]
    assert all(one.model == "small-1" and one.host == server.host for one in calls)
    assert [one.at for one in calls] == sorted(one.at for one in calls)
    total = memory.models.spending().total
    assert (total.calls, total.tokens, total.cost) == (4, 2013, Decimal("0.003015"))
