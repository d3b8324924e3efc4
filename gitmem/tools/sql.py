"""What databases say to their command lines: PostgreSQL, MySQL and MariaDB, SQLite."""

import re
from collections.abc import Sequence
from typing import Final

from gitmem.output.failure import Failure, FailureLocation, ParserResult
from gitmem.tools.base import Tool, ToolCommand, ToolIdentity, ToolOutput
from gitmem.tools.common.reading import number, one

_PSQL: Final = re.compile(
    r"(?:psql:(?:(?P<file>[^\s:][^:\n]{0,300}):"
    r"(?P<line>\d+): )?\s*|.{0,160}?(?:\]:? (?:[\w\[\]@=,.:/-]{1,80} ){0,4}|LOG |\) |failed: )|)"
    r"(?P<level>ERROR|FATAL|PANIC):  (?:(?P<state>[0-9A-Z]{5}): )?(?P<message>\S.*)$"
)
_PSQL_NET: Final = re.compile(
    r"(?:psql: (?:error: )?)?(?P<message>"
    r"(?:connection to server .*|could not connect to server.*"
    r"|could not translate host name .*))$"
)
_MORE: Final = re.compile(
    r"(?:DETAIL|HINT|CONTEXT|QUERY|STATEMENT|LOCATION|SQLSTATE): |LINE \d+: |\s*\^\s*$"
)
_MYSQL: Final = re.compile(
    r"ERROR (?P<code>\d{4})(?: \((?P<state>[0-9A-Z]{5})\))?(?: at line "
    r"(?P<line>\d+))?(?: in file: '[^']*')?: (?P<message>.*)$"
)
_SQLITE: Final = re.compile(
    r"(?:(?P<kind>Parse|Runtime) error(?: near line "
    r"(?P<line>\d+))?|Error: (?:near line "
    r"(?P<line2>\d+): )?(?=in prepare|stepping|near |no such|UNIQUE|NOT NULL|FOREIGN"
    r"|CHECK|datatype|unable to open|database))"
    r"(?:: |)(?P<message>\S.*?)(?: \((?P<number>\d+)\))?$"
)

_OF_SQLITE: Final = re.compile(
    r"near \"|no such |incomplete input|unrecognized token|ambiguous column|already exists"
    r"|has no column|no tables specified|misuse of|wrong number of arguments|constraint failed"
    r"|(?:duplicate|unknown) column|\d+ (?:values for \d+ )?columns|datatype mismatch"
)
"""Words of SQLite's, where neither a line nor a number is: parsers of others begin so as well."""


def parse(lines: Sequence[str], at: int, floor: int) -> ParserResult | None:  # noqa: ARG001
    """Read one message with its details."""
    line = lines[at]
    mysql = _MYSQL.match(line)
    if mysql:
        place = FailureLocation("", number(mysql["line"])) if mysql["line"] else None
        code = mysql["state"] or mysql["code"]
        failure = Failure(
            "mysql", "sql", "", f"{mysql['code']}/{code}", mysql["message"], location=place
        )
        return one(failure, lines, at, at + 1)
    match = _PSQL.match(line)
    if match:
        end = at + 1
        while end < len(lines) and end < at + 10 and _MORE.match(lines[end]):
            end += 1
        place = FailureLocation(match["file"], number(match["line"])) if match["file"] else None
        message = match["message"]
        kind = "" if match["level"] == "ERROR" else match["level"]
        failure = Failure("postgresql", "sql", kind, match["state"] or "", message, location=place)
        return one(failure, lines, at, end)
    net = _PSQL_NET.match(line)
    if net:
        return one(Failure("postgresql", "sql", message=net["message"]), lines, at, at + 1)
    sqlite = _SQLITE.match(line)
    if sqlite and (
        sqlite["kind"] is None
        or sqlite["line"]
        or sqlite["number"]
        or _OF_SQLITE.search(sqlite["message"])
    ):
        end = at + 1
        while end < len(lines) and end < at + 3 and re.match(r"\s+\S", lines[end]):
            end += 1
        code = sqlite["number"] or ""
        failure = Failure("sqlite", "sql", "", code, sqlite["message"])
        return one(failure, lines, at, end)
    return None


TOOL = Tool(
    "sql",
    order=300,
    language="sql",
    bears=("sql", "postgresql", "mysql", "sqlite"),
    output=ToolOutput(
        words=(
            "ERROR:  ",
            "FATAL:  ",
            *(f"ERROR {digit}" for digit in range(10)),
            "Parse error",
            "Runtime error",
            "Error: ",
            "could not connect to server",
            "could not translate host",
        ),
        beside=("PANIC:  ", "connection to server"),
        needs=r"ERROR|FATAL|PANIC|(?:Parse|Runtime) error|could not|connection to"
        r"|Error: (?:near|in prepare|stepping|no such|[UNFC]|datatype|unable to|database)",
        parse=parse,
    ),
    command=ToolCommand(programs=("psql", "mysql", "mariadb", "sqlite")),
    identity=ToolIdentity(values=True),
)
