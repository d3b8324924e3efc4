"""Derived state as questions see it: for those who ask, and not imported by anybody else."""

from typing import TYPE_CHECKING, Final

from gitmem.catalog.catalog import CatalogDamaged
from gitmem.config import TeamRules
from gitmem.installed import TOOLS, installed  # noqa: TID253  it is about these
from gitmem.memory.core.site import sentence_model_path
from gitmem.semantic.choice import Choice
from gitmem.sync import Progress
from gitmem.sync.derived import Derived

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from gitmem.answers.found import SearchResult
    from gitmem.catalog.catalog import Catalog
    from gitmem.catalog.rows import Row
    from gitmem.config import Config
    from gitmem.index.protocol import Index
    from gitmem.memory.core.site import Site
    from gitmem.query import Query
    from gitmem.records.problems import Problem
    from gitmem.search.facts import Circumstances
    from gitmem.store.files import Store

_BRIEF_SECONDS: Final = 0.1
DAMAGE: Final = (CatalogDamaged, OSError)
"""What a question raises whose derived state can't be read on."""


def derived_of(
    site: "Site", store: "Store", environ: "Mapping[str, str]", clean: "Callable[[str], str]"
) -> Derived:
    """Give the catalog and the index of a memory, which are brought up to date when asked.

    Args:
        site: where the memory is, with its settings.
        store: its files.
        environ: environment variables.
        clean: takes secrets out of a text.

    """
    derived = Derived(
        store,
        site.derived,
        site.config.index_wait_seconds,
        _rules_of(site),
        site.git_dirs,
        _embedding(site.config, environ),
    )

    def embed_beside() -> None:
        from gitmem.memory.core.index_process import start_embedding

        start_embedding(site.derived, site.root, environ)

    derived.meaning.clean = clean
    derived.embed_beside = embed_beside
    return derived


def hurried_derived_of(site: "Site", store: "Store", environ: "Mapping[str, str]") -> Derived:
    """Give the same for who must not be held up; nearness in meaning is left out."""
    from gitmem.sync.without_waiting import WithoutWaiting

    derived = WithoutWaiting(store, site.derived, _BRIEF_SECONDS, _rules_of(site), site.git_dirs)
    derived.leave = leave_to_process(site, environ)
    return derived


def leave_to_process(site: "Site", environ: "Mapping[str, str]") -> "Callable[[], None]":
    """Give what starts a process that does what takes long."""

    def leave() -> None:
        from gitmem.memory.core.index_process import start_updating

        start_updating(site.derived, site.root, environ)

    return leave


def _embedding(config: "Config", environ: "Mapping[str, str]") -> Choice:
    """Say which embedder the settings ask for; the key comes from the environment only."""
    key = environ.get("GITMEM_SEMANTIC_KEY", "")
    return Choice(
        config.semantic_embedder,
        config.semantic_endpoint,
        config.semantic_model,
        key,
        sentence_model_path(environ),
    )


def _rules_of(site: "Site") -> TeamRules:
    packages = tuple(f"{tool.name} {tool.package} {tool.version}" for tool in installed(TOOLS))
    return TeamRules(site.config.fingerprint_rules, site.config.redaction_allow, packages)


class Snapshot:
    """Derived state as one question sees it: in step with the files, looked at once.

    It is good only inside the question that ``Workspace.ask`` handed it to.
    """

    def __init__(self, derived: Derived, progress: Progress, *, in_step: bool = False) -> None:
        self._derived = derived
        self._progress = progress
        self._in_step = in_step
        self._is_over = False

    def end(self) -> None:
        """Refuse to be asked from now on: what lies there may change."""
        self._is_over = True

    def _refuse_late(self) -> None:
        if self._is_over:
            raise RuntimeError("a snapshot is good only inside the question it was made for")

    @property
    def catalog(self) -> "Catalog":
        """The rows, links and fingerprints of all records."""
        self._refuse_late()
        if self._in_step:
            return self._derived.opened
        catalog = self._derived.catalog(self._progress)
        self._in_step = True
        return catalog

    @property
    def index(self) -> "Index":
        """The full text of all records; the catalog follows the files, too."""
        index = self._derived.index(self._progress)
        self._in_step = True
        return index

    def follow_text(self) -> None:
        """Sync the index, and the catalog with it, before further questions."""
        self._derived.index(self._progress)
        self._in_step = True

    @property
    def file_problems(self) -> "list[Problem]":
        """What was in the way of reading files."""
        return self._derived.file_problems

    def has_changed(self, rows: "Iterable[Row]") -> bool:
        """Tell whether files changed that hold these records, or that link to them."""
        catalog = self.catalog
        shown = {row.id: row.path for row in rows}
        paths = {*shown.values(), *catalog.paths_linking_to(shown)}
        return self._derived.comparison.differ(catalog, paths)

    def search(
        self,
        query: "Query",
        limit: int,
        around: "Circumstances | None" = None,
        *,
        weak: bool = True,
    ) -> "SearchResult":
        """Find records, best first.

        Args:
            query: the question, parsed.
            limit: how many hits at most.
            around: where the question comes from.
            weak: as for ``pipeline.search``.

        """
        from gitmem.search.pipeline import search

        self._refuse_late()
        result = search(self._derived, query, limit, around, self._progress, weak=weak)
        self._in_step = True
        return result
