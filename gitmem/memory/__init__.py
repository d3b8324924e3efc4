"""Memory: the façade that every face speaks to, and where the parts are put together."""

from gitmem.memory.memory import Memory
from gitmem.memory.view import Status, View

__all__ = ["Memory", "Status", "View"]
