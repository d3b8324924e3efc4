"""Graphs of imports and of the memory, and the three forms that they are written in."""

import html
import json
import re
import shutil
import subprocess
import warnings
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gitmem.errors import NotFoundError, UsageError
from gitmem.learning.graphs import Edge, Graph, Vertex
from gitmem.memory import Memory
from gitmem.render import graph as render
from gitmem.render.text import Painter
from tests.depth import amount, deep

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # its parser is made with old names of another library
    import pydot
    import pydot.dot_parser

if TYPE_CHECKING:
    from tests.conftest import Checkout

_TOOLS = Path(__file__).parents[2] / "build" / "tools"
_NASTY = (
    'a "quoted" label', "back\\slash \\n \\N", "<b>bold</b> &amp; &", "end", "`code` **bold**",
    "%%{init: {'theme': 'dark'}}%%", "]); subgraph x", "#quot; #35;", "click n0 href", "-->|x|",
    "naïve ünïcode 日本", "semi; colon: {{x}}", "\u202eevil\x1b[31m", "style n0 fill:#f00", "",
)  # fmt: skip
_DATABASE = """
import { JSDOM } from 'jsdom';
const dom = new JSDOM('');
globalThis.window = dom.window;
globalThis.document = dom.window.document;
const { default: mermaid } = await import('mermaid');
let text = '';
for await (const piece of process.stdin) text += piece;
await mermaid.parse(text);
const { db } = await mermaid.mermaidAPI.getDiagramFromText(text);
console.log(JSON.stringify({
  vertices: [...db.getVertices().values()].map(({ id, text }) => [id, text]),
  edges: db.getEdges().map(({ start, end, text }) => [start, end, text]),
}));
"""
_MERMAID_NODE = re.compile(r'  n\d+(\{\{|\(\[|\[\[|[\[(>])"([^"\n]*)"(\}\}|\]\)|\]\]|[\])])$')
_MERMAID_EDGE = re.compile(r'  n\d+ -\.?->(\|"[^"\n]*"\|)? n\d+$')
_MERMAID_OTHER = re.compile(
    r"flowchart LR|  classDef cycle [a-z0-9:#,-]+|  class (n\d+,?)+ cycle|  style n\d+ [a-z0-9:-]+"
)


@pytest.fixture
def shop(repo: "Checkout") -> "Checkout":
    """Make a package whose files import each other, two of them in a circle."""
    Memory.init(str(repo))
    repo.add("shop/__init__.py", "")
    repo.add("shop/net.py", "import json\nfrom shop import cache\n")
    repo.add("shop/cache.py", "def f():\n    from shop.net import ask\n")
    repo.add("shop/pay.py", "from shop.net import ask\n")
    repo.add(
        "shop/web.py",
        "from typing import TYPE_CHECKING\nimport requests\nfrom shop.pay import pay\n"
        "if TYPE_CHECKING:\n    from shop.cli import main\n",
    )
    repo.add("shop/cli.py", "import shop.web\n")
    repo.commit("code")
    return repo


@pytest.fixture
def ids(repo: "Checkout") -> dict[str, str]:
    """Write an error, two attempts on it, a decision and a note."""
    Memory.init(str(repo))
    with Memory.open(str(repo)) as memory:
        error = memory.add("error", {"error_type": "KeyError", "message": 'no "x"',
                                     "location": {"file": "src/pay.py", "line": 3}})  # fmt: skip
        patch = (
            "diff --git a/src/pay.py b/src/pay.py\n--- a/src/pay.py\n+++ b/src/pay.py\n"
            "@@ -1 +1 @@\n-a\n+b\n"
        )
        worked = memory.resolve(error.id, {"approach": "ask again", "patch": patch})
        failed = memory.resolve(error.id, {"approach": "wait", "outcome": "failed",
                                           "why_failed": "no"})  # fmt: skip
        decision = memory.add("decision", {"title": "Ask twice", "decision": "x",
                                           "governs": ["src/pay.py"],
                                           "links": {"implements": [worked.id]}})  # fmt: skip
        note = memory.add("note", {"title": "alone", "body": "x"})
    return {"error": error.id, "worked": worked.id, "failed": failed.id,
            "decision": decision.id, "note": note.id}  # fmt: skip


