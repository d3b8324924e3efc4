"""``gitmem serve`` as a real process, asked as a browser and as a program ask it."""

import http.client
import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Final
from urllib.parse import urlencode

import pytest

from tests.e2e.pages import SECONDS, Served, serving
from tests.e2e.running import environment, ok, run, server

if TYPE_CHECKING:
    from tests.conftest import Built, Checkout

_CLOCK: Final = """import time


def read_the_clock():
    seconds_since_epoch = time.tme()
    return seconds_since_epoch
"""
_CRASH: Final = """Traceback (most recent call last):
  File "clock.py", line 5, in read_the_clock
    seconds_since_epoch = time.tme()
AttributeError: module 'time' has no attribute 'tme'
"""
_HOSTILE: Final = "<script>alert(1)</script><img src=x onerror=alert(1)>"


@pytest.fixture
def memory(repo: "Checkout", built: "Built") -> "Checkout":
    return built(repo, _filled)


def _filled(repo: "Checkout") -> None:
    ok(repo, "init")
    ok(repo, "add", "error", "--type", "ClockError", "--message", "the clock is slow")
    ok(repo, "add", "note", "--title", _HOSTILE, "--body", _HOSTILE)
    ok(repo, "add", "decision", "--title", "Use UTC everywhere", "--decision", "UTC")
    repo.commit("a memory")


@pytest.fixture
def served(memory: "Checkout") -> Iterator[Served]:
    with serving(memory) as one:
        yield one


def _record(repo: Path, kind: str) -> str:
    rows = json.loads(ok(repo, "list", f"kind:{kind}", "--json"))["records"]
    return str(rows[0]["id"])


def test_every_page_shows_what_there_is(served: Served, memory: "Checkout") -> None:
    root = f"/r/{served.name}"
    error = _record(memory, "error")
    expected = {
        "/": "the clock is slow",
        "/search?q=clock": "the clock is slow",
        "/search?q=the+cloc": "the clock is slow",  # a word that is being typed
        "/search": "Use UTC everywhere",
        f"/record/{error}": "ClockError",
        "/sessions": "Sessions",
        "/review": "This branch has no commits of its own yet.",
        "/review?span=HEAD": "Review",
        "/drafts": "No drafts",
        "/health": "All files can be read",
        "/file?path=clock.py": "Decisions that govern it",
    }
    for path, words in expected.items():
        answer = served.ask(root + path)
        assert answer.status == 200, (path, answer.text)
        assert words in answer.text, path


def test_what_records_say_is_no_markup(served: Served, memory: "Checkout") -> None:
    note = _record(memory, "note")
    root = f"/r/{served.name}"
    for path in (
        "/",
        "/search?q=alert",
        f"/record/{note}",
        f"/search?{urlencode({'q': _HOSTILE})}",
    ):
        answer = served.ask(root + path)
        assert "<img src=x" not in answer.text, path
        assert "<script>alert" not in answer.text, path
    policy = served.ask(f"{root}/").headers["content-security-policy"]
    assert "unsafe" not in policy
    assert "default-src 'none'" in policy


def test_secrets_in_record_files_are_not_shown(repo: "Checkout") -> None:
    """Somebody wrote them by hand, past gitmem."""
    token = "ghp_" + "A1b2C3d4E5f6G7h8I9j0" + "K1l2M3n4O5p6Q7r8"
    ok(repo, "init")
    ok(repo, "add", "error", "--type", "AuthError", "--message", "login XTOKENX refused")
    ok(repo, "add", "note", "--title", "the key XTOKENX", "--body", "XTOKENX")
    for path in Path(repo, ".memory").rglob("*.yaml"):
        path.write_text(path.read_text().replace("XTOKENX", token))
    repo.commit("careless")
    error, note = _record(repo, "error"), _record(repo, "note")
    with serving(repo) as served:
        root, api = f"/r/{served.name}", f"/api/v1/{served.name}"
        paths = [f"{root}{path}" for path in (
            "/", "/search", "/search?q=login&why=on", f"/record/{error}", f"/record/{note}",
            "/sessions", "/review", "/drafts", "/health", "/file?path=x",
        )]  # fmt: skip
        paths += [f"{api}{path}" for path in (
            "/search?q=login", "/records", f"/records/{note}", "/stats", "/recurring", "/check",
        )]  # fmt: skip
        texts = {path: served.ask(path).text for path in paths}
        asked = {"text": "AuthError: login x refused"}
        texts["hint"] = served.ask(f"{api}/hint", "POST", json.dumps(asked)).text
        assert "login" in texts[f"{root}/"]
        assert [path for path, text in texts.items() if token in text] == []


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 401),
        ({"authorization": "Bearer wrong"}, 401),
        ({"cookie": "gitmem=wrong"}, 401),
        ({"host": "evil.example"}, 421),
        ({"origin": "http://evil.example"}, 403),
        ({"sec_fetch_site": "cross-site"}, 403),
    ],
)
@pytest.mark.parametrize("path", ["/", "/static/style.css", "/api/v1/repositories"])
def test_who_is_not_let_in(served: Served, headers: dict[str, str], status: int, path: str) -> None:
    bearer = not ({"authorization", "cookie"} & headers.keys()) and bool(headers)
    assert served.ask(path, bearer=bearer, **headers).status == status


