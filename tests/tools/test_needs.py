"""What a tool needs is needed: without it, its reader gives nothing.

Only so may the reader stay unloaded in short outputs where that does not stand. All samples are
cut into windows: in those of a few lines something that a tool needs is missing most often.
"""

import pytest

from gitmem.matching.registry import ParserEntry, entries, reader
from gitmem.tools.choice import values
from tests.tools.test_corpus import SAMPLES, Sample

NEEDING = [entry for entry in entries() if entry.needs]
SIZES = (1, 2, 3, 5, 9)


def of(sample: Sample) -> list[str]:
    return sample.output.decode(errors="replace").replace("\r", "").split("\n")


def test_tools_that_need_something_are_those_that_say_so() -> None:
    assert {entry.name for entry in NEEDING} == set(values("output.needs"))


@pytest.mark.parametrize("entry", NEEDING, ids=lambda entry: entry.name)
def test_where_it_does_not_stand_nothing_is_read(entry: ParserEntry) -> None:
    missing = 0
    for sample in SAMPLES:
        lines = of(sample)
        for size in SIZES:
            for start in range(0, len(lines), size):
                window = lines[start : start + size]
                if entry.may_stand(window):
                    continue
                missing += 1
                for at, line in enumerate(window):
                    if any(word in line for word in entry.words):
                        assert reader(entry.name)(window, at, 0) is None, (sample.name, window)
    assert missing > 1_000
