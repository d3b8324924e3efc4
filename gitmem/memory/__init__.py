"""Memory: the façade that every face speaks to, and where the parts are put together."""

from gitmem.memory.memory import Memory, Status

__all__ = ["Memory", "Status"]
