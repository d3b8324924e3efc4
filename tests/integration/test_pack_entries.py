"""Packs that are made out of tables: every entry is a real error, and its answer ends it."""

import random
import shutil
from collections.abc import Iterator

import pytest

from gitmem import Memory
from gitmem.memory.reading.packs import BUILT_IN
from gitmem.store.tar import files_of
from scripts.packs import (
    ARCHIVES,
    SOURCES,
    Entry,
    capture,
    entries,
    entry_records,
    failure_fields,
    files,
    names,
    outputs,
)
from scripts.packs import CREATED as ANY_TIME
from tests.accounts import HOME
from tests.depth import amount, deep, only_deep
from tests.tools.test_corpus import SAMPLES

TABLES = sorted(path.stem for path in SOURCES.glob("*.yaml") if path.suffixes == [".yaml"])
LEAST = 40
MOST_TRIED = amount(share=6, ci=6, whole=1_000)
# Tools that nobody knows, in which a pack's own language speaks.
ALSO_SPEAK = {
    "asc": "node",
    "collection": "node",
    "snakemake2": "python",
    "tsd": "node",
    "xonsh_a": "python",
}
SPEAKERS: dict[str, set[str | None]] = {
    "c": {"gcc", "ld", "libc", "clang-tidy"},
    "rust": {"rustc", "rust", "cargo"},
    "go": {"go", "staticcheck"},
    "docker": {"docker"},
    "actions": {"actionlint"},
    "make": {"make", "cmake"},
    "java": {"javac", "java", "jvm", "junit", "scalatest"},
    "shell": {"shell"},
    "git": {"git", None},  # git may be known only by the words of the line
    "python": {"python", "pytest", "unittest", "doctest", "pip", "scons", "trial"},
    # Runners of tests show the errors of the runtime itself.
    "node": {"node", "npm", "typescript", "jest", "vitest", "ava", "bun", "deno", "playwright"},
}
"""The tools whose failures each pack may answer, wherever they are printed."""


@pytest.fixture(scope="module")
def memory(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Memory]:
    place = tmp_path_factory.mktemp("packs")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(place / "cache"))
        patch.delenv("GITMEM_PACKS_OFF", raising=False)
        (place / "repo" / ".git").mkdir(parents=True)
        Memory.init(str(place / "repo"))
        with Memory.open(str(place / "repo")) as opened:
            yield opened


def error_id(entry: Entry, printed: str) -> str:
    return entry_records(entry, printed, ANY_TIME)[0].id


def test_archives_hold_what_the_tables_say() -> None:
    assert names() == sorted(BUILT_IN)
    for pack in names():
        archive = ARCHIVES / f"{pack}.tar.gz"
        assert files_of(str(archive)) == files(pack), "run: python scripts/packs.py write"


@pytest.mark.parametrize("pack", TABLES)
def test_a_table_is_rich_and_short(pack: str) -> None:
    table = entries(pack)
    assert len(table) >= LEAST
    assert list(outputs(pack)) == [entry.name for entry in table]
    for entry in table:
        assert len(entry.advice) <= 3
        assert all(0 < len(line) <= 200 for line in (entry.why, *entry.advice)), entry.name


@pytest.mark.parametrize("pack", TABLES)
def test_a_real_output_leads_to_its_entry_and_to_no_other_pack(pack: str, memory: Memory) -> None:
    printed = outputs(pack)
    wrong: list[tuple[str, object]] = []
    for entry in entries(pack):
        hits = [hit for match in memory.hint(printed[entry.name]) for hit in match.similar]
        if error_id(entry, printed[entry.name]) not in [hit.row.id for hit in hits]:
            wrong.append((entry.name, [hit.row.title for hit in hits]))
        wrong += [
            (entry.name, f"{hit.layer}: {hit.row.title}")
            for hit in hits
            if hit.layer != f"pack {pack}"
        ]
    assert wrong == [], "\n".join(map(str, wrong))


@pytest.mark.parametrize("pack", TABLES)
def test_the_answer_is_told_as_advice(pack: str, memory: Memory) -> None:
    printed = outputs(pack)
    for entry in entries(pack)[:3]:
        shown = memory.show(error_id(entry, printed[entry.name]))
        assert shown.layer == f"pack {pack}"
        assert [(row.title, row.shown_status) for _, row in shown.backlinks] == [
            (entry.advice[0], "unverified")
        ]


@pytest.mark.timeout(900)
def test_outputs_of_other_tools_are_answered_by_none_of_these(memory: Memory) -> None:
    wrong = [
        f"{sample.tool}/{sample.name}: {hit.layer}: {hit.row.title}"
        for sample in SAMPLES
        for match in memory.hint(sample.output.decode(errors="replace"))
        for hit in match.similar
        if (pack := hit.layer.removeprefix("pack ")) in TABLES
        and match.seen.fields.get("tool") not in SPEAKERS[pack]
        and ALSO_SPEAK.get(sample.name) != pack
    ]
    assert wrong == [], "\n".join(map(str, wrong))


@deep
@only_deep
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("pack", TABLES)
def test_the_answers_end_the_errors(pack: str, monkeypatch: pytest.MonkeyPatch) -> None:
    # Compilers may be chosen by what their user set.
    monkeypatch.setenv("HOME", str(HOME))
    everything = list(entries(pack))
    chosen = random.Random(pack).sample(everything, min(MOST_TRIED, len(everything)))
    ran = 0
    for entry in chosen:
        if shutil.which(entry.needs):
            assert failure_fields(entry, capture(entry))
            ran += 1
    if not ran:
        pytest.skip(f"none of the tools of {pack} is here")
