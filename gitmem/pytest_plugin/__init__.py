"""The pytest plugin: test runs are remembered, and failures recognised below the summary.

It is off until it is asked for: ``-p gitmem``, ``gitmem = true`` in pytest's settings, or
``GITMEM_PYTEST=1``. Off, it adds that setting and loads nothing else.

Under ``gitmem run`` it is on by itself (``GITMEM_PYTEST=0`` is still off), prints nothing, and
hands its report over (``GITMEM_PYTEST_REPORT`` names a folder), so that
a run is noted once. Where that variable is empty, somebody further out observes already.
"""

import os

import pytest

NAME = "gitmem"
ENABLED = "GITMEM_PYTEST"
REPORT = "GITMEM_PYTEST_REPORT"


def pytest_addoption(parser: pytest.Parser) -> None:
    """Declare the setting."""
    what = "record test runs and recognise failures with gitmem"
    parser.addini(NAME, what, type="bool", default=False)


def pytest_configure(config: pytest.Config) -> None:
    """Register what observes the run, if it is wanted."""
    worker = getattr(config, "workerinput", None)
    if worker is not None:
        if not worker.get(NAME):
            return
    elif not _is_enabled(config):
        return
    from gitmem.pytest_plugin.witness import TestWitness

    config.pluginmanager.register(TestWitness(), "gitmem-witness")
    if worker is None:
        from gitmem.pytest_plugin.recorder import Recorder

        config.pluginmanager.register(Recorder(config), "gitmem-recorder")


def _is_enabled(config: pytest.Config) -> bool:
    report = os.environ.get(REPORT)
    if report == "" or config.option.collectonly:
        return False
    setting = os.environ.get(ENABLED, "").lower()
    if setting:
        return setting not in {"0", "false", "no", "off"}
    return bool(report) or NAME in (config.option.plugins or ()) or bool(config.getini(NAME))
