"""Stack traces of the JVM: Java, Kotlin, Scala, with causes, and JUnit's through runners."""

import re
from collections.abc import Sequence
from typing import Final

from gitmem.output.failure import (
    MAX_MESSAGE,
    Failure,
    ParserResult,
    StackFrame,
    Test,
    bounded,
    excerpt,
)

AT: Final = re.compile(
    r"\s*at (?:[\w.\-@$]{1,100}//?){0,2}(?P<name>[\w.$<>\-/]{1,400}?)"
    r"\((?P<file>[^():\n]{1,200})(?::(?P<line>\d+))?\)(?: ~?\[(?P<from>.{0,200})\])?\s*$"
)
_FROM_LIBRARY: Final = re.compile(r"[\w.-]{1,120}-\d[\w.-]{0,60}\.jar:")
"""The file of a library, as some logs write it behind a frame."""
_FOREIGN: Final = re.compile(
    r"(?:(?:jdk|java|javax|sun|com\.sun|kotlinx?|scala|clojure|groovy|junit|androidx?|dalvik)"
    r"|akka|cats|feign|fs2|graphql|groovyx|kafka|monix|play|reactor|redis\.clients|retrofit2|rx|slick"
    r"|software\.amazon|spray|zio"
    r"|com\.(?:amazonaws|android|azure|datastax|facebook|fasterxml|google|hazelcast|microsoft|mongodb"
    r"|netflix|oracle|rabbitmq|squareup|typesafe|twitter)"
    r"|io\.(?:dropwizard|grpc|helidon|ktor|lettuce|micrometer|micronaut|netty|opentelemetry|quarkus"
    r"|r2dbc|reactivex|smallrye|undertow|vertx)"
    r"|org\.(?:apache|bouncycastle|codehaus|eclipse|elasticsearch|flywaydb|glassfish|gradle|hibernate"
    r"|http4s|jboss|jetbrains|jooq|keycloak|mybatis|neo4j|opensearch|junit|mockito|quartz|redisson|scalatest"
    r"|springframework|testng|thymeleaf|wildfly))[.$]"
)
"""Packages of runtimes, and of what programs are built on: foreign beside others' code."""
_RUNTIME: Final = frozenset({"java", "javax", "jdk", "sun"})
_ANNOUNCES: Final = re.compile(
    r"(?:.{0,120}?[\s\[|])?(?:ERROR|SEVERE|FATAL|WARN(?:ING)?)\b[\]:|\s]"
)
"""A record of a log; what it is about stands below in a trace."""
_MORE: Final = re.compile(r"\s*\.\.\. \d+ (?:more|common frames omitted)")
_CAUSED: Final = re.compile(r"\s*(?:Caused by|Suppressed): (.*)$")
_HEAD: Final = re.compile(
    r"(?:.{0,300}?(?:\s|^|\[))?(?P<type>"
    r"(?:[a-z_][\w$]{0,60}\.){1,12}[A-Z][\w$]{0,100})(?:: (?P<message>.*))?$"
)
_PLAIN: Final = re.compile(
    r"(?:Exception in thread \"[^\"\n]{0,200}\" )?"
    r"(?P<type>[A-Z]\w{0,100}(?:Error|Exception|Failure))(?:: ?(?P<message>.*))?$"
)
_THREAD: Final = re.compile(r'Exception in thread "[^"\n]{0,200}" ')
_TEST: Final = re.compile(r"(?:^|\.)(?:\w*Tests?|\w*TestCase|Test\w*|\w*Spec|\w*IT)(?:\$\w+)?$")
_BUT_WAS: Final = re.compile(
    r"expected:? ?<(?P<expected>.{0,1000}?)> but was:? ?<(?P<actual>.{0,1000})>", re.DOTALL
)
_MOST_MESSAGE: Final = 60


def parse(lines: Sequence[str], at: int, floor: int) -> ParserResult | None:
    """Read a trace from its head, from one of its frames, or from a lone typed line."""
    start = at
    if AT.match(lines[at]):
        start = _head_above(lines, at, floor)
        if start < 0:
            return None
    head = read_head(lines[start])
    if head is None:
        return None
    first = _first_frame(lines, start + 1)
    if first < 0:
        return None
    return _trace(lines, start, first, head, floor)


