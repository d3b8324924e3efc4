"""Issues and pull requests of a hosting site, as records name them. Pure.

A record names one by a tag: ``issue:#12`` or ``pull:!7`` of its own repository,
``issue:owner/repo#12`` of another one. The site is not kept: a repository has one.
"""

import re
from typing import Final, NamedTuple

from gitmem.errors import InvalidError

_NUMBER: Final = r"(?P<number>[1-9]\d{0,9})"
_NAME: Final = r"[A-Za-z0-9_.][A-Za-z0-9_.-]*"
_REPOSITORY: Final = rf"(?P<repository>{_NAME}(?:/{_NAME})+)"
_SHORT: Final = re.compile(rf"(?:{_REPOSITORY}(?=[#!]))?(?P<mark>[#!]|GH-)?{_NUMBER}\Z")
_ADDRESS: Final = re.compile(
    rf"https?://[^/\s@]+/{_REPOSITORY}/(?:-/)?"
    rf"(?P<what>issues|work_items|pull|pulls|merge_requests)/{_NUMBER}(?:[/?#]\S*)?\Z"
)
_TAG: Final = re.compile(rf"(?P<what>issue|pull):{_REPOSITORY}?(?P<mark>[#!]){_NUMBER}\Z")
_MERGE: Final = "merge_requests"


class Issue(NamedTuple):
    """An issue, or a pull or merge request.

    Attributes:
        number: its number.
        mark: ``#``, or ``!`` for a merge request of GitLab; empty: nobody said.
        repository: ``owner/repo``, with all groups above; empty: the record's own.
        pull: it is a pull or merge request. ``#12`` counts as an issue: on GitHub, nothing tells.

    """

    number: int
    mark: str = "#"
    repository: str = ""
    pull: bool = False

    @property
    def name(self) -> str:
        """What a hosting site makes a link of, such as ``owner/repo#12``."""
        return f"{self.repository}{self.mark or '#'}{self.number}"

    @property
    def tag(self) -> str:
        """The tag of records that belong to it."""
        return f"{'pull' if self.pull else 'issue'}:{self.name}"


def parse(text: str) -> Issue:
    """Read what names an issue: ``#12``, ``!7``, ``GH-12``, ``owner/repo#12`` or its address.

    Raises:
        InvalidError: it names none.

    """
    text = text.strip()
    if match := _ADDRESS.match(text):
        merge = match["what"] == _MERGE
        pull = match["what"] not in ("issues", "work_items")
        return Issue(int(match["number"]), "!" if merge else "#", match["repository"], pull)
    if match := _SHORT.match(text):
        mark = {"GH-": "#", None: ""}.get(match["mark"], match["mark"])
        return Issue(int(match["number"]), mark, match["repository"] or "", mark == "!")
    raise InvalidError(
        f"{text[:80]!r} is not an issue", "write #12, !7, owner/repo#12, or its whole address"
    )


def of_tag(tag: str) -> Issue | None:
    """Read a tag; None if it is not an issue."""
    match = _TAG.match(tag)
    if not match:
        return None
    pull = match["what"] == "pull"
    return Issue(int(match["number"]), match["mark"], match["repository"] or "", pull)
