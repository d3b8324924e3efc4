"""Fixes that are no edits of tracked files: asked once, told the next time."""

import socket

import pytest

from tests.scenarios.desk import Desk, fact

TEST_VARIABLE = "import os\n\n\ndef test_it():\n    assert os.environ['{}']\n"
MODULE = "import tabulate_of_nobody\n\n\ndef test_it():\n    assert tabulate_of_nobody\n"


def test_a_module_that_was_installed(desk: Desk) -> None:
    site = desk.repo.parent / "site"
    site.mkdir()
    desk.env["PYTHONPATH"] = str(site)
    desk.begin(test_it_py=MODULE)
    desk.red("pytest -q")
    desk.green(f"cp /dev/null {site}/tabulate_of_nobody.py")
    desk.green("pytest -q")
    desk.silent()
    assert "what did it? gitmem resolve --last 'cp /dev/null" in desk.said
    assert "flaky" not in desk.said
    assert desk.sh('gitmem resolve --last "install tabulate_of_nobody"') == 0, desk.said
    (site / "tabulate_of_nobody.py").unlink()
    desk.red("pytest -q")
    assert "install tabulate_of_nobody" in desk.said


@pytest.mark.parametrize("name", ["SHOP_PORT", "SHOP_TOKEN"])
def test_a_variable_that_was_set(desk: Desk, name: str) -> None:
    desk.begin(test_it_py=TEST_VARIABLE.format(name))
    desk.red("pytest -q")
    desk.env[name] = "a-value-that-nobody-may-see"
    desk.green("pytest -q")
    desk.silent()
    assert f"${name} was set" in desk.said
    kept = [path for path in (desk.repo / ".git" / "gitmem").rglob("*") if path.is_file()]
    assert kept
    assert all(b"a-value-that-nobody-may-see" not in path.read_bytes() for path in kept)


def test_a_file_outside_the_repository(desk: Desk) -> None:
    data = desk.repo.parent / "data.txt"
    desk.begin(test_it_py=f"def test_it():\n    assert open({str(data)!r}).read()\n")
    desk.red("pytest -q")
    data.write_text("data")
    desk.write("README.md", "Data lies beside the repository.\n")
    desk.green("pytest -q")
    desk.silent()
    assert "gitmem resolve --last" in desk.said


def test_a_file_that_git_ignores(desk: Desk) -> None:
    test = "def test_it():\n    assert 'PORT=80' in open('.env').read()\n"
    desk.begin(test_it_py=test)
    desk.write(".gitignore", ".env\n")
    desk.repo.commit("rules")
    desk.red("pytest -q")
    desk.write(".env", "PORT=80\n")
    desk.green("pytest -q")
    desk.silent()
    assert "gitmem resolve --last" in desk.said
    assert "flaky" not in desk.said


def test_a_stale_file_that_was_removed(desk: Desk) -> None:
    check = "assert not os.path.exists('build/stale.txt'), 'stale file'"
    test = f"import os\n\n\ndef test_it():\n    {check}\n"
    desk.begin(test_it_py=test)
    desk.write(".gitignore", "build\n")
    desk.write("build/stale.txt", "old\n")
    desk.repo.commit("rules")
    desk.red("pytest -q")
    desk.green("rm -r build")
    desk.green("pytest -q")
    desk.silent()
    assert "what did it? gitmem resolve --last 'rm -r build'" in desk.said
    assert desk.sh('gitmem resolve --last "make clean"') == 0, desk.said
    desk.write("build/stale.txt", "old\n")
    desk.red("pytest -q")
    assert "make clean" in desk.said


@pytest.mark.parametrize("line", ["./deploy.sh", "bash -c ./deploy.sh", "make deploy"])
def test_a_script_that_may_not_be_run(desk: Desk, line: str) -> None:
    desk.begin(deploy_sh="#!/bin/sh\necho deployed\n")
    desk.write("Makefile", "deploy:\n\t./deploy.sh\n")
    desk.repo.commit("a target")
    desk.red(line)
    (desk.repo / "deploy.sh").chmod(0o755)
    desk.green(line)
    desk.learnt(fact("./deploy.sh: Permission denied", "deploy.sh"))


def test_a_service_that_was_started(desk: Desk) -> None:
    with socket.socket() as server:
        server.bind(("127.0.0.1", 0))
        port = server.getsockname()[1]
        asks = f"import socket\n\nsocket.create_connection(('127.0.0.1', {port})).close()\n"
        desk.begin(ask_py=asks, ask_sh="python ask.py\n")
        desk.red("sh ask.sh")
        server.listen()
        desk.green("sh ask.sh")
    desk.silent()
    assert "gitmem resolve --last" in desk.said
    assert desk.sh('gitmem resolve --last "start the service"') == 0, desk.said
    desk.red("sh ask.sh")
    desk.tells("Connection refused", "start the service")


def test_the_last_failure_is_recorded_without_typing_it(desk: Desk) -> None:
    desk.begin(test_it_py=MODULE)
    desk.red("pytest -q")
    assert desk.sh("gitmem add error --last") == 0, desk.said
    assert "tabulate_of_nobody" in desk.said
