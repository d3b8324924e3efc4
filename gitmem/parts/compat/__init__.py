"""The interfaces of five older memory systems, as thin shells over ``Memory``.

A program written for one of them changes its import line and nothing else. What it stores are
ordinary records: ``gitmem search`` finds them, ``gitmem stats`` counts them. See docs/compat.md.
"""

from typing import Final

from gitmem.part import Part

PART: Final = Part("compat")
