"""Paths of a machine in what becomes a record."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitmem.capture.localise import localised

ROOT, HOME = "/home/ann/shop", "/home/ann"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('File "/home/ann/shop/src/a.py", line 3', 'File "src/a.py", line 3'),
        ("at file:///home/ann/shop/src/a.mjs:1:2", "at src/a.mjs:1:2"),
        ("/home/ann/shop", "~/shop"),
        ("/home/ann/shop/", "~/shop/"),
        ("/home/ann/shopping/a.py", "~/shopping/a.py"),
        ("/mnt/home/ann/shop/a.py", "/mnt/home/ann/shop/a.py"),
        ("/home/ann/.cache/x", "~/.cache/x"),
        ("src:/home/ann/shop/a.c:3: error", "src:a.c:3: error"),
        ("../home/ann/shop/a.c", "../home/ann/shop/a.c"),
    ],
)
def test_paths_become_the_repositorys(text: str, expected: str) -> None:
    assert localised(text, [ROOT], HOME) == expected
    assert localised({"a": [text, 3, None]}, [ROOT], HOME) == {"a": [expected, 3, None]}


def test_a_repository_at_the_top_of_the_disk_changes_nothing() -> None:
    assert localised("/usr/lib/x.py", ["/", "/us"], "/") == "/usr/lib/x.py"


@given(st.text())
def test_twice_is_once(text: str) -> None:
    once = localised(f"{text}{ROOT}/{text}", [ROOT], HOME)
    assert localised(once, [ROOT], HOME) == once
