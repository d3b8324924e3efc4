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


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (r"D:\a\shop\src\till.cpp(7,5): error C2065", "src/till.cpp(7,5): error C2065"),
        (r"d:/A/shop/src\x.py", "src/x.py"),
        (r"D:\a\shop\my dir\x.py", "my dir/x.py"),
        (r'File "D:\a\shop\b\x.py", line 3', 'File "b/x.py", line 3'),
        (r"D:\\a\\shop\\x.js and D:\a\shopping\x", r"x.js and D:\a\shopping\x"),
        ("at file:///D:/a/shop/src/x.ts:3:4", "at src/x.ts:3:4"),
        (r"C:\Users\ann\.cargo\x.rs", "~/.cargo/x.rs"),
        (r"XD:\a\shop\x.py", r"XD:\a\shop\x.py"),
        (r"D:\a\shop", r"D:\a\shop"),
    ],
)
def test_paths_of_windows_become_the_repositorys_in_any_form(text: str, expected: str) -> None:
    assert localised(text, [r"D:\a\shop"], r"C:\Users\ann") == expected


def test_a_repository_at_the_top_of_the_disk_changes_nothing() -> None:
    assert localised("/usr/lib/x.py", ["/", "/us"], "/") == "/usr/lib/x.py"


@given(st.text())
def test_twice_is_once(text: str) -> None:
    once = localised(f"{text}{ROOT}/{text}", [ROOT], HOME)
    assert localised(once, [ROOT], HOME) == once
