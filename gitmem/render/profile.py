"""How a code base is written: as text, and as a dict for JSON."""

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any, Final

from gitmem.plurals import counted
from gitmem.render.text import one_line, table

if TYPE_CHECKING:
    from gitmem.learning.conventions import Claim
    from gitmem.learning.profile import Profile
    from gitmem.render.text import Painter

_MOST_LIBRARIES: Final = 15
_MOST_FOLDERS: Final = 10
_MOST_NAMED: Final = 10
_MOST_OTHERS: Final = 3


def plain(profile: "Profile", painter: "Painter") -> Iterator[str]:
    """Write a profile for a terminal, section by section."""
    name = f"{one_line(profile.name)}: " if profile.name else ""
    read = "" if profile.read == profile.files else f", {profile.read:,} of them read"
    aside = f", {profile.excluded:,} more left aside" if profile.excluded else ""
    yield painter.paint(f"{name}{profile.files:,} source files{read}{aside}", "bold")
    if not profile.files:
        return
    yield from _section(
        "Languages",
        painter,
        table(
            [
                (
                    language.name,
                    _files(language.files),
                    counted(language.lines, "line", grouped=True),
                    "" if language.parsed else "names and layout only",
                )
                for language in profile.languages
            ]
        ),
    )
    yield from _section(
        "Layout",
        painter,
        table(
            [
                (one_line(folder), _files(files), counted(lines, "line", grouped=True))
                for folder, files, lines in profile.layout[:_MOST_FOLDERS]
            ]
        ),
    )
    sizes = profile.figures
    usual = f"a typical file has {sizes.file_lines:g} line{'s' * (sizes.file_lines != 1)}"
    yield f"  {usual}, a typical function {sizes.function_lines:g}"
    for language in profile.languages:
        claims = [claim for claim in profile.claims if claim.language == language.name]
        supported = [claim for claim in claims if claim.level != "insufficient"]
        if supported:
            yield from _section(
                language.name, painter, table([_claim(claim) for claim in supported])
            )
            few = [
                f"{claim.says} ({claim.having} of {claim.of})"
                for claim in claims
                if claim not in supported
            ]
            if few:
                yield painter.paint(f"  insufficient data (fewer than 10): {', '.join(few)}", "dim")
    thin = [
        language.name
        for language in profile.languages
        if all(
            claim.level == "insufficient"
            for claim in profile.claims
            if claim.language == language.name
        )
    ]
    if thin:
        yield ""
        yield f"insufficient data (fewer than 10 of anything counted): {', '.join(thin)}"
    yield from _libraries(profile, painter)
    yield from _section(
        "Tools", painter, table([(tool, one_line(where)) for tool, where in profile.tools])
    )


def _files(count: int) -> str:
    return counted(count, "file", grouped=True)


def _section(title: str, painter: "Painter", lines: Iterable[str]) -> Iterator[str]:
    section_lines = list(lines)
    if section_lines:
        yield ""
        yield painter.paint(title, "bold")
        yield from (f"  {line}" for line in section_lines)


def _claim(claim: "Claim") -> tuple[str, str, str]:
    """Write what was counted; where too few agree, it is called mixed."""
    others = ", ".join(f"{name} {count:,}" for name, count in claim.others[:_MOST_OTHERS])
    text = claim.says if claim.agreed else f"mixed; {claim.says}"
    level = "" if claim.level == "detailed" else "little data"
    return text, f"{claim.having:,} of {claim.of:,}", "; ".join(filter(None, (others, level)))


def _libraries(profile: "Profile", painter: "Painter") -> Iterator[str]:
    used = [library for library in profile.libraries.used if not library.standard]
    words = {True: "declared", False: "in no manifest", None: "no manifest"}
    shown = used[:_MOST_LIBRARIES]
    lines = table(
        [
            (
                one_line(library.name),
                library.language,
                _files(library.files),
                words[library.declared],
            )
            for library in shown
        ]
    )
    if len(used) > _MOST_LIBRARIES:
        lines.append(f"and {len(used) - _MOST_LIBRARIES} more")
    yield from _section("Libraries", painter, lines)
    unused = [one_line(name) for _, name in profile.libraries.unused]
    if unused:
        more = f" and {len(unused) - _MOST_NAMED} more" if len(unused) > _MOST_NAMED else ""
        named = ", ".join(unused[:_MOST_NAMED])
        yield painter.paint(
            f"  declared but never imported (tools, plugins?): {named}{more}", "dim"
        )


def as_data(profile: "Profile") -> dict[str, Any]:
    """Give a profile as plain data."""
    return {
        "name": profile.name,
        "files": profile.files,
        "read": profile.read,
        "aside": profile.excluded,
        "languages": [language._asdict() for language in profile.languages],
        "claims": [
            claim._asdict()
            | {"others": dict(claim.others), "level": claim.level, "agreed": claim.agreed}
            for claim in profile.claims
        ],
        "libraries": [library._asdict() for library in profile.libraries.used],
        "unused": [{"language": language, "name": name}
                   for language, name in profile.libraries.unused],
        "tools": dict(profile.tools),
        "layout": [{"folder": folder, "files": files, "lines": lines}
                   for folder, files, lines in profile.layout],
        "figures": profile.figures._asdict(),
        "notes": list(profile.notes),
    }  # fmt: skip
