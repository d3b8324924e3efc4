"""What is meant at the cursor, and what is looked up first for who looks there."""

from typing import TYPE_CHECKING, cast

from hypothesis import given
from hypothesis import strategies as st

from gitmem.output.failure import Failure
from lsp_server.diagnostics_cache import DocumentState, MatchedDiagnostic
from lsp_server.features.actions import diagnostic_at
from lsp_server.positions import EditorRange

if TYPE_CHECKING:
    from lsp_server.open_memory import OpenMemory

places = st.tuples(st.integers(0, 5), st.integers(0, 40), st.integers(0, 9)).map(
    lambda place: EditorRange((place[0], place[1]), (place[0], place[1] + place[2]))
)


def opened(*spans: EditorRange) -> DocumentState:
    state = DocumentState("a.py", cast("OpenMemory", None))
    failure = Failure("ruff", "python", message="a message")
    state.diagnostics = [MatchedDiagnostic(span, failure) for span in spans]
    return state


@given(st.lists(places, max_size=8), st.integers(0, 6), st.integers(0, 60))
def test_a_problem_on_the_line_is_meant_and_what_holds_the_cursor_before_others(
    spans: list[EditorRange], line: int, character: int
) -> None:
    """On the line of a problem, there was none "at the cursor"."""
    meant = diagnostic_at(opened(*spans), line, character)
    on_line = [span for span in spans if span.start[0] == line]
    point = EditorRange((line, character), (line, character))
    assert (meant is not None) == bool(on_line)
    if meant:
        assert meant.span in on_line
        assert meant.span.touches(point) or not any(span.touches(point) for span in spans)


@given(st.lists(places, max_size=8), st.one_of(st.none(), places))
def test_where_somebody_looks_is_matched_first(
    spans: list[EditorRange], asked: EditorRange | None
) -> None:
    """With hundreds of problems, the one that was hovered over came when its turn was."""
    state = opened(*spans)
    state.asked = asked
    order = state.unmatched_first()
    assert len(order) == len(spans)
    touching = [asked is not None and each.span.touches(asked) for each in order]
    assert touching == sorted(touching, reverse=True)
    for each in order:
        each.matched = True
    assert not state.unmatched_first()
    assert not (asked and state.is_unsure_at(asked))
