"""Which files import which, against small trees; graphs, against brute force."""

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gitmem.learning.dependencies import FileImports, resolve
from gitmem.learning.graphs import Edge, around, cycles, folded, reached
from gitmem.learning.libraries import is_standard, libraries
from gitmem.learning.manifests import is_manifest, read_manifest
from gitmem.learning.project_settings import tools

_KEYS = st.sampled_from("abcdefg")
_EDGES = st.lists(st.builds(Edge, _KEYS, _KEYS, st.just("imports")), max_size=20)


def _edges(
    paths: set[str], path: str, language: str, *names: str, modules: dict[str, str] | None = None
) -> tuple[set[str], set[str]]:
    made = resolve([FileImports(path, language, names)], paths | {path}, modules or {})
    assert all(edge.source == path for edge in made.edges)
    return {edge.target for edge in made.edges}, {name for _, _, name in made.outside}


@pytest.mark.parametrize(
    ("path", "name", "target", "library"),
    [
        ("shop/pay.py", "shop.net.ask", "shop/net.py", ""),
        ("shop/pay.py", "shop.net", "shop/net.py", ""),
        ("shop/pay.py", "shop.db", "shop/db/__init__.py", ""),
        ("shop/pay.py", "shop.db.rows.Row", "shop/db/rows.py", ""),
        ("shop/pay.py", "shop.unknown", "shop/__init__.py", ""),
        ("shop/pay.py", ".net", "shop/net.py", ""),
        ("shop/db/rows.py", "..net.ask", "shop/net.py", ""),
        ("shop/db/rows.py", ".", "shop/db/__init__.py", ""),
        ("src/lib/core.py", "lib.other", "src/lib/other.py", ""),
        ("tools/run.py", "near", "tools/near.py", ""),
        ("shop/pay.py", "requests.adapters", "", "requests"),
        ("shop/pay.py", "os.path", "", "os"),
    ],
)
def test_s4_67_python_modules_are_found(path: str, name: str, target: str, library: str) -> None:
    paths = {
        "shop/__init__.py", "shop/pay.py", "shop/net.py", "shop/db/__init__.py",
        "shop/db/rows.py", "src/lib/__init__.py", "src/lib/core.py", "src/lib/other.py",
        "tools/run.py", "tools/near.py",
    }  # fmt: skip
    found, outside = _edges(paths, path, "python", name)
    assert found == ({target} if target else set())
    assert outside == ({library} if library else set())


@pytest.mark.parametrize(
    ("path", "language", "name", "target", "library"),
    [
        ("src/a.ts", "typescript", "./b.js", "src/b.ts", ""),
        ("src/a.ts", "typescript", "./b", "src/b.ts", ""),
        ("src/a.ts", "typescript", "../lib", "lib/index.js", ""),
        ("src/a.ts", "typescript", "@scope/pkg/deep", "", "@scope/pkg"),
        ("src/a.js", "javascript", "left-pad/x", "", "left-pad"),
        ("src/a.js", "javascript", "node:fs", "", "node:fs"),
        ("src/a.js", "javascript", "./gone", "", ""),
        ("cmd/main.go", "go", "example.org/shop/pay", "pay/", ""),
        ("cmd/main.go", "go", "github.com/a/b/c", "", "github.com/a/b"),
        ("cmd/main.go", "go", "fmt", "", "fmt"),
        ("app/src/org/shop/A.java", "java", "org.shop.B", "app/src/org/shop/B.java", ""),
        ("app/src/org/shop/A.java", "java", "org.shop.B.make", "app/src/org/shop/B.java", ""),
        ("app/src/org/shop/A.java", "java", "java.util.List", "", "java"),
        ("app/src/org/shop/A.java", "java", "com.acme.x.Y", "", "com.acme"),
        ("core/src/lib.rs", "rust", "mod pay", "core/src/pay.rs", ""),
        ("core/src/pay.rs", "rust", "crate::net::{Ask}", "core/src/net/mod.rs", ""),
        ("core/src/pay.rs", "rust", "super::net", "core/src/net/mod.rs", ""),
        ("core/src/pay.rs", "rust", "serde::Serialize", "", "serde"),
        ("core/src/pay.rs", "rust", "std::fmt", "", "std"),
    ],
)
def test_s4_67_modules_of_other_languages_are_found(
    path: str, language: str, name: str, target: str, library: str
) -> None:
    paths = {
        "src/a.ts", "src/a.js", "src/b.ts", "lib/index.js", "cmd/main.go", "pay/pay.go",
        "app/src/org/shop/A.java", "app/src/org/shop/B.java", "core/src/lib.rs",
        "core/src/pay.rs", "core/src/net/mod.rs",
    }  # fmt: skip
    found, outside = _edges(paths, path, language, name, modules={"": "example.org/shop"})
    assert found == ({target} if target else set())
    assert outside == ({library} if library else set())


