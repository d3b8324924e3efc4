"""See ``gitmem.parts.compat.ai_memory``."""

from gitmem.parts.compat.ai_memory import *  # noqa: F403  the same under the path that programs know
