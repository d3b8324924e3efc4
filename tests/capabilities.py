"""Take from a process what lets root write everywhere, so that permissions count in tests."""

import ctypes
from typing import Final

from tests.accounts import IS_ROOT

_VERSION: Final = 0x20080522
_DAC_OVERRIDE, _DAC_READ_SEARCH = 1, 2


def heed_permissions() -> None:
    """From now on, this process is bound by permission bits even if it is root's."""
    if not IS_ROOT:
        return
    library = ctypes.CDLL(None, use_errno=True)
    header = (ctypes.c_uint32 * 2)(_VERSION, 0)
    data = (ctypes.c_uint32 * 6)()
    if library.capget(header, data):
        raise OSError(ctypes.get_errno(), "capget")
    for at in (0, 1):  # effective, permitted
        data[at] &= ~(1 << _DAC_OVERRIDE | 1 << _DAC_READ_SEARCH)
    if library.capset(header, data):
        raise OSError(ctypes.get_errno(), "capset")
