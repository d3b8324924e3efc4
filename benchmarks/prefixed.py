"""Puts before the lines of an output what services, containers and collectors of logs put there.

A grammar of prefixes is drawn from a seed: one to three columns (a name, a number, a time in some
format, a level, a process, a quote sign), with separators, colours or tabs, as strangers have.
"""

import random
from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

Stamp = Callable[[int], str]
"""What stands in a column of the line with a number."""

_NAMES: Final = (
    "web", "api", "worker-1", "cart_service", "@acme/web", "shop.api", "job7", "unit-tests",
    "build (3.12, ubuntu)", "payments-6b7f9c8d4-x2x9q", "rank3", "node0.cluster", "app/web.1",
    "packages/cart", "Linux_x64", "e2e (chrome)", "mörk", "stage-2", "backend|test",
)  # fmt: skip
_FRAMES: Final = (
    "{}: ", "{} | ", "[{}] ", "[{}]: ", "({}) ", "<{}> ", "{}> ", "{} > ", "{} - ", "{}\t",
    "{} :: ", "{}:test: ", "{}#build: ", "{}:  ", "{} │ ", "{} ▸ ",
    "» {} » ", "*{}* ", "{{{}}} ", "--{}-- ",
    "{:<24}| ", "{:>24} | ", "[{}]<stderr>: ", "={}= ",
)  # fmt: skip
_LEVELS: Final = (
    "INFO ", "[INFO] ", "INFO: ", "info: ", "[info ] ", "<6>", "I ", "NOTICE - ", "[stderr] ",
    "err: ", "stderr | ", "DEBUG ", "(I) ", "level=info ",
)  # fmt: skip
_MONTH: Final = "Nov"
_STRIPPED: Final = 0.3
"""Share of the services that cut the end of an empty line."""


def _clock(at: int) -> tuple[int, int, int]:
    return 9 + at // 3600 % 12, at // 60 % 60, at % 60


def _times(rng: random.Random) -> Stamp:
    hours = "{:02}:{:02}:{:02}"
    forms: tuple[Stamp, ...] = (
        lambda at: f"2026-11-03T{hours.format(*_clock(at))}Z ",
        lambda at: f"2026-11-03T{hours.format(*_clock(at))}.{at * 7919 % 10**6:06}Z ",
        lambda at: f"2026-11-03T{hours.format(*_clock(at))}+01:00 ",
        lambda at: f"2026-11-03 {hours.format(*_clock(at))},{at * 37 % 1000:03} ",
        lambda at: f"[2026-11-03 {hours.format(*_clock(at))}] ",
        lambda at: f"2026/11/03 {hours.format(*_clock(at))} ",
        lambda at: f"{hours.format(*_clock(at))} ",
        lambda at: f"[{hours.format(*_clock(at))}.{at * 37 % 1000:03}] ",
        lambda at: f"({hours.format(*_clock(at))}) ",
        lambda at: f"{hours.format(*_clock(at))} - ",
        lambda at: f"{_clock(at)[0]}:{at // 60 % 60:02}:{at % 60:02} AM ",
        lambda at: f"{_MONTH}  3 {hours.format(*_clock(at))} ",
        lambda at: f"[03/Nov/2026:{hours.format(*_clock(at))} +0000] ",
        lambda at: f"{1793697120 + at}.{at * 37 % 1000:03} ",
        lambda at: f"[{1793697120000 + at * 61}] ",
        lambda at: f"[{at:>5}.{at * 7919 % 10**6:06}] ",
        lambda at: f"+{at}.{at * 37 % 10}s ",
        lambda at: f"[+{at * 61}ms] ",
        lambda at: f"{at // 60 % 60:02}:{at % 60:02} | ",
        lambda at: f"20261103T{''.join(f'{part:02}' for part in _clock(at))} ",
        lambda at: f"Tue Nov  3 {hours.format(*_clock(at))} 2026 ",
        lambda at: f"2026-11-03T{hours.format(*_clock(at))}.{at * 7919 % 10**6:06}Z 0{at % 2}O ",
    )
    return rng.choice(forms)


