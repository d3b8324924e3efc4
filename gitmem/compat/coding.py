"""See ``gitmem.parts.compat.coding``."""

from gitmem.parts.compat.coding import *  # noqa: F403  the same under the path that programs know
