"""From the output of a failed command to fingerprints that tell whether it was seen before.

Pure: no clock, no disk, no processes, and nothing but the standard library's ``re``,
``hashlib`` and the like, because this runs under every failing command. Importing this
package imports nothing; take what you need from its modules (``parse``, ``fingerprint``,
``normalise``, ``explain``).
"""

from typing import Final

VERSION: Final = 18
"""Of everything that fingerprints follow from.

Raise it with every rule in fingerprint, sameness, site, normalise or frames: what is derived
is made anew.
"""
