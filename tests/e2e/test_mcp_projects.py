"""Which memory a call is about: that of the folders that are open, never another project's."""

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.e2e.assistants import data, piped, refused, said, talk
from tests.e2e.running import content, ok

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.conftest import Checkout

pytestmark = pytest.mark.timeout(300)


class Two:
    """Two repositories side by side, and a folder without a memory."""

    def __init__(self, make_repo: "Callable[..., Checkout]") -> None:
        self.a, self.b = make_repo("alpha"), make_repo("beta")
        self.none = make_repo("gamma")
        for repo, name in ((self.a, "alpha"), (self.b, "beta")):
            ok(repo, "init")
            ok(repo, "add", "note", "--title", f"wisdom of {name}")
            repo.add("src/x.py", f"# code of {name}\n")
            repo.commit("memory")


@pytest.fixture
def two(make_repo: "Callable[..., Checkout]") -> Two:
    return Two(make_repo)


def test_the_working_directory_says_which_where_the_client_does_not(two: Two) -> None:
    async def conversation() -> None:
        for repo, wanted, other in ((two.a, "alpha", "beta"), (two.b / "src", "beta", "alpha")):
            async with piped(Path(repo)) as client:
                told = await said(client, "gitmem_search", query="wisdom")
                assert f"wisdom of {wanted}" in told
                assert other not in told

    talk(conversation)


def test_the_roots_of_the_client_say_which(two: Two) -> None:
    async def conversation() -> None:
        async with piped(two.a, roots=[two.b.as_uri()]) as client:
            told = await said(client, "gitmem_search", query="wisdom")
            assert "wisdom of beta" in told
            assert "alpha" not in told
            for name in ("alpha", str(two.a), str(two.a / "src")):
                assert "is open here" in await refused(
                    client, "gitmem_search", query="wisdom", project=name
                )
            # project_id of the older interface is any name: the one that is open is meant.
            older = await said(client, "coding_search_errors", query="wisdom", project_id="alpha")
            assert "alpha" not in older

    talk(conversation)


def test_of_several_open_folders_one_is_named(two: Two) -> None:
    async def conversation() -> None:
        roots = [two.a.as_uri(), two.b.as_uri()]
        async with piped(two.none, roots=roots) as client:
            assert "alpha, beta" in await refused(client, "gitmem_search", query="wisdom")
            for name in ("beta", str(two.b), str(two.b / "src")):
                told = await said(client, "gitmem_search", query="wisdom", project=name)
                assert "wisdom of beta" in told
                assert "wisdom of alpha" not in told
            before = content(two.a)
            await data(
                client, "coding_record_error", error_type="E", message="m", project_id="beta"
            )
            assert content(two.a) == before
        async with piped(two.a.parent, roots=[two.a.as_uri(), two.none.as_uri()]) as client:
            assert "wisdom of alpha" in await said(client, "gitmem_search", query="wisdom")

    talk(conversation)


def test_no_path_and_no_link_leads_to_a_folder_that_is_not_open(two: Two) -> None:
    (two.a / "way").symlink_to(two.b)
    (two.a / "file.py").symlink_to(two.b / "src/x.py")

    async def conversation() -> None:
        async with piped(two.a) as client:
            for name in (str(two.a / "way"), "../beta", str(two.a / "../beta"), "way", "/", "beta",
                         str(two.a / "way/src")):  # fmt: skip
                assert "beta" not in (
                    await refused(client, "gitmem_search", query="wisdom", project=name)
                ).replace(name, "")
            for focus in ("file.py", "way/src/x.py", "../beta/src/x.py", str(two.b / "src/x.py")):
                told = await said(client, "gitmem_context", focus=focus, budget=4000)
                assert "code of beta" not in told
            for path in ("file.py", "way/src/x.py", "../beta/src/x.py", str(two.b / "src/x.py")):
                told = await said(client, "coding_record_error", error_type="E", message="m",
                                  screenshot=path)  # fmt: skip
                assert "kept without its screenshot" in told
                await refused(client, "coding_record_error", error_type="E", message="m",
                              file_path=path)  # fmt: skip

    talk(conversation)
    assert not (two.a / ".memory/attachments").exists()


def test_a_root_that_is_a_link_is_the_folder_behind_it(two: Two, tmp_path: Path) -> None:
    link = tmp_path / "link"
    link.symlink_to(two.b)

    async def conversation() -> None:
        async with piped(two.a, roots=[link.as_uri()]) as client:
            assert "wisdom of beta" in await said(client, "gitmem_search", query="wisdom")
            assert "wisdom of beta" in await said(
                client, "gitmem_search", query="wisdom", project=str(two.b)
            )

    talk(conversation)


def test_a_folder_without_a_memory_says_how_to_begin(two: Two) -> None:
    async def conversation() -> None:
        async with piped(two.none) as client:
            assert "gitmem init" in await refused(client, "gitmem_search", query="wisdom")
            resources = (await client.list_resources()).resources
            assert [one.name for one in resources] == ["context"]
            ok(two.none, "init")
            assert "Nothing found" in await said(client, "gitmem_search", query="wisdom")

    talk(conversation)