def test_an_import_for_types_only_is_told_apart() -> None:
    paths = {"a.py", "b.py", "c.py"}
    made = resolve([FileImports("a.py", "python", ("b", "c"), ("c",))], paths, {})
    assert made.edges == (
        Edge("a.py", "b.py", "imports"), Edge("a.py", "c.py", "imports types of"),
    )  # fmt: skip


# --- graphs -------------------------------------------------------------------------------------


def _reachable(edges: list[Edge], start: str) -> dict[str, int]:
    """Count steps the slow way: by all ways of 1, 2, 3 … steps."""
    found: dict[str, int] = {}
    here = {start}
    for step in range(1, 10):
        here = {edge.target for edge in edges if edge.source in here}
        for key in here:
            found.setdefault(key, step)
    found.pop(start, None)
    return found


@given(_EDGES, _KEYS, st.integers(-1, 4))
@settings(deadline=None)
def test_s4_73_what_a_change_reaches_equals_brute_force(
    edges: list[Edge], start: str, depth: int
) -> None:
    back = [Edge(one.target, one.source, one.kind) for one in edges]
    for given_, want, against in ((edges, edges, False), (edges, back, True)):
        expected = _reachable(want, start)
        near = {key: step for key, step in expected.items() if depth < 0 or step <= depth}
        assert reached(given_, start, depth, back=against) == near
    assert around(edges, start, 1) == {start} | {
        key for one in edges if start in one[:2] for key in one[:2]
    }


@given(_EDGES)
@settings(deadline=None)
def test_s4_67_cycles_equal_brute_force(edges: list[Edge]) -> None:
    found = cycles(edges)
    pairs = {edge[:2] for edge in edges}
    for one in found:
        assert one[0] == min(one)
        assert len(set(one)) == len(one)
        assert all(step in pairs for step in zip(one, (*one[1:], one[0]), strict=True))
    loops = {key for key, other in pairs if key == other}
    beyond = {key: _reachable(edges, key) for key in "abcdefg"}
    both = {key for key in beyond if any(key in beyond[one] for one in beyond[key])}
    circular = loops | both
    # Each part that is connected both ways gives one cycle, and nothing else does.
    parts = {
        frozenset({key, *(one for one in beyond[key] if key in beyond[one])}) for key in circular
    }
    for part in parts:
        inside = [one for one in found if set(one) <= part and len(one) > 1]
        assert len(inside) == (len(part) > 1)
    assert {one[0] for one in found if len(one) == 1} == loops
    assert all(any(set(one) <= part for part in parts) for one in found)


def test_a_way_round_of_thousands_of_files_is_found_without_recursion() -> None:
    names = [f"{number:05}" for number in range(5_000)]
    ring = [Edge(one, other, "imports") for one, other in pairwise(names)]
    ring.append(Edge(names[-1], names[0], "imports"))
    assert cycles(ring) == (tuple(names),)
    assert cycles(ring[:-1]) == ()


