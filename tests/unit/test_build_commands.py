"""By which commands a project is built and tested, as its files say."""

import json

import pytest

from gitmem.learning.build_commands import build_commands

MAKEFILE = """CC := gcc
.PHONY: test
all: build
test: build ; ./run
build:
\tcc x.c
TEST := x
clean:
\trm x
"""


@pytest.mark.parametrize(
    ("texts", "names", "wanted"),
    [
        ({"Makefile": MAKEFILE}, set(), {"Makefile": ("make build", "make test")}),
        ({"justfile": "v := '1'\n@test *args:\n  x\nlint:\n  y\n"}, set(),
         {"justfile": ("just test", "just lint")}),
        ({"package.json": json.dumps({"scripts": {"test": "vitest", "build": "x", "odd": "y"}})},
         {"pnpm-lock.yaml"}, {"package.json": ("pnpm run build", "pnpm run test")}),
        ({"package.json": "{"}, set(), {}),
        ({"package.json": "[]"}, set(), {}),
        ({"pyproject.toml": "[tool.pytest.ini_options]"}, set(), {"pyproject.toml": ("pytest",)}),
        ({"pyproject.toml": "[project]"}, set(), {}),
        ({}, {"build.gradle", "gradlew"},
         {"build.gradle": ("./gradlew build", "./gradlew test")}),
        ({}, {"Cargo.toml"}, {"Cargo.toml": ("cargo build", "cargo test")}),
    ],
)  # fmt: skip
def test_the_commands_that_files_name(
    texts: dict[str, str], names: set[str], wanted: dict[str, tuple[str, ...]]
) -> None:
    found = build_commands(frozenset(names | texts.keys()), texts)
    assert {each.source: each.commands for each in found} == wanted
