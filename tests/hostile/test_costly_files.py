"""Files of a clone that are made to keep their reader busy: none takes longer than its size.

Another file is one line in ``COSTLY``. Each took minutes or hours before, or ended in a trace.
"""

from typing import TYPE_CHECKING

import pytest

from tests.e2e.running import ok, run

if TYPE_CHECKING:
    from tests.conftest import Checkout

pytestmark = [pytest.mark.usefixtures("sealed_git"), pytest.mark.timeout(120)]

SIZE = 1_000_000
COSTLY = {
    "README.md": "<!--",
    "pom.xml": "<dependency>",
    "sub/pom.xml": "<!-- <build>",
    "build.gradle": "\n",
    "build.gradle.kts": "\n\t",
    "Gemfile": " \n",
    "go.mod": "require (\n",
    "shop.csproj": "<PackageReference ",
    "sub/shop.csproj": "<TargetFramework>",
    "Makefile": "a",
    "justfile": "a ",
    "package.json": "[",
    "composer.json": '{"a":',
    "pyproject.toml": "a=[",
    "Cargo.toml": "[a.",
    "requirements.txt": " ",
    "setup.cfg": "install_requires\n",
    "shop.py": "-",
    "sub/shop.py": "(",
    "shop.js": "[",
    "shop.go": "{",
}
QUESTIONS = (
    ("context",),
    ("code", "profile"),
    ("advise", "--file", "shop.py"),
    ("hint", 'File "shop.py", line 1, in f\nNameError: name rate is not defined'),
    ("code", "graph", "imports", "shop.py"),
    ("code", "extract", "shop.py"),
)


@pytest.fixture
def costly(repo: "Checkout") -> "Checkout":
    """Give a repository with such files."""
    ok(repo, "init")
    for name, piece in COSTLY.items():
        repo.add(name, (piece * (SIZE // len(piece) + 1))[:SIZE])
    repo.commit("costly")
    return repo


@pytest.mark.parametrize("question", QUESTIONS, ids=" ".join)
def test_no_question_is_kept_busy(costly: "Checkout", question: tuple[str, ...]) -> None:
    answer = run(costly, *question)
    assert answer.code in (0, 2, 3), answer  # some are too large to be anybody's source
    assert answer.out + answer.err
    assert "Traceback (most" not in answer.err


def test_what_they_would_say_is_still_read(repo: "Checkout") -> None:
    ok(repo, "init")
    repo.add(
        "pom.xml",
        "<project><!-- <artifactId>no</artifactId> --><parent><artifactId>no</artifactId></parent>"
        "<dependencyManagement><dependencies></dependencies></dependencyManagement>"
        "<artifactId>shop</artifactId><dependencies><dependency><groupId>org.x</groupId>"
        "<artifactId>till</artifactId></dependency></dependencies></project>",
    )
    repo.add("go.mod", "module x.org/y\n\nrequire (\n\tx.org/z v1.0\n)\n\nrequire x.org/w v2\n")
    repo.add("README.md", "# Shop\n\n<!-- hidden --> Sells <!-- more --> things.\n")
    repo.commit("plain")
    said = ok(repo, "context")
    assert "shop" in said
    assert "till" in said
    assert "x.org/z" in said
    assert "Sells things." in said
