"""A file's content among git's objects, before anybody adds the file.

``git stash --include-untracked`` saves the files that git does not track and then deletes all that
there are: also one that was written in between, and that nobody saved. Of a record it is in git by
then. ``git add`` finds the object there and writes none, so nothing is stored twice; what is never
added goes with git's own clearing up, after two weeks.
"""

import contextlib
import hashlib
import os
import re
import zlib
from stat import S_ISGID
from typing import TYPE_CHECKING, Final

from gitmem.system import is_ours

if TYPE_CHECKING:
    from gitmem.git.git_dirs import GitDirs

_SHARED: Final = re.compile(rb"^\s*sharedrepository\s*=", re.IGNORECASE | re.MULTILINE)
_SHA256: Final = re.compile(rb"^\s*objectformat\s*=\s*sha256", re.IGNORECASE | re.MULTILINE)


def keep(git_dirs: "GitDirs", data: bytes) -> None:
    """Write the object that ``git add`` makes of a file, unless it is there.

    It is a safety net: where git's folder can't be written, there is none. Nor is there one in a
    repository of another user or of several: a folder that is made there has to have rights that
    let the others write.

    Args:
        git_dirs: the repository.
        data: the file's bytes, with line feeds only.

    """
    whole = b"blob %d\0%s" % (len(data), data)
    with contextlib.suppress(OSError):
        objects = os.path.join(git_dirs.common_dir, "objects")
        with open(os.path.join(git_dirs.common_dir, "config"), "rb") as file:
            config = file.read()
        status = os.stat(objects)
        shared = status.st_mode & S_ISGID or _SHARED.search(config)
        if shared or not is_ours(objects, status):
            return
        digest = hashlib.sha256 if _SHA256.search(config) else hashlib.sha1
        name = digest(whole, usedforsecurity=False).hexdigest()
        folder = os.path.join(objects, name[:2])
        path = os.path.join(folder, name[2:])
        if os.path.exists(path):
            return
        os.makedirs(folder, exist_ok=True)
        # Git deletes what is left under such a name.
        temporary = os.path.join(folder, f"tmp_obj_{os.urandom(6).hex()}")
        with open(temporary, "xb") as file:
            file.write(zlib.compress(whole, 1))
        os.chmod(temporary, 0o444)
        os.replace(temporary, path)
