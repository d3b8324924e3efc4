"""Answers that a browser or a program has already are not sent again, and no old one is kept."""

import json
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.answers import derived_folder
from tests.e2e.pages import Served, serving
from tests.e2e.running import ok, run

if TYPE_CHECKING:
    from tests.conftest import Checkout

_BROKEN = "raise ValueError('too late')\n"


@pytest.fixture
def memory(repo: "Checkout") -> "Checkout":
    ok(repo, "init")
    ok(repo, "config", "--team", "capture.mode", "draft")
    repo.add("late.py", _BROKEN)
    ok(repo, "add", "error", "--type", "ClockError", "--message", "the clock is slow")
    repo.commit("a memory")
    return repo


@pytest.fixture
def served(memory: "Checkout") -> Iterator[Served]:
    with serving(memory) as one:
        yield one


def tag(served: Served, path: str) -> str:
    """Give the tag of an answer; what has it is not sent again."""
    answer = served.ask(path)
    assert answer.status == 200, answer.text
    held = answer.headers["etag"]
    again = served.ask(path, if_none_match=f'"other", W/{held}')
    assert (again.status, again.text) == (304, "")
    assert again.headers["etag"] == held
    assert served.ask(path, if_none_match='"other"').status == 200
    return held


def test_a_tag_holds_until_what_is_shown_changes(served: Served, memory: "Checkout") -> None:
    pages, api = f"/r/{served.name}", f"/api/v1/{served.name}"
    overview, drafts, runs = f"{pages}/", f"{api}/drafts", f"{api}/runs"
    (error,) = json.loads(ok(memory, "list", "--json"))["records"]
    record, origin = f"{pages}/record/{error['id']}", f"{api}/records/{error['id']}/provenance"
    held: dict[str, set[str]] = {}

    def changed(*expected: str) -> None:
        for path in (overview, drafts, runs, record, origin):
            now = tag(served, path)
            assert (now not in held.setdefault(path, set())) == (path in expected), path
            held[path].add(now)

    changed(overview, drafts, runs, record, origin)
    shutil.rmtree(derived_folder(memory))
    changed()
    run(memory, "run", "--", sys.executable, "late.py")
    changed(overview, runs)
    memory.add("late.py", "print('in time')\n")
    run(memory, "run", "--", sys.executable, "late.py")
    changed(overview, drafts, runs)
    ok(memory, "resolve", error["id"], "Set the clock")
    changed(overview, record)
    memory.git("commit", "--amend", "-q", "-m", "the memory begins")
    changed(record, origin)
    memory.git("checkout", "-q", "--orphan", "other")
    memory.git("rm", "-rqf", "--cached", ".memory")
    for path in Path(memory, ".memory", "errors").rglob("*.yaml"):
        path.unlink()
    assert served.ask(record).status == 404
    assert served.ask(record, if_none_match=", ".join(held[record])).status == 404
    now = tag(served, overview)
    assert now not in held[overview]


def test_a_tag_is_of_one_language_and_of_a_whole_page_or_a_part(served: Served) -> None:
    page = f"/r/{served.name}/search?q=clock"
    whole = served.ask(page)
    held = whole.headers["etag"]
    assert served.ask(page, if_none_match=held, accept_language="de").status == 200
    assert served.ask(page, if_none_match=held, hx_request="true").status == 200
    varies = {name.strip() for name in whole.headers["vary"].split(",")}
    assert varies == {"accept-language", "cookie", "hx-request"}
    assert "no-store" not in whole.headers["cache-control"]


@pytest.mark.parametrize("path", ["/api/v1/openapi.json", "/api/v1/docs", "/static/style.css"])
def test_what_never_changes_is_sent_once(served: Served, path: str) -> None:
    held = served.ask(path).headers["etag"]
    assert served.ask(path, if_none_match=held).status == 304
    assert "no-store" not in served.ask(path).headers["cache-control"]
