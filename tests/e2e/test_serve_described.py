"""The interface for programs is as its OpenAPI document says, whatever is asked of it."""

import hashlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from schemathesis.checks import not_a_server_error
from schemathesis.generation import GenerationMode
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    negative_data_rejection,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from gitmem.serve.api import ADDRESS
from gitmem.serve.api.openapi import document
from gitmem.serve.api.verbs import VERBS
from tests.answers import derived_folder
from tests.depth import amount, deep
from tests.e2e.pages import SECONDS, Served, serving
from tests.e2e.running import ok

if TYPE_CHECKING:
    from tests.conftest import Built, Checkout

pytestmark = [deep, pytest.mark.timeout(600)]
_CHECKS: Final = [
    not_a_server_error, status_code_conformance, content_type_conformance,
    response_headers_conformance, response_schema_conformance, negative_data_rejection,
]  # fmt: skip
_DOCUMENT: Final = schemathesis.openapi.from_dict(document(VERBS))
_OPERATIONS: Final = {
    (method.upper(), path): _DOCUMENT[path][method]
    for path, methods in document(VERBS)["paths"].items()
    for method in methods
}
_WRITING: Final = {(verb.method, f"/{{repository}}{verb.path}") for verb in VERBS if verb.writes}


@pytest.fixture
def memory(repo: "Checkout", built: "Built") -> "Checkout":
    return built(repo, _filled)


def _filled(repo: "Checkout") -> None:
    ok(repo, "init")
    repo.add("clock.py", "print('tick')\n")
    ok(repo, "add", "error", "--type", "ClockError", "--message", "the clock is slow")
    ok(repo, "add", "decision", "--title", "Use UTC", "--decision", "UTC", "--anchor", "clock.py:1")
    ok(repo, "add", "note", "--title", "Wind it", "--body", "daily")
    repo.commit("a memory")


@pytest.fixture
def served(memory: "Checkout") -> Iterator[Served]:
    with serving(memory, "--write") as one:
        yield one


def contents(folder: Path) -> dict[str, str]:
    """Give a digest of each file of a repository, but for what is derived from others."""
    return {
        str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and derived_folder(folder) not in path.parents
    }


def ask_anything(served: Served, operation: Any, names: list[str]) -> None:
    """Ask an operation all sorts of things, allowed and forbidden; check each answer.

    Args:
        served: the server.
        operation: of the document.
        names: ids that there are.

    """
    known = st.fixed_dictionaries(
        {"repository": st.just(served.name), "id": st.sampled_from(names)}
    )
    allowed = operation.as_strategy(generation_mode=GenerationMode.POSITIVE)
    forbidden = operation.as_strategy(generation_mode=GenerationMode.NEGATIVE)

    @given(case=allowed | forbidden, of=known, known_name=st.booleans())
    @settings(
        max_examples=amount(share=8, ci=100, whole=2000), deadline=None, database=None,
        derandomize=True, suppress_health_check=list(HealthCheck),
    )  # fmt: skip
    def ask(case: Any, of: dict[str, str], *, known_name: bool) -> None:
        if known_name and case.meta.generation.mode is GenerationMode.POSITIVE:
            case.path_parameters = {name: of[name] for name in case.path_parameters or {}}
        answer = case.call(
            base_url=f"http://127.0.0.1:{served.port}{ADDRESS}",
            headers={"authorization": f"Bearer {served.token}"},
            timeout=SECONDS,
        )
        case.validate_response(answer, checks=_CHECKS)

    ask()


@pytest.mark.parametrize("which", sorted(_OPERATIONS.keys() - _WRITING), ids=" ".join)
def test_a_question_gets_a_described_answer_and_changes_nothing(
    served: Served, memory: "Checkout", which: tuple[str, str]
) -> None:
    before = contents(memory)
    ask_anything(served, _OPERATIONS[which], _ids(memory))
    assert contents(memory) == before


@pytest.mark.parametrize("which", sorted(_WRITING), ids=" ".join)
def test_writing_gets_a_described_answer_and_leaves_a_memory_that_can_be_read(
    served: Served, memory: "Checkout", which: tuple[str, str]
) -> None:
    ask_anything(served, _OPERATIONS[which], _ids(memory))
    broken = json.loads(ok(memory, "check", "--json"))["problems"]
    assert [problem for problem in broken if problem["severity"] == "error"] == []


def _ids(memory: "Checkout") -> list[str]:
    return [row["id"] for row in json.loads(ok(memory, "list", "--json"))["records"]]
