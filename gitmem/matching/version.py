"""The version of everything that fingerprints follow from."""

from typing import Final

# Raise it with every rule in fingerprint, sameness, site, normalise or frames: what is derived
# is made anew.
VERSION: Final = 6
