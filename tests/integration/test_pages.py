"""A long list is given in pages: the first one before the others, all of one state."""

from random import Random
from typing import TYPE_CHECKING

import pytest

from gitmem.catalog.catalog import Catalog
from gitmem.errors import EnvironmentProblem
from gitmem.memory import Memory
from gitmem.query import Filters
from gitmem.sync.comparison import Comparison, PendingCheck
from gitmem.sync.difference import Difference
from tests.random_records import new_id, path_of, record, text_of

if TYPE_CHECKING:
    from tests.conftest import Checkout

MANY = 700
SMALL = "schema: 1\nid: {id}\nkind: note\ntitle: {title}\ncreated: {at}\nauthor:\n  name: Ann\n"


@pytest.fixture
def full(repo: "Checkout") -> "Checkout":
    """Make a memory of more records than a page holds."""
    Memory.init(str(repo))
    rng = Random(5)
    folder = repo / ".memory" / "notes" / "2026" / "01"
    folder.mkdir(parents=True)
    for number in range(MANY):
        name, at = new_id(rng, "note"), f"2026-01-01T{number // 60:02}:{number % 60:02}:00Z"
        text = SMALL.format(id=name, title=f"Number {number}", at=at) + "body: Some text.\n"
        (folder / f"number-{number}-{name}.yaml").write_text(text)
    return repo


def test_the_first_page_is_there_before_the_others_are_read(full: "Checkout") -> None:
    with Memory.open(str(full)) as memory:
        pages = memory.records.reader.pages(sort="oldest")
        first = next(pages)
        assert [row.title for row in first] == [f"Number {number}" for number in range(len(first))]
        assert 0 < len(first) < MANY // 2
        memory.workspace.close()
        with pytest.raises(EnvironmentProblem, match="the rest of the answer"):
            next(pages)


def test_all_pages_are_of_one_state_and_the_files_are_compared_once(
    full: "Checkout", monkeypatch: pytest.MonkeyPatch
) -> None:
    compared: list[Comparison] = []

    class Noted(Comparison):
        def changes(self, catalog: Catalog, doubt: PendingCheck | None) -> Difference:
            compared.append(self)
            return super().changes(catalog, doubt)

    monkeypatch.setattr("gitmem.sync.derived.Comparison", Noted)
    with Memory.open(str(full)) as memory:
        memory.list()
        compared.clear()
        pages = memory.records.reader.pages(sort="oldest")
        rows = next(pages)
        # Another one writes, and catches up, between the pages.
        data = record(Random(1), [], "note")
        path = full / ".memory" / path_of(data)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text_of(data))
        with Memory.open(str(full)) as other:
            assert len(other.list()) == MANY + 1
        ours = [at for at in compared if at is memory.workspace.derived.comparison]
        rows += [row for page in pages for row in page]
        assert ours == [memory.workspace.derived.comparison]
        assert [row.title for row in rows] == [f"Number {number}" for number in range(MANY)]
        assert len(memory.list()) == MANY + 1


def test_pages_that_nobody_reads_on_leave_the_memory_usable(full: "Checkout") -> None:
    with Memory.open(str(full)) as memory:
        assert next(memory.records.reader.pages())
        memory.add("note", {"title": "One more", "body": "Text."})
        assert len(memory.list(limit=3)) == 3
        assert len(memory.list()) == MANY + 1


def test_a_reader_who_goes_away_is_no_error(full: "Checkout") -> None:
    with Memory.open(str(full)) as memory:
        pages = memory.workspace.ask(lambda now: now.catalog).pages(Filters())
        assert next(pages)
        memory.workspace.close()
        # As the interpreter does at its end, where nobody could catch what it raised.
        pages.close()  # type: ignore[attr-defined]
