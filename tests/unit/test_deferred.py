"""Modules that are loaded when something in them is used."""

import importlib
import sys
import threading
from pathlib import Path
from types import ModuleType

import pytest

from gitmem.cli import load_when_used

_CODE = """
import time
LOADED = []
time.sleep(0.2)
LOADED.append("once")
def answer(): return 42
"""


@pytest.fixture
def put_off(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Lay a module that takes its time, and put its loading off."""
    name = "loaded_late_for_a_test"
    (tmp_path / f"{name}.py").write_text(_CODE, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setitem(sys.modules, name, ModuleType(name))  # so that it is gone afterwards
    del sys.modules[name]
    load_when_used(name)
    return name


def test_an_import_statement_loads_nothing(put_off: str) -> None:
    module = importlib.import_module(put_off)
    assert module.__spec__ is not None
    assert module.__spec__.name == put_off
    assert "LOADED" not in vars(module)


def test_what_is_used_is_loaded_once(put_off: str) -> None:
    module = importlib.import_module(put_off)
    assert module.answer() == 42
    assert module.LOADED == ["once"]
    assert "__getattr__" not in vars(module)


def test_what_is_not_there_is_an_attribute_error(put_off: str) -> None:
    module = importlib.import_module(put_off)
    with pytest.raises(AttributeError, match=f"module '{put_off}' has no attribute 'nothing'"):
        _ = module.nothing


def test_threads_that_come_at_once_all_get_an_answer(put_off: str) -> None:
    module = importlib.import_module(put_off)
    answers: list[int] = []
    begin = threading.Barrier(4)

    def ask() -> None:
        begin.wait()
        answers.append(module.answer())

    threads = [threading.Thread(target=ask) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert answers == [42] * 4
    assert module.LOADED == ["once"]


def test_a_module_that_is_loaded_already_stays(put_off: str) -> None:
    module = importlib.import_module(put_off)
    load_when_used(put_off)
    assert importlib.import_module(put_off) is module
    load_when_used("no_module_of_this_name")
    assert "no_module_of_this_name" not in sys.modules