def test_files_are_folded_into_their_folders() -> None:
    edges = [Edge("a/x.py", "b/y.py", "imports"), Edge("a/x.py", "a/z.py", "imports"),
             Edge("a/x.py", "b/z.py", "imports types of"),
             Edge("c/d/e.go", "a/", "imports")]  # fmt: skip
    assert folded(edges) == (Edge("a/", "b/", "imports"), Edge("c/d/", "a/", "imports"))


# --- manifests and libraries --------------------------------------------------------------------

_MANIFESTS = {
    "pyproject.toml": '[project]\nname = "shop"\ndependencies = ["PyYAML>=6", "requests"]\n'
    '[project.optional-dependencies]\ndev = ["pytest", "shop[all]"]\n[tool.ruff]\nx = 9\n',
    "requirements-dev.txt": "# tools\n-r base.txt\nblack==1 ; python_version > '3'\nruamel.yaml\n",
    "setup.cfg": "[options]\ninstall_requires =\n    attrs>=1\n    six\n[other]\nx = y\n",
    "package.json": '{"name": "web", "dependencies": {"react": "1"},'
    ' "devDependencies": {"@types/node": "1"}}',
    "go.mod": "module example.org/shop\n\nrequire (\n\tgithub.com/a/b/v2 v2.0.0\n)\n",
    "Cargo.toml": '[package]\nname = "core"\n[dependencies]\nserde-json = "1"\n',
    "pom.xml": "<dependency>\n<groupId>com.acme</groupId></dependency>",
    "build.gradle": "dependencies {\n  implementation 'org.acme:x:1'\n}\n",
}


@pytest.mark.parametrize(
    ("path", "language", "declared"),
    [
        ("pyproject.toml", "python", {"pyyaml", "requests", "pytest"}),
        ("requirements-dev.txt", "python", {"black", "ruamel-yaml"}),
        ("setup.cfg", "python", {"attrs", "six"}),
        ("package.json", "javascript", {"react", "@types/node", "node"}),
        ("go.mod", "go", {"github.com/a/b/v2"}),
        ("Cargo.toml", "rust", {"serde_json"}),
        ("pom.xml", "java", {"com.acme"}),
        ("build.gradle", "java", {"org.acme"}),
    ],
)
def test_s4_31_manifests_declare_libraries(path: str, language: str, declared: set[str]) -> None:
    assert is_manifest(f"deep/{path}")
    found = read_manifest(path, _MANIFESTS[path])
    assert (found.family, set(found.declared)) == (language, declared)


@pytest.mark.parametrize("path", sorted(_MANIFESTS))
@given(text=st.text(max_size=60))
@settings(max_examples=30, deadline=None)
def test_any_text_is_read_as_a_manifest_without_failing(path: str, text: str) -> None:
    assert read_manifest(path, text) == read_manifest(path, text)


def test_s4_31_imports_are_compared_with_what_is_declared() -> None:
    made = resolve(
        [FileImports("a.py", "python", ("yaml", "requests", "os", "flask")),
         FileImports("b.py", "python", ("yaml", "ruamel.yaml")),
         FileImports("c.ts", "typescript", ("react", "fs"))],
        {"a.py", "b.py", "c.ts"}, {},
    )  # fmt: skip
    manifests = [read_manifest(path, _MANIFESTS[path])
                 for path in ("pyproject.toml", "requirements-dev.txt")]  # fmt: skip
    found = libraries(made, manifests)
    told = {one.name: (one.files, one.standard, one.declared) for one in found.used}
    assert told == {
        "yaml": (2, False, True), "requests": (1, False, True), "flask": (1, False, False),
        "ruamel": (1, False, True), "os": (1, True, None), "react": (1, False, None),
        "fs": (1, True, None),
    }  # fmt: skip
    assert found.unused == (("python", "black"), ("python", "pytest"))
    assert found.used[0].name == "yaml"
    assert is_standard("fmt", "go")
    assert tools([".github/workflows/ci.yml", "web/tsconfig.json"], manifests) == [
        ("GitHub Actions", ".github/workflows/"), ("Ruff", "pyproject.toml"),
        ("TypeScript", "web/tsconfig.json"),
    ]  # fmt: skip
