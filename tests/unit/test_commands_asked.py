"""What a command line asks for, whatever it shows and wherever it ends."""

import pytest

from gitmem.capture.commands import asks, includes


def asked(line: str) -> tuple[str, ...]:
    """Give what a command line asks for."""
    return asks(line.split(), ".")


@pytest.mark.parametrize(
    ("wide", "narrow"),
    [
        ("pytest", "pytest --lf -q"),
        ("pytest -v", "python -m pytest -k total tests/test_a.py"),
        ("pytest tests", "pytest -m slow tests"),
        ("npx vitest run", "npx vitest run -t total"),
        ("go test ./...", "go test -run TestTotal ./..."),
        ("make -j4 test", "make --silent test"),
        ("make check", "make -k -j check"),
    ],
)
def test_all_is_asked_for(wide: str, narrow: str) -> None:
    assert includes(asked(wide), asked(narrow))


@pytest.mark.parametrize(
    ("narrow", "wide"),
    [
        ("pytest --lf", "pytest"),
        ("pytest -k total", "pytest"),
        ("pytest tests/test_a.py", "pytest"),
        ("pytest", "pytest --runslow"),
        ("make test", "make lint"),
        ("make", "make DEBUG=1 -B"),
        ("./check", "./check --lf"),
    ],
)
def test_something_else_is_asked_for(narrow: str, wide: str) -> None:
    assert not includes(asked(narrow), asked(wide))
