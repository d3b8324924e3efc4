"""The form of ``hub.yaml``: what is in it, with what may be left out."""

from typing import Literal

import msgspec

Algorithm = Literal[
    "RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA"
]
"""Signatures with a key pair: with any other, whoever can check a token could make one."""


class RepositoryLine(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    """A repository.

    Attributes:
        url: as git takes it; one that is published need not have it.
        internal: everybody who may ask may see it.
        folder: of its memory.
        published: the branch whose jobs send it; empty: the hub reads it with git.
        host_id: its number at the host, as the host said it first; 0: not known yet.
        replaced_by: the number of another repository that has its name now; 0: none has.

    """

    url: str = ""
    internal: bool = False
    folder: str = ".memory"
    published: str = ""
    host_id: int = 0
    replaced_by: int = 0


class TokenLine(msgspec.Struct, forbid_unknown_fields=True):
    """A personal token: its digest, and what it may see."""

    sha256: str
    internal: bool = True
    repositories: list[str] = []


class IssuerLine(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True, frozen=True):
    """Who issues tokens that are believed, and for whom.

    Attributes:
        issuer: its address, to the letter as its tokens name it.
        audience: the name of this hub in them.
        user: the claim with the name of the user at the host.
        algorithms: that a token may be signed with.

    """

    issuer: str
    audience: str = "gitmem-hub"
    user: str = "preferred_username"
    algorithms: tuple[Algorithm, ...] = ("RS256", "ES256")


class PermissionsLine(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True, frozen=True):
    """Who says which private repositories somebody may see: one of these.

    Attributes:
        github: address of the host's interface, in the form of GitHub's.
        gitlab: of GitLab's.
        gitea: of Gitea's.
        file: with the repositories of each user, below the hub's folder.

    """

    github: str = ""
    gitlab: str = ""
    gitea: str = ""
    file: str = ""


class HubFile(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    """The whole file.

    Attributes:
        repositories: by name.
        tokens: by the name of who has it.
        people: who issues tokens of people.
        jobs: who issues tokens of jobs that publish.
        signed_in: header in which the proxy in front of the pages names who is signed in; any
            that a browser sends itself the proxy must drop. Empty: no header is believed.
        permissions: who says what somebody may see; None: the tokens' own lines.

    """

    repositories: dict[str, RepositoryLine] = {}
    tokens: dict[str, TokenLine] = {}
    people: IssuerLine | None = None
    jobs: IssuerLine | None = None
    signed_in: str = ""
    permissions: PermissionsLine | None = None
