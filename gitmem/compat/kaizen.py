"""See ``gitmem.parts.compat.kaizen``."""

from gitmem.parts.compat.kaizen import *  # noqa: F403  the same under the path that programs know
