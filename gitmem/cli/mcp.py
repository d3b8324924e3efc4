"""``gitmem mcp``."""

import gc
import importlib
import os

from gitmem.cli.app import App, note
from gitmem.cli.forms import Between, option, plain
from gitmem.errors import EnvironmentProblem, UsageError, install

_LOOPBACK = frozenset({"127.0.0.1", "::1", "localhost"})
_SHORTEST = 16
_NOT_READ = {
    "USER_ID": "git says who writes: git config user.name",
    "PROJECT_ID": "the repository is the project: start gitmem in it, or with -C FOLDER",
}
"""What registrations of older memories set, and what says it here."""
_TOKEN = "GITMEM_MCP_TOKEN"  # noqa: S105  a variable's name


@plain("mcp")
@option("--http", "address", metavar="[HOST:]PORT", help="Serve over HTTP instead of pipes.")
@option(
    "--write",
    type=("on", "draft"),
    default="on",
    show_default=True,
    help="Where tools write; draft: what they write waits for your approval.",
)
@option("--read-only", is_flag=True, help="Offer no tool that writes.")
@option(
    "--budget",
    type=Between(100, 20_000),
    default=2000,
    show_default=True,
    help="Tokens per answer, unless the caller asks for another number.",
)
@option("--if-memory", is_flag=True, help="Offer no tools unless an open folder has a memory.")
@option("--coding-tools", is_flag=True, help="Also offer the coding_* tools of older memories.")
@option("--structured", is_flag=True, help="Also give answers as data, for programs.")
@option(
    "--allow-host",
    "hosts",
    multiple=True,
    metavar="NAME",
    help="With --http: a host name by which this machine is reached.",
)
def command(
    app: App,
    address: str | None,
    write: str,
    budget: int,
    hosts: tuple[str, ...],
    *,
    read_only: bool,
    if_memory: bool,
    coding_tools: bool,
    structured: bool,
) -> None:
    """Serve the memory to a coding assistant (Model Context Protocol).

    Over HTTP every request must carry the token in GITMEM_MCP_TOKEN; without one, a token is
    made and printed. See docs/mcp.md.

    \b
    Example:
      gitmem mcp
      gitmem mcp --http 8765
    """
    # Thousands of classes are made now, and all of them stay: looking for garbage only takes time.
    gc.disable()
    try:
        # By name: neither half of the package knows the other, and it is an extra.
        serving = importlib.import_module("gitmem.mcp.transports")
        calls = importlib.import_module("gitmem.mcp.calls")
    except ModuleNotFoundError as error:
        if error.name and error.name.partition(".")[0] == "gitmem":
            raise
        raise EnvironmentProblem(
            f"the MCP server needs {error.name}",
            install("mcp"),
        ) from None
    gc.freeze()
    gc.enable()
    for name, instead in _NOT_READ.items() if coding_tools else ():
        if name in os.environ:
            note(f"{name} is not read; {instead}")
    options = calls.Options(
        write="off" if read_only else write,
        budget=budget,
        coding_tools=coding_tools,
        if_memory=if_memory,
        structured=structured,
    )
    if address is None:
        serving.serve_pipes(app.start, options)
        return
    host, port = _address(address)
    token = os.environ.get(_TOKEN, "")
    if not token:
        if host not in _LOOPBACK:
            raise UsageError(f"{host} can be reached by others", f"set {_TOKEN} to a long secret")
        import secrets

        token = secrets.token_urlsafe(24)
        note(f"token for Authorization: Bearer: {token}")
    if len(token) < _SHORTEST or not token.isascii() or not token.isprintable():
        raise UsageError(
            f"{_TOKEN} is too weak a secret", f"set it to {_SHORTEST} random characters or more"
        )
    serving.serve_http(app.start, options, (host, port), token, hosts)


def _address(text: str) -> tuple[str, int]:
    host, _, port = text.rpartition(":")
    if not port.isdigit() or int(port) > 65535:  # noqa: PLR2004  the last port
        raise UsageError(f"{text!r} is not an address", "write PORT, or HOST:PORT")
    return host.strip("[]") or "127.0.0.1", int(port)
