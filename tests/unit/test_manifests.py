"""What manifests and READMEs say, as a reader is told it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitmem.learning.manifests import Manifest, is_manifest, read_manifest
from gitmem.learning.readme import summary


def made(
    language: str,
    name: str = "",
    about: str = "",
    wants: str = "",
    libraries: tuple[str, ...] = (),
) -> Manifest:
    """Give what is read, but for what only imports are compared with."""
    return Manifest("", language, name, about, wants, libraries)


FILES = {
    "pyproject.toml": (
        ('[project]\nname = "shop"\ndescription = "Sells tea."\nrequires-python = ">=3.11"\n'
        'dependencies = ["httpx>=0.27", "shop[x]", "SQLAlchemy"]\n'
        '[project.optional-dependencies]\ndev = ["pytest"]\n[dependency-groups]\nx = ["ruff"]\n'),
        made("Python", "shop", "Sells tea.", ">=3.11", ("httpx", "SQLAlchemy", "pytest", "ruff")),
    ),
    "requirements.txt": ("# x\n-r base.txt\nhttpx==1 # y\n\nflask\n",
                         made("Python", libraries=("httpx", "flask"))),
    "package.json": (
        ('{"name": "shop", "description": "Sells tea.", "engines": {"node": ">=20"},'
        ' "devDependencies": {"typescript": "5"}, "dependencies": {"react": "19"}}'),
        made("TypeScript", "shop", "Sells tea.", "node >=20", ("react", "typescript")),
    ),
    "Cargo.toml": (
        ('[package]\nname = "shop"\ndescription.workspace = true\nedition = "2021"\n'
        '[dependencies]\nserde = "1"\n[dev-dependencies]\ninsta = "1"\n'),
        made("Rust", "shop", "", "2021", ("serde", "insta")),
    ),
    "go.mod": (
        ("module example.org/shop\n\ngo 1.22\n\nrequire (\n\texample.org/a v1.0.0\n"
        "\texample.org/b v1.0.0 // indirect\n)\nrequire example.org/c v2.0.0\n"),
        made("Go", "example.org/shop", "", "1.22", ("example.org/a", "example.org/c")),
    ),
    "pom.xml": (
        ("<project><parent><artifactId>all</artifactId></parent><artifactId>shop</artifactId>"
        "<description>Sells tea.</description><!-- <dependency><artifactId>no</artifactId>"
        "</dependency> --><dependencies><dependency><groupId>g</groupId><artifactId>guava"
        "</artifactId></dependency></dependencies></project>"),
        made("Java", "shop", "Sells tea.", "", ("guava",)),
    ),
    "build.gradle": ("dependencies {\n  implementation 'g:guava:1'\n  api(\"h:okio:2\")\n}\n",
                     made("Java", libraries=("guava", "okio"))),
    "build.gradle.kts": ('plugins { kotlin("jvm") }\n implementation("g:ktor:1")\n',
                         made("Kotlin", libraries=("ktor",))),
    "Gemfile": ("ruby '3.3'\ngem 'rails', '~> 8'\n# gem 'no'\ngem \"puma\"\n",
                made("Ruby", wants="3.3", libraries=("rails", "puma"))),
    "composer.json": ('{"name": "a/shop", "require": {"php": ">=8", "ext-json": "*", "b/c": "1"}}',
                      made("PHP", "a/shop", "", ">=8", ("b/c",))),
    "Shop.csproj": (('<Project><TargetFramework>net8.0</TargetFramework>'
                    '<PackageReference Include="Serilog" Version="4" /></Project>'),
                    made(".NET", wants="net8.0", libraries=("Serilog",))),
}  # fmt: skip


@pytest.mark.parametrize("name", FILES)
def test_s4_30_the_stack_by_its_manifests(name: str) -> None:
    text, expected = FILES[name]
    assert is_manifest(name)
    found = read_manifest(name, text)
    assert found._replace(path="", declared=frozenset(), tools=()) == expected


@pytest.mark.parametrize(
    ("name", "text"),
    [("pyproject.toml", "[project"), ("package.json", "{"), ("package.json", "[]"),
     ("package.json", '{"dependencies": 3}'), ("Cargo.toml", "package = 3"),
     ("composer.json", "null")],
)  # fmt: skip
def test_a_broken_manifest_is_told_of(name: str, text: str) -> None:
    found = read_manifest(name, text)
    assert found.broken.startswith("it can't be read: ")
    assert not found.libraries
    assert found.language


@given(st.sampled_from(sorted(FILES)), st.text(max_size=200))
def test_no_manifest_breaks_the_reader(name: str, text: str) -> None:
    found = read_manifest(name, text)
    assert not found.broken or not found.libraries


def test_other_files_are_no_manifests() -> None:
    assert not is_manifest("README.md")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("# Shop\n\n[![CI](x)](y)\n\nSells *tea*\nover [it](z).\n\nMore.", "Sells *tea* over it."),
        ("# Shop\nSells tea.\n", "Sells tea."),
        ("Shop\n====\n\nSells tea.", "Sells tea."),
        ("<p>x</p>\n\n<!-- a\n\nb -->\n> quoted\n\n- list\n\nSells tea.", "Sells tea."),
        ("---\ntitle: x\n---\n\nSells tea.", "Sells tea."),
        ("# Shop\n", ""),
        ("", ""),
    ],
)  # fmt: skip
def test_s4_30_the_summary_is_the_first_paragraph_of_prose(text: str, told: str) -> None:
    assert summary(text) == told


def test_a_long_paragraph_is_told_by_whole_sentences() -> None:
    text = "It sells tea. " * 100
    told = summary(text)
    assert len(told) <= 800
    assert told.endswith("tea.")
    assert text.startswith(told)


@given(st.text())
def test_no_readme_breaks_the_summary(text: str) -> None:
    assert "\n" not in summary(text)
