"""Run with ``python3 -m unittest test_price``."""

# ruff: noqa: PT009 (unittest is the tool that is shown)

import unittest

from price import rounded


class PriceTest(unittest.TestCase):
    """Half a cent goes up."""

    def test_half_a_cent_goes_up(self) -> None:
        """As every cash register does it."""
        self.assertEqual(str(rounded(2.675)), "2.68")


if __name__ == "__main__":
    unittest.main()
