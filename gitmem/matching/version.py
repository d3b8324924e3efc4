"""The version of everything that fingerprints follow from."""

from typing import Final

# Raise it with every rule in fingerprint, site, normalise or frames: catalogs are made anew.
VERSION: Final = 2
