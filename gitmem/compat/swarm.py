"""See ``gitmem.parts.compat.swarm``."""

from gitmem.parts.compat.swarm import *  # noqa: F403  the same under the path that programs know
