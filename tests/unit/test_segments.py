"""Which segments are joined, and when."""

from hypothesis import given
from hypothesis import strategies as st

from gitmem.index.index_update import MOST_JOINED, TOGETHER, to_join
from gitmem.index.whoosh_files import SegmentInfo


def _segment(name: str, documents: int, deleted: int = 0) -> SegmentInfo:
    return SegmentInfo(name, documents, frozenset(range(deleted)), documents)


def test_a_thousand_small_updates_leave_few_segments_and_little_work() -> None:
    segments = [_segment("large", 100_000)]
    written = most = longest = 0
    for number in range(1_000):
        joined = [info for info in segments if info.id in to_join(segments)]
        if joined:
            documents = sum(info.documents for info in joined)
            written += documents
            longest = max(longest, documents)
            segments = [info for info in segments if info not in joined]
            segments.append(_segment(f"joined {number}", documents))
        segments.append(_segment(str(number), 1))
        most = max(most, len(segments))
    assert sum(info.documents for info in segments) == 101_000
    assert "large" in {info.id for info in segments}
    assert most <= 3 * TOGETHER + 2
    assert longest == TOGETHER**3
    assert written < 4 * 1_000


def test_a_segment_of_which_most_is_deleted_is_written_anew() -> None:
    assert to_join([_segment("a", 100, 51), _segment("b", 100, 50)]) == {"a"}


@given(st.lists(st.tuples(st.integers(1, 20_000), st.integers(0, 9)), max_size=40))
def test_no_more_is_joined_than_is_bearable(sizes: list[tuple[int, int]]) -> None:
    segments = [
        _segment(str(number), size, size * tenths // 10)
        for number, (size, tenths) in enumerate(sizes)
    ]
    joined = [info for info in segments if info.id in to_join(segments)]
    assert sum(info.documents - len(info.deleted) for info in joined) <= MOST_JOINED
    assert len(joined) in {0, 1, TOGETHER}