def _numbers(rng: random.Random) -> Stamp:
    service = rng.randrange(12)
    forms: tuple[Stamp, ...] = (
        lambda at: f"#{at + 1} ",
        lambda at: f"[{service}] ",  # noqa: ARG005
        lambda at: f"{at + 1:>5}: ",
        lambda at: f"{at + 1:06} | ",
        lambda at: f"({at + 1}/4000) ",
        lambda at: f"{at + 1}\t",
        lambda at: f"#12 {at / 10:.3f} ",
        lambda at: f"Step #{service}: ",  # noqa: ARG005
    )
    return rng.choice(forms)


def _processes(rng: random.Random) -> Stamp:
    pid, name = rng.randrange(100, 70_000), rng.choice(("app", "web.1", "python3", "shop"))
    forms: tuple[Stamp, ...] = (
        lambda at: f"{name}[{pid}]: ",  # noqa: ARG005
        lambda at: f"[pid {pid}] ",  # noqa: ARG005
        lambda at: f"[Thread-{pid % 9}] ",  # noqa: ARG005
        lambda at: "[MainThread] ",  # noqa: ARG005
        lambda at: f"({pid}) ",  # noqa: ARG005
        lambda at: f"host-7 {name}[{pid}]: ",  # noqa: ARG005
        lambda at: f"{pid} {pid + 2} ",  # noqa: ARG005
        lambda at: f"[{name}:{pid}] ",  # noqa: ARG005
    )
    return rng.choice(forms)


def _constant(rng: random.Random) -> Stamp:
    text = rng.choice(_FRAMES).format(rng.choice(_NAMES))
    return lambda at: text  # noqa: ARG005


def _level(rng: random.Random) -> Stamp:
    text = rng.choice(_LEVELS)
    return lambda at: text  # noqa: ARG005


def _quote(rng: random.Random) -> Stamp:
    text = rng.choice(("> ", ">> ", "| ", ">   ", "=> ", "* ", "» "))
    return lambda at: text  # noqa: ARG005


def _tabs(rng: random.Random) -> Stamp:
    job, step = rng.choice(_NAMES), rng.choice(("Run tests", "UNKNOWN STEP", "Run make check"))
    time = _times(rng)
    return lambda at: f"{job}\t{step}\t{time(at)}"


KINDS: Final[dict[str, tuple[Callable[[random.Random], Stamp], ...]]] = {
    "constant": (_constant,),
    "counter": (_numbers,),
    "time": (_times,),
    "time, level": (_times, _level),
    "time, name": (_times, _constant),
    "name, time": (_constant, _times),
    "time, process": (_times, _processes),
    "time, level, process": (_times, _level, _processes),
    "process": (_processes,),
    "quoted": (_quote,),
    "tabs": (_tabs,),
    "name, number": (_constant, _numbers),
    "name, name": (_constant, _constant),
}
"""Grammars by what their columns are."""


class Prefix(NamedTuple):
    """A prefix: the kind of its grammar, and its columns."""

    kind: str
    columns: tuple[Stamp, ...]
    colour: str
    stripped: bool

    def before(self, at: int) -> str:
        """Give what stands before the line with a number."""
        text = "".join(column(at) for column in self.columns)
        return f"{self.colour}{text}\x1b[0m" if self.colour else text

    def put(self, lines: Sequence[str], first: int = 0) -> list[str]:
        """Put it before lines; the end of one before an empty line may be cut, as services do."""
        put = [self.before(first + at) + line for at, line in enumerate(lines)]
        return [line.rstrip() if self.stripped else line for line in put]


def drawn(seed: int) -> Prefix:
    """Draw a prefix; the same for a seed."""
    rng = random.Random(seed)
    kind = list(KINDS)[seed % len(KINDS)]
    colour = rng.choice(("", "", "", "\x1b[36m", "\x1b[1;33m"))
    return Prefix(kind, tuple(make(rng) for make in KINDS[kind]), colour, rng.random() < _STRIPPED)


def mixed(prefixes: Sequence[Prefix], outputs: Sequence[Sequence[str]], seed: int) -> list[str]:
    """Mix the lines of several services, in pieces of a few lines."""
    rng = random.Random(seed)
    ends = [0] * len(outputs)
    lines: list[str] = []
    while open_ones := [at for at, output in enumerate(outputs) if ends[at] < len(output)]:
        at = rng.choice(open_ones)
        end = ends[at] + rng.randrange(1, 6)
        lines += prefixes[at].put(outputs[at][ends[at] : end], len(lines))
        ends[at] = end
    return lines
