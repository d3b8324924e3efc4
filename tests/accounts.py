"""Who runs the tests, whatever a test says of home."""

import os
import sys
from pathlib import Path
from typing import Final

if sys.platform == "win32":
    IS_ROOT: Final = False
    """There is no account that permissions don't count for."""
    HOME: Final = Path(os.environ["USERPROFILE"])
else:
    import pwd

    IS_ROOT: Final = os.geteuid() == 0
    HOME: Final = Path(pwd.getpwuid(os.getuid()).pw_dir)
"""Tools keep there what they downloaded."""
