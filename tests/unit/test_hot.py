"""Which posting lists a process that stays keeps unpacked."""

from array import array

from gitmem.index.hot import Hot
from gitmem.index.whoosh_files import Postings

LIST = (0, "word")


def read() -> Postings:
    return Postings([3, 7], array("I", [10, 20]))


def test_a_list_is_kept_from_the_second_question_on_and_not_within_one() -> None:
    hot = Hot()
    hot.next_question()
    assert [hot.impacts(LIST, read) for _ in range(3)] == [None] * 3
    hot.next_question()
    assert hot.impacts(LIST, read) == {3: 10, 7: 20}
    assert hot.impacts(LIST, lambda: Postings([], array("I"))) == {3: 10, 7: 20}
