"""By which commands a project is built and tested, as its files say."""

import json

import pytest

from gitmem.learning.build_commands import build_commands, files_to_read

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
        ({"package.json": json.dumps({"scripts": {"test": "x"}})},
         {"bun.lock", "yarn.lock", "package-lock.json"},
         {"package.json": ("yarn run test",)}),
        ({"package.json": json.dumps({"scripts": {"test": "x"}})}, {"package-lock.json"},
         {"package.json": ("npm run test",)}),
        ({"package.json": "[" * 20_000}, set(), {}),
        ({"pyproject.toml": "[tool.pytest.ini_options]", "pytest.ini": ""}, set(),
         {"pytest.ini": ("pytest",)}),
        ({}, {"gradlew", "mvnw", "pom.xml"}, {"pom.xml": ("./mvnw package", "./mvnw test")}),
    ],
)  # fmt: skip
def test_the_commands_that_files_name(
    texts: dict[str, str], names: set[str], wanted: dict[str, tuple[str, ...]]
) -> None:
    found = build_commands(frozenset(names | texts.keys()), texts)
    assert {each.source: each.commands for each in found} == wanted


def test_what_builds_is_named_before_what_only_tests() -> None:
    told = ("Makefile", "justfile", "package.json", "Cargo.toml", "go.mod", "pom.xml",
            "build.gradle", "build.gradle.kts", "mix.exs", "tox.ini", "noxfile.py",
            "pytest.ini")  # fmt: skip
    texts = {"Makefile": MAKEFILE, "justfile": "test:\n x\n",
             "package.json": json.dumps({"scripts": {"test": "x"}})}  # fmt: skip
    found = build_commands(frozenset(told), texts)
    assert tuple(each.source for each in found) == told
    assert texts.keys() <= files_to_read()