def test_the_address_with_the_token_becomes_a_cookie(served: Served) -> None:
    cookie = served.cookie()
    assert served.token not in cookie
    answer = served.ask(f"/r/{served.name}/", bearer=False, cookie=cookie)
    assert answer.status == 200
    assert served.token not in answer.text


def test_forms_write_and_only_those_of_the_page(served: Served, memory: "Checkout") -> None:
    error = _record(memory, "error")
    page = f"/r/{served.name}/record/{error}"
    answer = served.form(f"{page}/resolve", page, title="set the clock", outcome="worked")
    assert answer.status == 303, answer.text
    assert "set the clock" in served.ask(page).text
    assert "resolved" in ok(memory, "list", "kind:error")

    forged = urlencode({"form_token": "x", "title": "forged"})
    refused = served.ask(f"{page}/resolve", "POST", forged, bearer=False, cookie=served.cookie())
    assert refused.status == 403
    assert "forged" not in ok(memory, "list")


def test_s4_70_programs_ask_and_write_only_where_that_is_allowed(memory: "Checkout") -> None:
    note = json.dumps({"kind": "note", "fields": {"title": "by a program", "body": "x"}})
    with serving(memory) as served:
        root = f"/api/v1/{served.name}"
        found = served.ask(f"{root}/search?q=clock").data
        assert [hit["title"] for hit in found["hits"]][:1] == ["ClockError: the clock is slow"]
        refused = served.ask(f"{root}/records", "POST", note)
        assert refused.status == 403
        assert refused.headers["content-type"] == "application/problem+json"
        assert "--write" in refused.data["hint"]
    with serving(memory, "--write") as served:
        written = served.ask(f"{root}/records", "POST", note)
        assert written.status == 201, written.text
        assert written.data["record"]["title"] == "by a program"
        bad = served.ask(f"{root}/records", "POST", '{"kind": "note", "fields": {"body": 5}}')
        assert bad.status == 422


def test_pages_of_a_list_follow_each_other_and_are_not_sent_twice(served: Served) -> None:
    root = f"/api/v1/{served.name}/records"
    titles: list[str] = []
    cursors: list[str | None] = [""]
    while cursors[-1] is not None:
        page = served.ask(f"{root}?{urlencode({'limit': 1, 'cursor': cursors[-1]})}").data
        titles += [row["title"] for row in page["records"]]
        cursors.append(page["next"])
    assert len(set(titles)) == len(titles) == len(cursors) - 1 == 3
    first = served.ask(root)
    again = served.ask(root, if_none_match=first.headers["etag"])
    assert (again.status, again.text) == (304, "")


def test_a_run_that_fails_in_a_terminal_shows_within_a_second(
    served: Served, memory: "Checkout"
) -> None:
    connection = http.client.HTTPConnection("127.0.0.1", served.port, timeout=SECONDS)
    connection.request("GET", f"/r/{served.name}/live", headers={
        "authorization": f"Bearer {served.token}",
    })  # fmt: skip
    events = connection.getresponse()
    assert events.headers["content-type"].startswith("text/event-stream")
    assert events.readline().startswith(b":")
    memory.add("late.py", "raise ValueError('too late')\n")
    assert run(memory, "run", "--", sys.executable, "late.py").code
    while not (line := events.readline()).startswith(b"event: changed"):
        assert line in {b"\n", b": still there\n"}
    connection.close()
    shown = served.ask(f"/r/{served.name}/").text
    assert "Failing now" in shown
    assert "too late" in shown


def test_several_repositories_are_served_beside_each_other(
    memory: "Checkout", tmp_path: Path
) -> None:
    other = tmp_path / "other"
    other.mkdir()
    ok(other, "init")
    ok(other, "add", "note", "--title", "of the other", "--body", "x")
    with serving(memory, str(memory), str(other)) as served:
        assert served.ask("/api/v1/repositories").data == {"repositories": [memory.name, "other"]}
        assert "of the other" in served.ask("/r/other/").text + served.ask("/r/other/search").text
        assert "of the other" not in served.ask(f"/r/{memory.name}/search").text


