"""What a record by itself says of a fix, as SQL over a row ``r`` of ``records``."""

from typing import Final

# What ``gitmem pack write`` took from a pack: advice, and no failure that this team saw.
GENERAL: Final = "(r.via = 'tool' AND r.author = 'gitmem')"
# Of a fix: what its record and its verification say (see ``Row.verdict``).
VERDICT: Final = """
CASE WHEN r.stated = 'worked' AND r.via != 'human'
    AND (SELECT t.verified FROM efforts t WHERE t.file = r.file) != 'passed' THEN 'claimed'
ELSE r.stated END
"""
