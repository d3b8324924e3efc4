"""What a hub answers a developer, whichever engine it has."""

from random import Random
from typing import Any

from gitmem.hub.prints import prints_asked
from gitmem.parts.hub import questions
from gitmem.parts.hub.entries import entries_of
from gitmem.parts.hub.protocol import Head, Seen
from gitmem.parts.hub.scan import ScanHub
from gitmem.records.convert import encode, from_data
from gitmem.records.layout import path_for
from tests.hub import worlds
from tests.random_records import new_id


def test_an_old_error_that_was_fixed_is_found_behind_many_new_ones_that_were_not() -> None:
    rng = Random(4)
    hub = ScanHub()
    fields: dict[str, Any] = {
        "kind": "error", "title": "Pool ran dry", "type": "PoolError",
        "message": "the pool of connections ran dry",
        "author": {"name": "Ann", "email": "ann@example.com"},
    }  # fmt: skip

    def put(repository: str, *records: dict[str, Any]) -> None:
        files = {}
        for data in records:
            record = from_data(data)
            path = path_for(record.kind, record.id, record.title, record.created)
            files[path] = (rng.randbytes(20).hex(), encode(record))
        made, held = entries_of(repository, "c" * 40, files, worlds.POLICY)
        assert not held
        hub.put(made)
        hub.took(repository, Head("c", internal=True))

    error = {**fields, "id": new_id(rng, "error"), "created": "2025-01-01T00:00:00.000Z"}
    fix = {
        "kind": "fix", "id": new_id(rng, "fix"), "title": "Return connections",
        "created": "2025-01-01T01:00:00.000Z", "author": fields["author"], "outcome": "worked",
        "links": {"fixes": [error["id"]]},
    }  # fmt: skip
    put("old/one", error, fix)
    put(
        "new/one",
        *(
            {**fields, "id": new_id(rng, "error"), "created": f"2026-01-01T00:{at:02}:00.000Z"}
            for at in range(59)
        ),
    )
    answer = questions.alike(hub, prints_asked(fields), Seen(internal=True))
    assert [hit.repository for hit in answer.hits] == ["old/one"]
