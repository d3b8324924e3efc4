"""Timing of whole processes and of calls inside one.

The peak memory of a child starts with that of the process that started it, so it is asked of a
small process in between.
"""

import json
import math
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

UNIT: Final = "python -c pass"
"""The unit of start-up times: a Python that does nothing, measured in the same rounds."""
_MIB: Final = 1024  # ru_maxrss is in KiB
_FEWEST: Final = 10
_WEIGH: Final = """
import resource, subprocess, sys
code = subprocess.run(sys.argv[1:]).returncode
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
sys.exit(code)
"""
_REST_SECONDS: Final = 0.3
"""Before each process: what a search has left behind has ended by then."""


class Cost(NamedTuple):
    """What one process took: by the clock, and of the processors."""

    milliseconds: float
    processor: float


class Command(NamedTuple):
    """A process to run.

    Attributes:
        arguments: program and arguments.
        folder: where it runs.
        codes: exit codes that are no failure.
        complete: wait for git's look at all files, where that is not done anyway.
        given: a file on standard input.

    """

    arguments: Sequence[str]
    folder: Path
    codes: tuple[int, ...] = (0,)
    complete: bool = False
    given: Path = Path(os.devnull)


class CommandFailed(Exception):  # noqa: N818  a state: the figure can't be had
    """A measured command left with another exit code than it should."""


def sealed(embedder: str = "off") -> dict[str, str]:
    """Give an environment without the caller's settings of git, gitmem and Python.

    Children may write bytecode: without it every start would compile the whole program.
    Whether the extra ``semantic`` is installed decides nothing: the embedder is named.
    """
    inherited = {
        key: text for key, text in os.environ.items() if not key.startswith(("GIT", "PYTHON"))
    }
    own = {"GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": os.devnull, "LC_ALL": "C.UTF-8"}
    own["GITMEM_SEMANTIC_EMBEDDER"] = embedder
    return inherited | own | {"NO_COLOR": "1", "XDG_CONFIG_HOME": os.devnull}


def run(command: Command, output: Path) -> Cost:
    """Run a process to its end; what it prints goes to a file, as /dev/null is a special case."""
    with command.given.open("rb") as given, output.open("wb") as printed:
        began = time.perf_counter()
        process = subprocess.Popen(
            command.arguments,
            cwd=command.folder,
            env=sealed() | {"GITMEM_INDEX_COMPLETE": str(command.complete).lower()},
            stdin=given,
            stdout=printed,
            stderr=subprocess.STDOUT,
        )
        _, status, usage = os.wait4(process.pid, 0)
        milliseconds = (time.perf_counter() - began) * 1000
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode not in command.codes:
        tail = output.read_text(encoding="utf-8", errors="replace")[-2000:]
        raise CommandFailed(
            f"{' '.join(command.arguments)} left with {process.returncode}:\n{tail}"
        )
    processor = (usage.ru_utime + usage.ru_stime) * 1000
    return Cost(milliseconds, processor)


def weigh(command: Command, output: Path) -> tuple[Cost, float]:
    """Run a process by a small one; also give the peak of its memory, or of its largest child's.

    The time is that of a start of Python too long.
    """
    weighed = [sys.executable, "-c", _WEIGH, *command.arguments]
    cost = run(command._replace(arguments=weighed), output)
    held = int(output.read_text(encoding="utf-8", errors="replace").split()[-1]) / _MIB
    return cost, held


def first_line(command: Command) -> float:
    """Run a process to its end; give the milliseconds until it had printed a line."""
    began = time.perf_counter()
    with subprocess.Popen(
        command.arguments,
        cwd=command.folder,
        env=sealed(),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
    ) as process:
        assert process.stdout  # noqa: S101  it was asked for
        process.stdout.readline()
        milliseconds = (time.perf_counter() - began) * 1000
        process.stdout.read()
    if process.returncode not in command.codes:
        raise CommandFailed(f"{' '.join(command.arguments)} left with {process.returncode}")
    return milliseconds


Choose = Callable[[int], Command]
"""Gives the command of a round, so that each round can ask another question."""


def rounds(choices: Mapping[str, Choose], count: int, output: Path) -> dict[str, list[Cost]]:
    """Run all commands in turn, ``count`` times after one round that warms up.

    The unit runs in every round too, so that a busy moment hits all of them alike.
    """
    unit = Command((sys.executable, "-c", "pass"), output.parent)
    all_choices: dict[str, Choose] = {UNIT: lambda _round: unit, **choices}
    costs: dict[str, list[Cost]] = {name: [] for name in all_choices}
    for number in range(-1, count):
        for name, choose in all_choices.items():
            time.sleep(_REST_SECONDS)
            cost = run(choose(max(number, 0)), output)
            if number >= 0:
                costs[name].append(cost)
    return costs


def milliseconds(costs: Sequence[Cost]) -> float:
    """Give the median of the times."""
    return statistics.median(cost.milliseconds for cost in costs)


def processor(costs: Sequence[Cost]) -> float:
    """Give the median of the milliseconds of the processors."""
    return statistics.median(cost.processor for cost in costs)


def percentile(values: Sequence[float], share: float) -> float:
    """Give the smallest value that ``share`` of all values do not exceed."""
    ordered = sorted(values)
    return ordered[max(math.ceil(share * len(ordered)) - 1, 0)]


class Calls(NamedTuple):
    """Milliseconds of each call: of the processor, and by the clock."""

    processor: list[float]
    clock: list[float]


def calls(
    function: Callable[[str], object], questions: Sequence[str], warm: int = 5, seconds: float = 15
) -> Calls:
    """Call ``function`` with each question, a few of them beforehand to warm up.

    Args:
        function: what is timed.
        questions: what it is given.
        warm: so many calls do not count.
        seconds: after so long no more questions are asked than the ten that are needed.

    """
    for question in questions[:warm]:
        function(question)
    timed = Calls([], [])
    end = time.perf_counter() + seconds
    for question in questions:
        clock, processor = time.perf_counter(), time.process_time()
        if clock > end and len(timed.clock) >= _FEWEST:
            break
        function(question)
        timed.processor.append((time.process_time() - processor) * 1000)
        timed.clock.append((time.perf_counter() - clock) * 1000)
    return timed


def child(module: str, *arguments: object, embedder: str = "off") -> Any:  # noqa: ANN401  JSON
    """Run a module of this package in a process of its own; give the JSON that it prints."""
    command = [sys.executable, "-m", f"benchmarks.{module}", *map(str, arguments)]
    root = Path(__file__).resolve().parent.parent
    environment = sealed(embedder)
    done = subprocess.run(command, cwd=root, env=environment, stdout=subprocess.PIPE, check=True)
    return json.loads(done.stdout) if done.stdout else None
