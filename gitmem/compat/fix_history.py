"""See ``gitmem.parts.compat.fix_history``."""

from gitmem.parts.compat.fix_history import *  # noqa: F403  the same under the path that programs know