def test_a_folder_without_a_memory_is_told_of(tmp_path: Path) -> None:
    done = subprocess.run(
        [*server(), "serve", "--no-browser"], cwd=tmp_path, env=environment(), capture_output=True,
        text=True, timeout=SECONDS, check=False,
    )  # fmt: skip
    assert done.returncode == 3
    assert "no memory" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_long_output_can_be_pasted_into_the_search(served: Served) -> None:
    """It stands in the address, as all that a page is asked."""
    long = urlencode({"q": "the clock is slow\n" + "at a place … of the code\n" * 4000})
    assert "the clock is slow" in served.ask(f"/r/{served.name}/search?{long}").text


# Pages about graph, places, languages


def test_the_graph_shows_records_files_and_people(served: Served, memory: "Checkout") -> None:
    decision = ("--decision", "x", "--title", "Clocks tick", "--set", "governs=[clock.py]")
    ok(memory, "add", "decision", *decision)
    page = served.ask(f"/r/{served.name}/graph?people=on").text
    drawing, _, listed = page.partition("</svg>")
    for words in ("Clocks tick", "clock.py", "ClockError: the clock is"):
        assert words in drawing
        assert words in listed
    assert 'data-kind="person"' in drawing
    assert 'data-kind="file"' in drawing
    around = served.ask(f"/r/{served.name}/graph?start=clock.py&depth=1").text
    assert "Clocks tick" in around
    assert "the clock is slow" not in around
    assert 'data-kind="person"' not in around
    assert served.ask(f"/r/{served.name}/graph?start=nothing.py").status == 404
    usual = served.ask(f"/r/{served.name}/graph").text
    assert "Clocks tick" in usual
    assert 'data-kind="person"' not in usual, "who wrote all of it stands in the midst of it"
    assert "ClockError" not in usual, "nothing is linked with it"


def test_a_page_that_is_not_there_keeps_the_way_to_the_others(served: Served) -> None:
    for path in (f"/r/{served.name}/nope", "/nope", "/r/elsewhere/"):
        page = served.ask(path)
        assert page.status == 404
        assert f'action="/r/{served.name}/search"' in page.text, path


def test_a_page_speaks_the_browsers_language_or_the_chosen_one(served: Served) -> None:
    root = f"/r/{served.name}/"
    german = served.ask(root, accept_language="de-DE,de;q=0.9,en;q=0.5")
    assert '<html lang="de">' in german.text
    assert "Offene Fehler" in german.text
    assert "Open errors" not in german.text
    cookie = served.cookie()
    switched = served.ask(f"{root}search?q=clock&language=de", bearer=False, cookie=cookie)
    assert switched.status == 303
    assert switched.headers["location"] == f"{root}search?q=clock"
    chosen = switched.headers["set-cookie"].partition(";")[0]
    page = served.ask(f"{root}search?q=clock", bearer=False, cookie=f"{cookie}; {chosen}")
    assert '<html lang="de">' in page.text
    assert "the clock is slow" in page.text
    other = served.ask("//evil.example/?language=de")
    assert other.headers.get("location", "/").startswith("/")
    assert not other.headers.get("location", "/").startswith("//")


def test_a_column_of_a_chart_leads_to_what_it_counts(served: Served) -> None:
    root = f"/r/{served.name}"
    overview = served.ask(f"{root}/").text
    weeks = re.findall(r'href="([^"]+)" aria-label="week of \S+ errors 1,', overview)
    assert len(weeks) == 1
    assert "the clock is slow" in served.ask(weeks[0].replace("&amp;", "&")).text


def test_a_record_leads_into_the_editor_and_to_its_origin(
    served: Served, memory: "Checkout"
) -> None:
    memory.add("clock.py", _CLOCK)
    memory.add("run.log", _CRASH)
    memory.commit("a clock")
    ok(memory, "runs", "capture", "run.log", "--record")
    ok(
        memory,
        "add",
        "decision",
        "--title",
        "Ask time",
        "--decision",
        "x",
        "--anchor",
        "clock.py:2",
    )
    away = json.dumps({"file": "../../secret", "line": 2})
    ok(memory, "add", "error", "--type", "F", "--message", "m", "--set", f"location={away}")
    memory.commit("what went wrong")
    newest = json.loads(ok(memory, "list", "kind:error", "--json"))["records"]
    ids = {row["error_type"]: row["id"] for row in newest}
    error = ids["AttributeError"]
    root = f"/r/{served.name}"
    page = served.ask(f"{root}/record/{error}").text
    assert f'href="vscode://file{memory}/clock.py:5"' in page
    assert "vscode:" not in served.ask(f"{root}/record/{ids['F']}").text
    part = served.ask(f"{root}/record/{error}/origin", hx_request="true").text
    assert "what went wrong" in part
    assert "went wrong here" in part
    assert "<html" not in part
    file = served.ask(f"{root}/file?path=clock.py").text
    assert "line 5" in file
    assert "seconds_since_epoch = time.tme()" in file


