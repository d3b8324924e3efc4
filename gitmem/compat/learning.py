"""See ``gitmem.parts.compat.learning``."""

from gitmem.parts.compat.learning import *  # noqa: F403  the same under the path that programs know
