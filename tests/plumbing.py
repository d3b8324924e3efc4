"""Git objects written directly, and many merges in one git process, for thousands of histories."""

import hashlib
import subprocess
import zlib
from collections.abc import Generator, Iterable, Mapping
from pathlib import Path
from typing import NamedTuple, TypeVar

Pair = tuple[str, str]
_Result = TypeVar("_Result")
_WHO = "Ada Lovelace <ada@example.com> 1767323045 +0000"


class Merged(NamedTuple):
    """What git made of a merge.

    Attributes:
        tree: the merged tree; where git could not decide, with its marks.
        clean: whether it could.
        conflicts: by path, the blobs that it could not bring together: base, ours, theirs; empty
            where one of them is none.

    """

    tree: str
    clean: bool
    conflicts: dict[str, list[str]] = {}  # noqa: RUF012  never changed


class Objects:
    """The object folder of one repository. Trees are mappings of path to a file's bytes."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._written: set[str] = set()
        self._read: dict[str, bytes] = {}

    def put(self, kind: str, body: bytes) -> str:
        """Write an object as git would, loose."""
        whole = b"%s %d\0%s" % (kind.encode(), len(body), body)
        name = hashlib.sha1(whole, usedforsecurity=False).hexdigest()
        if name not in self._written:
            path = self.folder / "objects" / name[:2] / name[2:]
            path.parent.mkdir(exist_ok=True)
            path.write_bytes(zlib.compress(whole, 1))
            self._written.add(name)
        return name

    def tree(self, files: Mapping[str, bytes]) -> str:
        """Write the tree of some files, folders included."""
        entries: dict[str, tuple[str, str]] = {}
        folders: dict[str, dict[str, bytes]] = {}
        for path, data in files.items():
            first, slash, rest = path.partition("/")
            if slash:
                folders.setdefault(first, {})[rest] = data
            else:
                entries[first] = ("100644", self.put("blob", data))
        for name, inside in folders.items():
            entries[name + "/"] = ("40000", self.tree(inside))
        body = b"".join(
            b"%s %s\0%s" % (mode.encode(), name.rstrip("/").encode(), bytes.fromhex(made))
            for name, (mode, made) in sorted(entries.items(), key=lambda item: item[0].encode())
        )
        return self.put("tree", body)

    def commit(self, tree: str, parents: Iterable[str] = ()) -> str:
        """Write a commit."""
        lines = [f"tree {tree}", *(f"parent {parent}" for parent in parents)]
        lines += [f"author {_WHO}", f"committer {_WHO}", "", "x"]
        return self.put("commit", "\n".join(lines).encode())

    def blob(self, name: str) -> bytes:
        """Give the bytes of an object."""
        if name not in self._read:
            data = (self.folder / "objects" / name[:2] / name[2:]).read_bytes()
            self._read[name] = zlib.decompress(data).partition(b"\0")[2]
        return self._read[name]

    def files(self, tree: str, folder: str = "") -> dict[str, bytes]:
        """Give the files of a tree by path."""
        contents: dict[str, bytes] = {}
        rest = self.blob(tree)
        while rest:
            head, _, rest = rest.partition(b"\0")
            mode, name = head.split(b" ", 1)
            path, entry, rest = folder + name.decode(), rest[:20].hex(), rest[20:]
            if mode == b"40000":
                contents |= self.files(entry, f"{path}/")
            else:
                contents[path] = self.blob(entry)
        return contents

    def merge(self, pairs: Iterable[Pair]) -> list[Merged]:
        """Merge each pair of commits as ``git merge`` would, without a work tree."""
        asked = "".join(f"{ours} {theirs}\n" for ours, theirs in pairs)
        done = subprocess.run(
            ["git", "merge-tree", "--write-tree", "--allow-unrelated-histories", "--stdin"],
            cwd=self.folder, input=asked.encode(), capture_output=True, check=True,
        )  # fmt: skip
        return list(_answers(done.stdout))


def _answers(output: bytes) -> Iterable[Merged]:
    """Read merge after merge: clean or not, tree, conflicted files, nothing, messages, nothing."""
    fields = iter(output.split(b"\0"))
    for flag in fields:
        if flag == b"":
            return
        tree = next(fields).decode()
        clean = flag == b"1"
        conflicts: dict[str, list[str]] = {}
        if not clean:
            while entry := next(fields):
                about, _, path = entry.decode().partition("\t")
                _, blob, stage = about.split(" ")
                conflicts.setdefault(path, ["", "", ""])[int(stage) - 1] = blob
        while (field := next(fields)) != b"":  # messages: count, paths, type, text
            for _ in range(int(field) + 2):
                next(fields)
        yield Merged(tree, clean, conflicts)


def run_together(
    objects: Objects, histories: Iterable[Generator[Pair, Merged, _Result]]
) -> list[_Result]:
    """Run histories side by side: in each round all their merges go to one git process."""
    results: dict[int, _Result] = {}
    waiting: dict[int, tuple[Generator[Pair, Merged, _Result], Pair]] = {}

    def step(number: int, history: Generator[Pair, Merged, _Result], answer: Merged | None) -> None:
        try:
            pair = next(history) if answer is None else history.send(answer)
        except StopIteration as end:
            results[number] = end.value
        else:
            waiting[number] = (history, pair)

    for number, history in enumerate(histories):
        step(number, history, None)
    while waiting:
        asked = dict(waiting)
        waiting.clear()
        answers = objects.merge(pair for _, pair in asked.values())
        assert len(answers) == len(asked)
        for (number, (history, _)), answer in zip(asked.items(), answers, strict=True):
            step(number, history, answer)
    return [results[number] for number in sorted(results)]