def test_a_page_says_dates_fields_and_files_as_people_do(
    served: Served, memory: "Checkout"
) -> None:
    library = f"{sys.prefix}/lib/python3.13/json/decoder.py"
    crash = _CRASH.replace("AttributeError", f'  File "{library}", line 3, in x\nAttributeError')
    memory.add("clock.py", _CLOCK)
    memory.add("run.log", crash)
    memory.commit("a clock")
    ok(memory, "runs", "capture", "run.log", "--record")
    error = _record(memory, "error")
    root = f"/r/{served.name}"
    page = served.ask(f"{root}/record/{error}").text
    assert "today" in page
    for name in ("Evidence", "Stack, innermost last"):
        assert f">{name}</h2>" in page
    assert "decoder.py" in page
    files = served.ask(f"{root}/file").text
    assert "clock.py" in files
    assert "decoder.py" not in files  # nobody here can mend the library


def test_a_new_record_is_written_with_a_form(served: Served, memory: "Checkout") -> None:
    page = f"/r/{served.name}/new?kind=note"
    token = "ghp_" + "A1b2C3d4E5f6G7h8I9j0" + "K1l2M3n4O5p6Q7r8"
    answer = served.form(
        f"/r/{served.name}/records", page, kind="note", title="Wind the clock",
        body=f"every day with {token}", tags="clock, daily",
    )  # fmt: skip
    assert answer.status == 303, answer.text
    shown = ok(memory, "show", _record(memory, "note"))
    assert "Wind the clock" in shown
    assert "daily" in shown
    assert token not in shown
    assert served.ask(answer.headers["location"]).status == 200


def test_a_draft_is_edited_before_it_is_kept(served: Served, memory: "Checkout") -> None:
    ok(memory, "config", "--team", "capture.mode", "draft")
    memory.add("late.py", "raise ValueError('too late')\n")
    memory.commit("late")
    run(memory, "run", "--", sys.executable, "late.py")
    memory.add("late.py", "print('in time')\n")
    run(memory, "run", "--", sys.executable, "late.py")
    page = f"/r/{served.name}/drafts"
    drafts = served.ask(f"/api/v1/{served.name}/drafts").data["drafts"]
    (draft,) = (draft["id"] for draft in drafts)
    answer = served.form(f"{page}/{draft}/edit", page, **{"error.title": "Came too late"})
    assert answer.status == 303, answer.text
    assert "Came too late" in served.ask(page).text
    kept = served.form(f"{page}/{draft}/keep", page)
    assert kept.status == 303, kept.text
    assert "Came too late" in ok(memory, "list", "kind:error")


def test_health_looks_closer_when_it_is_asked_to(served: Served) -> None:
    root = f"/r/{served.name}/health"
    assert served.ask(f"{root}/stale", hx_request="true").status == 200
    page = served.ask(f"{root}/doctor", hx_request="true").text
    assert "memory: 3 records" in page


# The interface for programs


def test_a_list_goes_on_behind_the_last_record_whatever_came_meanwhile(
    served: Served, memory: "Checkout"
) -> None:
    root = f"/api/v1/{served.name}/records"
    first = served.ask(f"{root}?limit=2").data
    for number in range(3):
        ok(memory, "add", "note", "--title", f"later {number}", "--body", "x")
    second = served.ask(f"{root}?{urlencode({'limit': 2, 'cursor': first['next']})}").data
    ids = [row["id"] for row in first["records"] + second["records"]]
    assert len(set(ids)) == len(ids) == 3
    assert not any(row["title"].startswith("later") for row in second["records"])
    assert served.ask(f"{root}?cursor=nonsense").status == 400


def test_the_interface_describes_itself(served: Served) -> None:
    described = served.ask("/api/v1/openapi.json").data
    page = served.ask("/api/v1/docs").text
    assert described["openapi"].startswith("3.1")
    for path, operations in described["paths"].items():
        for method in operations:
            if path != "/repositories":
                assert f"{method.upper()} /api/v1{path}" in page
