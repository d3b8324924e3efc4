"""Lines for whoever reads them: terminals and job logs obey some of it, so text stays text there.

GitHub, Azure, TeamCity, Buildkite and others read commands out of what a job prints, on both
streams. What records, names and messages say goes through here; what a watched command prints
itself is passed on as it is.
"""

from typing import Final

from gitmem.lazy_pattern import lazily
from gitmem.render.text import painted

_MARK: Final = "\ufffd"
# Azure, and GitHub by its older form, obey anywhere in a line; TeamCity behind anything but text.
_ANYWHERE: Final = lazily(r"#(?=#(?:vso|teamcity|gitlab)?\[)|#(?=#[a-zA-Z][\w.-]{0,40}\[)")
# What is obeyed at the beginning of a line; colours and blanks do not count.
_LEADING: Final = lazily(
    r"(?im:^)((?:[\s\ufeff]|\x1b\[[0-9;]*m)*)"
    r"(?::(?=:\s*[a-z])|s(?=ection_(?:start|end):)|t(?=ravis_(?:fold|time):)"
    r"|~(?=~~ )|\^(?=\^\^ \+))"
)
_SIGNS: Final = ("##", "::", "section_", "travis_", "~~~ ", "^^^ ")


def as_text(text: str) -> str:
    """Change the first sign of what a terminal or a job's log would obey, and nothing else."""
    text = painted(text)
    if not any(sign in text.lower() for sign in _SIGNS):
        return text
    return _LEADING.sub(rf"\1{_MARK}", _ANYWHERE.sub(_MARK, text))


def as_json(document: str) -> str:
    """Do the same for JSON, whose value stays what it was."""
    return _ANYWHERE.sub(r"\\u0023", document) if "##" in document else document
