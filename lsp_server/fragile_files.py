"""What a lens warns of before a file is changed: failures that came back, attempts that failed."""

from typing import TYPE_CHECKING, NamedTuple

from gitmem.plurals import counted

if TYPE_CHECKING:
    from gitmem.memory import Memory


class FragileFile(NamedTuple):
    """Why a file deserves care.

    Attributes:
        warning: the reasons in a few words; empty: there is none.
        ids: of the records that show it, newest first.

    """

    warning: str = ""
    ids: tuple[str, ...] = ()


def fragile(memory: "Memory", path: str) -> FragileFile:
    """Say what speaks for care at a file; decisions have lenses of their own.

    Args:
        memory: the memory.
        path: of the file, absolute or from the memory's root.

    """
    concerned = memory.editor.about(path)
    back = [row.id for row in concerned.errors if row.status == "regressed"]
    failed = [row.id for row in concerned.fixes if row.verdict == "failed"]
    parts = [f"{counted(len(back), 'failure')} came back"] if back else []
    parts += [f"{counted(len(failed), 'attempt')} failed"] if failed else []
    return FragileFile(" · ".join(parts), (*back, *failed))
