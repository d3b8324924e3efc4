#!/usr/bin/env bash
# mcp 2.3.0 (Python SDK): text for an argument `str | None` of a tool is parsed as JSON first.
#
# Seen: the text null arrives as None, and text that is a JSON object is refused, as the value is
# no text any more. The same texts for an argument that is plainly `str` arrive as they are.
# Here: an error message that an assistant hands on may well be JSON, so the texts of our tools
# are plainly `str`, with "" for nothing.
set -euo pipefail
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT; cd "$work"
python3 -m venv v && v/bin/pip -q --disable-pip-version-check install mcp==2.3.0

cat >look.py <<'END'
import asyncio

from mcp.server import MCPServer

server = MCPServer("look")


@server.tool()
def maybe(text: str | None = "nothing given") -> str:
    return repr(text)


@server.tool()
def surely(text: str = "nothing given") -> str:
    return repr(text)


async def call() -> None:
    for text in "null", '{"code": 7}', "7":
        for tool in "maybe", "surely":
            try:
                answer = await server.call_tool(tool, {"text": text})
                print(tool, text, "->", answer.structured_content["result"])
            except Exception as error:
                print(tool, text, "->", "refused:", str(error).splitlines()[2].split("[")[0].strip())


asyncio.run(call())
END
v/bin/python look.py >seen 2>/dev/null

cat >described <<'END'
maybe null -> None
surely null -> 'null'
maybe {"code": 7} -> refused: Input should be a valid string
surely {"code": 7} -> '{"code": 7}'
maybe 7 -> '7'
surely 7 -> '7'
END
cat seen
diff -u described seen
