"""Which tools a project uses, by its configuration files and sections of manifests. Pure."""

from collections.abc import Iterable
from fnmatch import fnmatchcase

from gitmem.learning.manifests import Manifest
from gitmem.tools.choice import values


def tools(paths: Iterable[str], manifests: Iterable[Manifest]) -> list[tuple[str, str]]:
    """Name the tools that are set up, each with the file that says so."""
    folders: dict[str, str] = {}
    settings = [pair for forms in values("files.settings").values() for pair in forms.items()]
    for path in paths:
        name = path.rpartition("/")[2]
        for form, tool in settings:
            if form.endswith("/"):
                if path.startswith(form):
                    folders.setdefault(tool, form)
            elif fnmatchcase(name, form):
                folders.setdefault(tool, path)
    for manifest in manifests:
        for tool in manifest.tools:
            folders.setdefault(tool, manifest.path)
    return sorted(folders.items())
