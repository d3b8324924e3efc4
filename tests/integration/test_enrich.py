"""``gitmem index enrich``: a model's words for records, asked for, bounded, without secrets."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from gitmem import Memory
from gitmem.errors import EnvironmentProblem, NotFoundError
from gitmem.llm.approval import ApprovalError
from tests.model_server import Handler, Open, Server, opening, says, serving

if TYPE_CHECKING:
    from gitmem.llm.approval import Estimate
    from tests.conftest import Checkout

SECRET = "ghp_" + "aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5"


@pytest.fixture
def server() -> Iterator[Server]:
    with serving() as made:
        yield made


@pytest.fixture
def open_(repo: "Checkout", server: Server) -> Iterator[Open]:
    Memory.init(str(repo))
    with opening(repo, server) as opened:
        yield opened


def asks(*lines: str) -> Callable[[Handler], None]:
    """Answer with the same lines for each record that was sent, and for one that was not."""

    def answer(handler: Handler) -> None:
        request = handler.server.owner.requests[-1]  # type: ignore[attr-defined]
        ids = [record["record"] for record in request.data["records"]]
        said = [{"record": name, "asked_as": list(lines)} for name in (*ids, "dec-0000000000")]
        says({"asked": said})(handler)

    return answer


def yes(_: "Estimate") -> bool:
    return True


def add(memory: Memory, title: str, **fields: object) -> str:
    return memory.add("decision", {"title": title, "decision": "so it is", **fields}).id


def test_the_newest_records_without_such_lines_get_them(open_: Open, server: Server) -> None:
    memory = open_()
    has = add(memory, "One", asked_as=["of my own"])
    old, new = add(memory, "Two"), add(memory, "Three")
    server.will(asks("how is it", "  how   is it ", *(f"line {at}" for at in range(9))))
    enriched = memory.models.enrich(limit=1, approve=yes)
    assert [record.id for record in enriched] in ([new], [old])
    assert enriched[0].asked_as == ("how is it", "line 0", "line 1", "line 2", "line 3")
    assert memory.show(has).record.asked_as == ("of my own",)
    assert memory.search("line").hits[0].row.id == enriched[0].id
    server.will(asks("why"))
    assert len(memory.models.enrich(approve=yes)) == 1
    with pytest.raises(NotFoundError, match="has asked_as already"):
        memory.models.enrich(approve=yes)


def test_nothing_is_sent_without_approval_and_no_secret_at_all(
    open_: Open, server: Server, repo: "Checkout"
) -> None:
    memory = open_(llm_price="", llm_auto_approve=True)
    add(memory, "One")
    (file,) = (repo / ".memory/decisions").rglob("*.yaml")
    file.write_bytes(file.read_bytes().replace(b"so it is", f"token={SECRET}".encode()))
    with pytest.raises(ApprovalError):
        memory.models.enrich()
    assert server.requests == []
    server.will(asks(f"what is {SECRET}"))
    memory.models.enrich(approve=yes)
    assert SECRET not in server.requests[0].text
    assert SECRET not in file.read_text()


def test_what_people_wrote_into_a_file_stays(open_: Open, server: Server, repo: "Checkout") -> None:
    memory = open_()
    add(memory, "One")
    (file,) = (repo / ".memory/decisions").rglob("*.yaml")
    file.write_text("# mine\n" + file.read_text())
    with pytest.raises(NotFoundError):
        memory.models.enrich(approve=yes)
    file.write_text(file.read_text().removeprefix("# mine\n"))

    def edited(handler: Handler) -> None:
        change(file)
        asks("how")(handler)

    server.will(edited)
    assert memory.models.enrich(approve=yes) == []
    assert "edited meanwhile" in " ".join(memory.workspace.notices)
    assert "so it was" in file.read_text()


def change(file: Path) -> None:
    file.write_text(file.read_text().replace("so it is", "so it was"))


def test_another_answer_changes_nothing(open_: Open, server: Server, repo: "Checkout") -> None:
    memory = open_()
    add(memory, "One")
    (file,) = (repo / ".memory/decisions").rglob("*.yaml")
    before = file.read_bytes()
    server.will(says({"asked": [{"record": 1}]}))
    with pytest.raises(EnvironmentProblem, match="did not answer in the form"):
        memory.models.enrich(approve=yes)
    assert file.read_bytes() == before