def _trace(
    lines: Sequence[str], start: int, first: int, head: tuple[str, str], floor: int
) -> ParserResult:
    error_type, message = head
    message = "\n".join([message, *_further(lines[start:first], head)])
    frames, end = frames_below(lines, first)
    causes: list[Failure] = []
    while end < len(lines):
        caused = _CAUSED.match(lines[end])
        inner = read_head(caused[1]) if caused else None
        if not inner:
            break
        below = _first_frame(lines, end + 1)
        words = lines[end + 1 : below] if below > 0 else []
        inner_frames, end = frames_below(lines, below if below > 0 else end + 1)
        causes.append(_failure(inner[0], "\n".join([inner[1], *words]), inner_frames))
    outer, *causes = _told_own([_failure(error_type, message, frames), *causes])
    failure = outer._replace(
        causes=tuple(causes), test=_test(outer), excerpt=excerpt(lines, start, end)
    )
    begin = start - (start > floor and _ANNOUNCES.match(lines[start - 1]) is not None)
    return ParserResult((failure,), begin, end)


def _further(lines: Sequence[str], head: tuple[str, str]) -> Sequence[str]:
    """Give what stands below a head, up to where it is told again, as Groovy tells it twice."""
    again = (number for number in range(1, len(lines)) if read_head(lines[number]) == head)
    return lines[1 : next(again, None)]


def _told_own(chain: list[Failure]) -> list[Failure]:
    """Tell frameworks' frames from the project's; leave out what only they threw above it."""
    own = [
        frame
        for failure in chain
        for frame in failure.frames
        if frame.in_app is None and not _FOREIGN.match(frame.function)
    ]
    if not own:
        return chain[-1:] if _only_frameworks(chain) else chain
    marked = [
        failure._replace(
            frames=tuple(
                frame._replace(in_app=False) if _FOREIGN.match(frame.function) else frame
                for frame in failure.frames
            )
        )
        for failure in chain
    ]
    first = next(at for at, failure in enumerate(chain) if any(f in own for f in failure.frames))
    return marked[first:]


def _only_frameworks(chain: list[Failure]) -> bool:
    """Tell whether a chain goes through several frameworks: the first one thrown tells most."""
    frames = [frame for failure in chain for frame in failure.frames]
    roots = {tuple(frame.function.split(".")[:2]) for frame in frames}
    return len({root for root in roots if root[0] not in _RUNTIME}) > 1


def read_head(line: str) -> tuple[str, str] | None:
    """Read the type of an exception and its message from the line that begins a trace."""
    line = _THREAD.sub("", line[:4_000])
    match = _HEAD.match(line) or _PLAIN.match(line)
    return (match["type"], match["message"] or "") if match else None


def _head_above(lines: Sequence[str], at: int, floor: int) -> int:
    """Find the line with the exception above a frame."""
    least = max(floor, at - _MOST_MESSAGE)
    while at > least:
        at -= 1
        if not AT.match(lines[at]) and read_head(lines[at]) and not _CAUSED.match(lines[at]):
            return at
    return -1


def _first_frame(lines: Sequence[str], at: int) -> int:
    """Find the first frame below a head; a message may have lines of its own."""
    for near in range(at, min(len(lines), at + _MOST_MESSAGE)):
        if AT.match(lines[near]) or _MORE.match(lines[near]):
            return near
        if _CAUSED.match(lines[near]) or "Exception in thread" in lines[near]:
            return -1
    return -1


def frames_below(lines: Sequence[str], at: int) -> tuple[list[StackFrame], int]:
    """Read frames, given innermost first."""
    frames: list[StackFrame] = []
    while at < len(lines):
        match = AT.match(lines[at])
        if match:
            name = match["name"].rsplit("/", 1)[-1]
            line = match["line"]
            frame = StackFrame(match["file"], name, int(line) if line else None)
            library = match["from"] and _FROM_LIBRARY.match(match["from"])
            frames.append(frame._replace(in_app=False) if library else frame)
        elif not _MORE.match(lines[at]):
            break
        at += 1
    frames.reverse()
    return frames, at


def _failure(error_type: str, message: str, frames: list[StackFrame]) -> Failure:
    return Failure(
        tool="java",
        language="java",
        error_type=error_type,
        message=message[:MAX_MESSAGE].strip(),
        frames=bounded(frames),
    )


def _test(failure: Failure) -> Test | None:
    """Find the test in the stack: the outermost method of a test class."""
    for frame in failure.frames:
        owner, _, method = frame.function.rpartition(".")
        if _TEST.search(owner) and not owner.startswith(("junit.", "org.junit", "org.testng")):
            was = _BUT_WAS.search(failure.message)
            return Test(
                name=f"{owner}.{method}",
                expected=was["expected"] if was else "",
                actual=was["actual"] if was else "",
                message=failure.message.split("\n", 1)[0],
                failing_function=method,
                failing_line=frame.line,
            )
    return None
