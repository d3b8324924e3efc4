"""Who supersedes itself: in circles, and near linear whatever the links are."""

import time

from hypothesis import given
from hypothesis import strategies as st

from gitmem.catalog.faults import in_circles

_LINKS = st.dictionaries(st.sampled_from("abcdefgh"), st.sets(st.sampled_from("abcdefghxy")))


def leads_back(onward: dict[str, set[str]], start: str) -> bool:
    reached: set[str] = set()
    ahead = set(onward[start])
    while ahead:
        reached |= ahead
        ahead = {to for node in ahead for to in onward.get(node, ())} - reached
    return start in reached


@given(_LINKS)
def test_those_from_which_a_way_leads_back(onward: dict[str, set[str]]) -> None:
    assert in_circles(onward) == {node for node in onward if leads_back(onward, node)}


def test_chains_stars_and_circles_are_near_linear() -> None:
    """A chain of 3,000 records kept ``check`` for two minutes."""
    size = 50_000
    chain = {str(at): [str(at + 1)] for at in range(size)}
    star = {str(at): ["0"] for at in range(1, size)} | {"0": [str(at) for at in range(1, size, 2)]}
    circle = chain | {str(size): ["0"]}
    began = time.process_time()
    assert in_circles(chain) == set()
    assert len(in_circles(star)) == size // 2 + 1
    assert len(in_circles(circle)) == size + 1
    assert time.process_time() - began < 5