def test_s4_67_imports_make_a_graph_and_cycles_are_told(shop: "Checkout") -> None:
    with Memory.open(str(shop)) as memory:
        found = memory.code.graph()
    assert [(one.source, one.target, one.kind) for one in found.edges] == [
        ("shop/cache.py", "shop/net.py", "imports"),
        ("shop/cli.py", "shop/web.py", "imports"),
        ("shop/net.py", "shop/cache.py", "imports"),
        ("shop/pay.py", "shop/net.py", "imports"),
        ("shop/web.py", "shop/cli.py", "imports types of"),
        ("shop/web.py", "shop/pay.py", "imports"),
    ]
    # web and cli are a circle only to a checker of types.
    assert found.cycles == (("shop/cache.py", "shop/net.py"),)
    assert found.outside == {"json": 1, "requests": 1, "typing": 1}
    said = "\n".join(render.plain(found, Painter()))
    assert "shop/cache.py -> shop/net.py -> shop/cache.py" in said


def test_s4_73_a_file_tells_what_a_change_of_it_can_reach(shop: "Checkout") -> None:
    with Memory.open(str(shop)) as memory:
        found = memory.code.graph("imports", "shop/net.py", depth=1)
    assert dict(found.reached) == {
        "shop/cache.py": 1, "shop/pay.py": 1, "shop/web.py": 2, "shop/cli.py": 3,
    }  # fmt: skip
    assert {one.key for one in found.vertices} == {"shop/net.py", "shop/cache.py", "shop/pay.py"}
    said = "\n".join(render.plain(found, Painter()))
    assert "A change to it can affect 4 files, 2 of them directly" in said
    with Memory.open(str(shop / "shop")) as memory:
        assert memory.code.graph("imports", "web.py").focus == "shop/web.py"


def test_files_fold_into_folders(shop: "Checkout") -> None:
    shop.add("tools/run.py", "import shop.web\n")
    shop.git("add", "-A")
    with Memory.open(str(shop)) as memory:
        found = memory.code.graph(folders=True)
        near = memory.code.graph("imports", "shop/web.py", folders=True)
    assert found.edges == (Edge("tools/", "shop/", "imports"),)
    assert (near.focus, dict(near.reached)) == ("shop/", {"tools/": 1})


@pytest.mark.parametrize("start", ["shop", "nowhere.py", "README.md"])
def test_what_is_no_source_file_has_no_graph(shop: "Checkout", start: str) -> None:
    with Memory.open(str(shop)) as memory, pytest.raises((NotFoundError, UsageError)) as caught:
        memory.code.graph("imports", start)
    assert start in caught.value.message
    assert caught.value.hint


def test_s4_68_s4_69_errors_fixes_decisions_and_files_make_a_graph(
    repo: "Checkout", ids: dict[str, str]
) -> None:
    with Memory.open(str(repo)) as memory:
        found = memory.code.graph("memory", ids["error"], depth=1)
        assert set(found.edges) == {
            Edge(ids["worked"], ids["error"], "fixes"),
            Edge(ids["failed"], ids["error"], "fixes"),
            Edge(ids["error"], "src/pay.py", "showed in"),
        }
        whole = memory.code.graph("memory", ids["error"], depth=3)
    assert set(whole.edges) - set(found.edges) == {
        Edge(ids["worked"], "src/pay.py", "changes"),
        Edge(ids["decision"], "src/pay.py", "governs"),
        Edge(ids["decision"], ids["worked"], "implements"),
    }
    kinds = {one.key: (one.kind, one.state) for one in whole.vertices}
    assert kinds == {
        ids["error"]: ("error", "resolved"), ids["worked"]: ("fix", "worked"),
        ids["failed"]: ("fix", "failed"), ids["decision"]: ("decision", "accepted"),
        "src/pay.py": ("file", ""),
    }  # fmt: skip
    with Memory.open(str(repo)) as memory:
        assert set(memory.code.graph("memory").edges) == set(whole.edges)
        assert memory.code.graph("memory", "src/pay.py", depth=3).edges == whole.edges


def test_a_large_memory_is_shown_in_part_and_says_so(repo: "Checkout", ids: dict[str, str]) -> None:
    with Memory.open(str(repo)) as memory:
        for start in ("", ids["error"]):
            found = memory.code.graph("memory", start, limit=2)
            assert len(found.vertices) <= 2
            assert found.notes[0].startswith("there is more than the 2 shown")
            keys = {one.key for one in found.vertices}
            assert all({edge.source, edge.target} <= keys for edge in found.edges)
        with pytest.raises(NotFoundError, match="no record is about"):
            memory.code.graph("memory", "nowhere.py")
        with pytest.raises(UsageError, match="no graph of x"):
            memory.code.graph("x")


