"""Lines for whoever reads them: terminals and job logs obey some of it, so text stays text there.

GitHub, Azure, TeamCity, Buildkite and others read commands out of what a job prints, on both
streams. What records, names and messages say goes through here; what a watched command prints
itself is passed on as it is.
"""

from typing import Final

from gitmem.lazy_pattern import lazily
from gitmem.render.text import painted

_MARK: Final = "\ufffd"
# Azure, and GitHub by its older form, obey anywhere in a line; TeamCity behind anything but text;
# GitLab and Travis where their signs for the ends of a section stand.
_ANYWHERE: Final = lazily(
    r"#(?=#(?:vso|teamcity|gitlab)?\[)|#(?=#[a-zA-Z][\w.-]{0,40}\[)"
    r"|s(?=ection_(?:start|end):\d)|:(?<=fold:|time:)(?=start:|end:)"
)
# What is obeyed at the beginning of a line; colours and blanks do not count. Buildkite folds behind
# headings, which a diff has, too; systemd, Nix, LUCI and Treeherder have signs of their own.
_LEADING: Final = lazily(
    r"(?im:^)((?:[\s\ufeff]|\x1b\[[0-9;]*m)*)"
    r"(?::(?=:\s*[a-z])|s(?=ection_(?:start|end):)|t(?=ravis_(?:fold|time):)"
    r"|~(?=~~ )|\^(?=\^\^ \+)|-(?=-- (?!\"?[abciow]/|/dev/null))"
    r"|\+(?=\+\+ (?!\"?[abciow]/|/dev/null))|<(?=[0-7]>)|@(?=nix \{)|@(?=@@[A-Z_]+)"
    r"|T(?=inderboxPrint:)|P(?=ERFHERDER_DATA:))"
)
_SIGNS_ANYWHERE: Final = ("##", "section_", "fold:", "time:")
_SIGNS: Final = (
    *_SIGNS_ANYWHERE, "::", "travis_", "~~~ ", "^^^ ", "--- ", "+++ ", "<",
    "@nix", "@@@", "print:", "herder_data:",
)  # fmt: skip


def as_text(text: str) -> str:
    """Change the first sign of what a terminal or a job's log would obey, and nothing else."""
    text = painted(text)
    if not any(sign in text.lower() for sign in _SIGNS):
        return text
    return _LEADING.sub(rf"\1{_MARK}", _ANYWHERE.sub(_MARK, text))


def as_json(document: str) -> str:
    """Do the same for JSON, whose value stays what it was."""
    if not any(sign in document.lower() for sign in _SIGNS_ANYWHERE):
        return document
    return _ANYWHERE.sub(lambda sign: f"\\u{ord(sign[0]):04x}", document)
