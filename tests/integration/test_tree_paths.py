"""Files that a tool names without their folders have their paths where one can be meant."""

from typing import TYPE_CHECKING

import pytest

from gitmem.matching.parse import main_failure
from gitmem.memory import Memory

if TYPE_CHECKING:
    from tests.conftest import Checkout

pytestmark = pytest.mark.usefixtures("sealed_git")
TRACE = """\
java.lang.ArrayIndexOutOfBoundsException: Index 0 out of bounds for length 0
\tat shop.Price.total(Price.java:5)
\tat shop.PriceTest.ofNothing(PriceTest.java:15)
\tat java.base/java.util.ArrayList.forEach(ArrayList.java:1511)
"""
PRICE = "src/main/java/shop/Price.java"
TEST = "src/test/java/shop/PriceTest.java"


@pytest.mark.parametrize(
    ("files", "places"),
    [
        ([PRICE, TEST, "lib/ArrayList.java"], [PRICE, TEST, "ArrayList.java"]),
        ([PRICE, "old/src/other/Price.java"], [PRICE, "PriceTest.java", "ArrayList.java"]),
        ([PRICE, "old/java/shop/Price.java"], ["Price.java", "PriceTest.java", "ArrayList.java"]),
    ],
)
def test_a_bare_name_has_the_path_of_the_one_file(
    repo: "Checkout", files: list[str], places: list[str]
) -> None:
    Memory.init(str(repo))
    for file in files:
        repo.add(file, "class X {}\n")
    with Memory.open(str(repo)) as memory:
        fields = memory.failures.fields_of(main_failure(TRACE))
    assert [frame["file"] for frame in reversed(fields["frames"])] == places
    assert fields["location"]["file"] == places[0]
