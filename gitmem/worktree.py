"""The one way to read files of the work tree, which anybody may have filled.

A clone can bring a link to a private file, a linked folder, or a link to ``/proc/self/fd/0``, which
would be waited for. What is read here is a regular file that lies in the repository and outside
of ``.git``; links that stay inside are followed.
"""

import errno
import os
import stat

from gitmem.system import OPEN_NO_LINK


def real_path(root: str, path: str) -> str:
    """Give where a path really leads.

    Args:
        root: of the repository.
        path: relative to it, or absolute.

    Raises:
        OSError: with ``ELOOP``, it leads out of the repository or into ``.git``.

    """
    top = os.path.realpath(root)
    # A name from a record or a patch may hold a NUL, which no file has.
    full = "" if "\0" in path else os.path.realpath(os.path.join(top, path))
    prefix = os.path.join(top, "")
    if not full.startswith(prefix) or ".git" in full[len(prefix) :].lower().split(os.sep):
        raise OSError(errno.ELOOP, "leads out of the repository", path)
    return full


def read_file(root: str, path: str, most: int) -> bytes:
    """Read a regular file of the work tree.

    Args:
        root: of the repository.
        path: relative to it, or absolute.
        most: bytes; a larger file is refused.

    Raises:
        OSError: it is not there, can't be read, leads out of the repository (``ELOOP``), is no
            regular file (``EINVAL``), or is too large (``EFBIG``).

    """
    handle = os.open(real_path(root, path), os.O_RDONLY | OPEN_NO_LINK)
    with open(handle, "rb") as file:
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            raise OSError(errno.EINVAL, "is no file", path)
        data = file.read(most + 1)
    if len(data) > most:
        raise OSError(errno.EFBIG, "is too large", path)
    return data


def read_text(root: str, path: str, most: int) -> str | None:
    """Read a text of the work tree, in UTF-8; None: it can't be read, is binary, or too large.

    Bytes that are no UTF-8 become U+FFFD.
    """
    try:
        data = read_file(root, path, most)
    except OSError:
        return None
    return None if b"\0" in data else data.decode(errors="replace")
