"""What runners print about tests that passed, failed or were skipped, and how they count them.

The parsers beside this package read what went wrong; this one reads how every test ended, and
so whether a certain test ran and passed. Pure, like all of ``matching``.
"""