# --- forms --------------------------------------------------------------------------------------


def _graph(labels: "tuple[str, ...] | list[str]") -> Graph:
    kinds = ("error", "fix", "decision", "file", "session", "pattern", "note", "folder")
    vertices = [Vertex(f"k{number}", label, kinds[number % len(kinds)], label[:5])
                for number, label in enumerate(labels)]  # fmt: skip
    edges = [Edge(f"k{number}", f"k{number + 1}", label or "imports")
             for number, label in enumerate(labels[:-1])]  # fmt: skip
    edges.append(Edge("k0", "k0", "imports types of"))
    return Graph("memory", tuple(vertices), tuple(edges), (("k0",),), "k0")


_LABELS = st.lists(st.text(max_size=40), min_size=1, max_size=6)


@deep
@given(_LABELS)
@settings(max_examples=amount(share=20, ci=60, whole=600), deadline=None)
def test_any_label_gives_dot_that_a_parser_reads_back(labels: list[str]) -> None:
    graph = _graph(labels)
    read: Any = pydot.graph_from_dot_data("\n".join(render.dot(graph)))
    (read,) = read
    nodes = {one.get_name(): one for one in read.get_nodes() if one.get_name() != "node"}
    assert len(nodes) == len(graph.vertices)
    assert len(read.get_edges()) == len(graph.edges)
    for number, vertex in enumerate(graph.vertices):
        said = nodes[f"n{number}"].get_label()
        plain = re.sub(r"\\(.)", r"\1", said[1:-1])
        assert plain == render._label(vertex)


@given(_LABELS)
@settings(max_examples=100, deadline=None)
def test_any_label_gives_mermaid_of_known_lines_only(labels: list[str]) -> None:
    graph = _graph(labels)
    lines = list(render.mermaid(graph))
    nodes = [found for line in lines if (found := _MERMAID_NODE.match(line))]
    edges = [line for line in lines if _MERMAID_EDGE.match(line)]
    others = [line for line in lines if _MERMAID_OTHER.fullmatch(line)]
    assert len(nodes) + len(edges) + len(others) == len(lines)
    assert len(edges) == len(graph.edges)
    for found, vertex in zip(nodes, graph.vertices, strict=True):
        entities = re.sub(r"#(\d+);", r"&#\1;", found[2])
        assert html.unescape(entities) == render._label(vertex)


def _mermaid(text: str) -> dict[str, Any]:
    """Read a flowchart with Mermaid itself."""
    done = subprocess.run(
        ["node", "--input-type=module", "-e", _DATABASE], cwd=_TOOLS, input=text,
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    read: dict[str, Any] = json.loads(done.stdout)
    return read


@pytest.mark.skipif(
    not (shutil.which("node") and (_TOOLS / "node_modules" / "mermaid").exists()),
    reason="no Mermaid: make test installs it where npm can",
)
def test_mermaid_itself_reads_back_nasty_labels() -> None:
    graph = _graph(_NASTY)
    read = _mermaid("\n".join(render.mermaid(graph)) + "\n")
    said = {id_: html.unescape(text.replace("ﬂ°°", "&#").replace("ﬂ°", "&").replace("¶ß", ";"))
            for id_, text in read["vertices"]}  # fmt: skip
    wanted = {f"n{number}": render._label(one) for number, one in enumerate(graph.vertices)}
    assert {id_: " ".join(text.split()) for id_, text in said.items()} == {
        id_: " ".join(text.split()) for id_, text in wanted.items()
    }
    assert len(read["edges"]) == len(graph.edges)


@pytest.mark.skipif(not shutil.which("dot"), reason="no Graphviz")
def test_graphviz_itself_draws_nasty_labels() -> None:
    text = "\n".join(render.dot(_graph(_NASTY)))
    done = subprocess.run(["dot", "-Tsvg"], input=text.encode(), capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (0, b"")


def test_no_label_reaches_a_terminal_unfolded() -> None:
    said = "\n".join(render.plain(_graph(_NASTY), Painter()))
    assert "\x1b" not in said
    assert "\u202e" not in said


def test_more_edges_than_mermaid_draws_are_told() -> None:
    edges = tuple(Edge("a", f"b{number}", "imports") for number in range(501))
    graph = Graph("imports", (), edges)
    assert "Mermaid draws 500 edges" in next(render.warnings(graph, "mermaid"))
    assert list(render.warnings(graph, "dot")) == []
    assert render.as_data(_graph(["x"]))["vertices"][0]["label"] == "x"
