"""profile, extract, suggest and graph, as they are typed."""

import json
import os
from typing import TYPE_CHECKING

import pytest

from tests.depth import sampled
from tests.e2e.running import NOT_FOUND, USAGE, complains, ok, run

if TYPE_CHECKING:
    from tests.conftest import Checkout

_CODE = (
    "import requests\nfrom shop.net import get\n\n\n"
    "def retry(ask):\n    while True:\n        try:\n            return ask()\n"
    "        except TimeoutError:\n            continue\n"
)


@pytest.fixture
def shop(repo: "Checkout") -> "Checkout":
    ok(repo, "init")
    repo.add("shop/__init__.py", "")
    repo.add("shop/net.py", "def get(one):\n    two = one + 1\n    return two\n")
    repo.add("shop/pay.py", _CODE)
    repo.commit("code")
    return repo


def test_from_code_to_a_suggestion(shop: "Checkout") -> None:
    listed = ok(shop, "code", "extract", "shop/pay.py")
    assert listed == "error handling  retry  low (3)  error handling, retry  shop/pay.py:5\n"
    shown = ok(shop, "code", "extract", "shop/pay.py", "--code")
    assert "    def retry(ask):\n        while True:\n" in shown
    told = run(shop, "code", "extract", "shop/pay.py")
    assert told.notes[-1] == (
        "note: nothing was written: --record writes them, --only NAME picks some"
    )
    assert ok(shop, "list") == ""
    data = json.loads(ok(shop, "code", "extract", "shop/pay.py", "--record", "--json"))
    (one,) = data["patterns"]
    assert (data["command"], one["mccabe"], one["complexity"]) == ("extract", 3, "low")
    assert one["id"] in ok(shop, "list", "kind:pattern", "language:python")
    assert ok(shop, "list", "--", "kind:pattern", "-language:python") == ""
    assert one["id"] in ok(shop, "code", "suggest", "retry", "when", "it", "times", "out")
    found = json.loads(ok(shop, "code", "suggest", "retry", "--language", "py", "--json"))
    assert [each["id"] for each in found["suggestions"]] == [one["id"]]
    assert ok(shop, "code", "suggest", "retry", "--language", "go") == ""
    nothing = run(shop, "code", "suggest", "walrus")
    assert nothing.notes == [
        "note: no recorded pattern fits; find some in your code: gitmem code extract"
    ]


def test_a_profile_as_text_and_as_data(shop: "Checkout") -> None:
    said = ok(shop, "code", "profile")
    assert "  python  3 files  13 lines" in said
    assert "insufficient data (fewer than 10 of anything counted): python" in said
    data = json.loads(ok(shop, "code", "profile", "--json"))
    assert (data["command"], data["files"]) == ("profile", 3)
    (claim,) = [one for one in data["claims"] if one["says"].startswith("functions in")]
    assert (claim["having"], claim["of"], claim["level"]) == (2, 2, "insufficient")
    assert data["libraries"] == [
        {"name": "requests", "language": "python", "files": 1, "standard": False, "declared": None}
    ]
    early = run(shop, "code", "profile", "--limit", "1")
    assert early.notes == ["note: 1 of 3 files were looked at, evenly spread"]


def test_a_graph_in_every_form(shop: "Checkout") -> None:
    assert "1  shop/net.py" in ok(shop, "code", "graph")
    assert ok(shop, "code", "graph", "--format", "mermaid").startswith("flowchart LR\n")
    assert ok(shop, "code", "graph", "--format", "dot").endswith("}\n")
    data = json.loads(ok(shop, "code", "graph", "imports", "shop/net.py", "--format", "json"))
    assert (data["command"], data["focus"]) == ("graph", "shop/net.py")
    assert data["reached"] == {"shop/pay.py": 1}
    assert json.loads(ok(shop, "code", "graph", "memory", "--format", "json"))["vertices"] == []


@sampled(4)
@pytest.mark.parametrize(
    ("words", "code", "named"),
    [
        (("code", "graph", "imports", "nowhere.py"), NOT_FOUND, "nowhere.py"),
        (("code", "graph", "memory", "nowhere.py"), NOT_FOUND, "nowhere.py"),
        (("code", "graph", "memory", "err-0000000000"), NOT_FOUND, "err-0000000000"),
        (("code", "graph", "everything"), USAGE, "everything"),
        (("code", "extract", "nowhere"), NOT_FOUND, "nowhere"),
        (("code", "extract", "HEAD", "--fixes"), USAGE, "--fixes"),
        (("code", "extract", "shop/pay.py", "--language", "cobol"), USAGE, "cobol"),
        (("code", "extract", "fix-0000000000"), NOT_FOUND, "fix-0000000000"),
        (("code", "suggest", "--", "-"), USAGE, "task"),
    ],
)
def test_what_can_not_be_done_is_said_in_a_line(
    shop: "Checkout", words: tuple[str, ...], code: int, named: str
) -> None:
    complains(run(shop, *words), code, named)


def test_names_that_are_no_text_are_left_out(shop: "Checkout") -> None:
    name = os.fsdecode(b"shop/\xff.py")
    (shop / name).write_text(_CODE)
    before = shop.git("rev-parse", "HEAD")
    shop.commit("odd")
    for words in (
        ("code", "profile"),
        ("code", "profile", "--json"),
        ("code", "graph"),
        ("code", "extract", before),
    ):
        assert "\\xff" not in ok(shop, *words)
    assert ok(shop, "code", "extract", before) == ""
