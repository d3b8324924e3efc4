"""Words of tests that are written as ``it("adds", …)``: many runners of JavaScript share them."""

from typing import Final

SPEC_SKIPS: Final = (
    r"\b(?:it|test|describe|context|suite)(?:\.\w+)*\.(?:skip|skipIf|todo|fails|failing|only)\b"
    r"|\b(?:xit|xtest|xdescribe|xcontext|xspecify|fit|fdescribe)\b\s*\(?"
)
"""What leaves a test out, or all others."""
SPEC_INVERTS: Final = r"\b(?:it|test|describe)(?:\.\w+)*\.(?:fails|failing)\b"
"""What lets a test pass because it fails."""
SPEC_ASSERTS: Final = r"\bexpect\w*\("
"""What only a test asks."""
