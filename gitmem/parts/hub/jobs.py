"""Jobs that publish: the messages between them and a hub, and which repository a job is of."""

import hashlib
import hmac
from collections.abc import Iterable, Mapping
from typing import Annotated, Any, Final, NamedTuple

import msgspec

from gitmem.errors import InvalidError
from gitmem.parts.hub.entries import MOST_BYTES
from gitmem.parts.hub.taking import SentTree, SourceRepository

MOST_SENT: Final = 1 << 25
"""Bytes of one message of a job."""
_OF_THE_BRANCH: Final = frozenset({"push", "schedule", "web", "workflow_dispatch"})
"""Reasons for a job that leave no stranger's code in its work tree, as a pull request may."""
_MOST_DIGITS: Final = 19
_Blob = Annotated[str, msgspec.Meta(pattern="^([0-9a-f]{40}|[0-9a-f]{64})$")]
_Path = Annotated[str, msgspec.Meta(min_length=1, max_length=1_000)]


class PublishMessage(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a job sends: the list of all files, and contents of some.

    Attributes:
        commit: that it checked out.
        files: the blob of each file of the memory, by path.
        contents: by blob.
        large: blobs of files that are too large to be kept.
        taken: paths whose contents this job sent before.

    """

    commit: _Blob
    files: dict[_Path, _Blob]
    contents: dict[_Blob, bytes] = {}
    large: tuple[_Blob, ...] = ()
    taken: frozenset[_Path] = frozenset()

    def tree(self, run: int = 0) -> SentTree:
        """Give what was sent, once it is sure that contents are what their names say.

        Args:
            run: the number of the job.

        Raises:
            InvalidError: they are not.

        """
        for blob, data in self.contents.items():
            if not hmac.compare_digest(blob, _name_of(data, blob)):
                raise InvalidError(f"the contents of {blob[:10]} are not what git calls so")
        too_large = dict.fromkeys(self.large, b"\n" * (MOST_BYTES + 1))
        return SentTree(self.commit, self.files, {**too_large, **self.contents}, self.taken, run)


class PublishAnswer(msgspec.Struct, frozen=True):
    """What a hub says to a job.

    Attributes:
        repository: as the hub calls it.
        wanted: blobs whose contents it wants; none: it has all.
        new: records that it did not have.
        gone: records that it dropped.
        held: files of which it keeps nothing.
        publishes: the repository's settings let a hub read it.

    """

    repository: str
    wanted: tuple[str, ...] = ()
    new: int = 0
    gone: int = 0
    held: int = 0
    publishes: bool = True


class JobNumbers(NamedTuple):
    """Numbers that a host never gives twice, out of the token of a job.

    Attributes:
        host_id: of the repository.
        run: of the pipeline, the higher the newer; run again, it has the same.

    """

    host_id: int
    run: int


def numbers_of(claims: Mapping[str, Any]) -> JobNumbers:
    """Give a job's numbers, in GitHub's form or GitLab's; 0 where the token has none."""
    return JobNumbers(
        _number(claims.get("repository_id") or claims.get("project_id")),
        _number(claims.get("run_id") or claims.get("pipeline_id")),
    )


def _number(claim: object) -> int:
    text = str(claim)
    return int(text) if text.isdecimal() and len(text) < _MOST_DIGITS else 0


def published_by(
    claims: Mapping[str, Any], repositories: Iterable[SourceRepository], commit: str
) -> tuple[SourceRepository | None, str]:
    """Say which repository a job may publish; None with the reason why not.

    Args:
        claims: of the job's token, which was checked. GitHub's name the repository in
            ``repository``, GitLab's in ``project_path``.
        repositories: those of the hub.
        commit: that the job sends.

    """
    name = claims.get("repository") or claims.get("project_path")
    if not isinstance(name, str) or not name:
        return None, "the token names no repository"
    rows = [row for row in repositories if row.host_name == name.casefold()]
    if not rows:
        return None, f"this hub does not know {name}"
    row = rows[0]
    if row.replaced_by:
        return None, row.replaced.message
    if row.host_id and not numbers_of(claims).host_id:
        return None, f"the token does not say the number of {name} at its host"
    if not row.published:
        return None, f"this hub reads {row.name} with git; nobody publishes it"
    branch = str(claims.get("ref", "")).removeprefix("refs/heads/")
    if claims.get("ref_type", "branch") != "branch" or branch != row.published:
        return None, f"only the branch {row.published} of {row.name} is published"
    reason = claims.get("event_name") or claims.get("pipeline_source")
    if reason not in _OF_THE_BRANCH:
        return None, f"a job that runs because of {reason} publishes nothing"
    if claims.get("sha", commit) != commit:
        return None, "the job runs at another commit than it sends"
    return row, ""


def _name_of(data: bytes, like: str) -> str:
    algorithm = hashlib.sha1 if len(like) == hashlib.sha1().digest_size * 2 else hashlib.sha256  # noqa: S324  as git names them
    return algorithm(b"blob %d\0" % len(data) + data).hexdigest()
