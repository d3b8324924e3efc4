"""What a command line asks for, whatever it shows and wherever it ends."""

import pytest

from gitmem.capture.commands import (
    asks,
    asks_for_last_failed,
    includes,
    masks_failure,
    only_tests,
    program_of,
)
from gitmem.tools.choice import own_pattern, tools_by_program


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
        ("mvn -B test", "./mvnw -q -Dtest=CartTest#sums test"),
        ("./gradlew test", "gradle test --console=plain --tests CartTest"),
        ("rspec -f doc", "bundle exec rspec -e sums"),
        ("npx mocha", "mocha -g sums -R dot"),
        ("node --test", "node --test --test-name-pattern=sums"),
        ("vendor/bin/phpunit tests", "phpunit --filter sums --testdox tests"),
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
        ("node serve.js", "node serve.js -v"),
        ("mvn test", "mvn -P slow test"),
    ],
)
def test_something_else_is_asked_for(narrow: str, wide: str) -> None:
    assert not includes(asked(narrow), asked(wide))


@pytest.mark.parametrize(
    ("script", "folder"),
    [
        ("cd sub && pytest -q", "sub"),
        ("set -eo pipefail; cd ./sub; pytest -v 2>&1 | tail -30", "sub"),
        ("export MODE=fast && cd 'sub' && CI=1 pytest", "sub"),
        ("(cd sub && pytest)", "sub"),
        ("cd sub && cd .. && pytest || exit 1", "."),
        ("source .venv/bin/activate && pytest -q > out.txt", "."),
        ("sed -i 's/a; b/c | d/' x.py && pytest", "."),
        ("cat > x.py <<'END'\nif a > b; then\nEND\npytest", "."),
        ("cd sub && git apply < a.diff && pytest", "sub"),
    ],
)
def test_what_prepares_a_line_of_shell_is_left_out(script: str, folder: str) -> None:
    assert asks(["bash", "-lc", script], ".") == (folder, "pytest")


@pytest.mark.parametrize(
    "script",
    [
        "pytest && ruff check",
        "cd $PLACE && pytest",
        "for f in a b; do pytest; done",
        "cd sub",
        "sed -n 1p x.py && pytest",
        "cat > x.py <<END\npytest",
        "python fix.py && pytest",
    ],
)
def test_other_lines_of_shell_ask_for_themselves(script: str) -> None:
    command = ["bash", "-c", script]
    assert asks(command, ".") == (".", *command)


@pytest.mark.parametrize(
    ("script", "hidden"),
    [
        ("cd sub; pytest", False),
        ("cd sub && pytest || exit 1", False),
        ("cd sub && pytest | tail", True),
        ("pytest || true", True),
        ("pytest; echo done", True),
    ],
)
def test_what_follows_hides_a_failure(script: str, *, hidden: bool) -> None:
    assert masks_failure(["sh", "-c", script]) is hidden


@pytest.mark.parametrize(
    "command", ["pytest --lf", "python -m pytest --lf", "python3 -m pytest -q --lf"]
)
def test_what_failed_last_is_asked_for(command: str) -> None:
    assert asks_for_last_failed(command.split())
    assert not asks_for_last_failed(command.replace(" --lf", "").split())


@pytest.mark.parametrize(
    ("line", "program"),
    [
        ("uv run npx jest", "jest"),
        ("npx pnpm exec jest", "jest"),
        ("pnpm exec npm exec -- jest", "jest"),
        ("timeout 30 env CI=1 bundle exec rspec", "rspec"),
        ("poetry run python3.13 -m pytest", "pytest"),
        ("./gradlew test", "gradle"),
        ("./mvnw test", "mvn"),
        ("py.test -q", "pytest"),
        ("rustc test", "rustc"),
    ],
)
def test_the_program_is_named_without_who_starts_it(line: str, program: str) -> None:
    assert program_of(line.split()) == program


@pytest.mark.parametrize(
    ("line", "only"),
    [
        ("py.test", True),
        ("cargo test -q", True),
        ("cargo build", False),
        ("rustc test", False),
        ("node --test", True),
        ("node serve.js --test", False),
        ("gradle test", False),
    ],
)
def test_a_command_that_only_tests_rewrites_no_code(line: str, *, only: bool) -> None:
    assert only_tests(line.split()) is only


def test_a_program_of_two_tools_is_of_the_more_specific_one() -> None:
    assert tools_by_program("command.comparable")["node"] == "node_test"
    assert tools_by_program("command.programs")["node"] == "node_test"
    assert own_pattern("node_test", "command.narrows").fullmatch("--test-only")
    assert not own_pattern("node", "command.narrows").fullmatch("--test-only")
