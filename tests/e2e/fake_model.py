"""A model on loopback that asks for given commands, one after the other, and then ends its turn.

It speaks as much of four protocols as clients need: Anthropic's messages, OpenAI's responses and
chat completions, Gemini's content.
"""

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self

_SHELLS = ("Bash", "bash", "run_shell_command", "exec_command", "shell_command", "shell")
_USAGE = {"input_tokens": 1, "output_tokens": 1}


class FakeModel:
    """Serves four protocols; what it is asked is kept in ``requests``."""

    def __init__(self, commands: list[str]) -> None:
        self.commands = commands
        self.requests: list[dict[str, Any]] = []
        self.server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self.url = f"http://127.0.0.1:{self.server.server_port}"

    def __enter__(self) -> Self:
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self.server.shutdown()
        self.server.server_close()

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        model = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                self.answer(
                    json.dumps({"data": [{"id": "fake"}], "models": []}), "application/json"
                )

            def do_POST(self) -> None:
                body = json.loads(
                    self.rfile.read(int(self.headers["Content-Length"] or 0)) or b"{}"
                )
                model.requests.append(body)
                events = model.events(self.path, body)
                if events is None:
                    self.answer(json.dumps({"input_tokens": 1}), "application/json")
                    return
                self.answer("".join(events), "text/event-stream")

            def answer(self, text: str, kind: str) -> None:
                data = text.encode()
                self.send_response(200)
                self.send_header("Content-Type", kind)
                self.send_header("Content-Length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)

            def log_message(self, *_: object) -> None: ...

        return Handler

    def events(self, path: str, body: dict[str, Any]) -> Iterator[str] | None:
        where = path.partition("?")[0]
        if where.endswith("/messages"):
            return self._anthropic(body)
        if where.endswith("/responses"):
            return self._responses(body)
        if where.endswith("/chat/completions"):
            return self._completions(body)
        if where.endswith("streamGenerateContent"):
            return self._gemini(body)
        return None

    def _next(self, tools: list[Any], results: int) -> tuple[str, dict[str, Any]] | None:
        for tool in tools:
            named = tool.get("function", tool)
            if named.get("name") in _SHELLS and results < len(self.commands):
                schema = (
                    named.get("input_schema")
                    or named.get("parameters")
                    or named.get("parametersJsonSchema")
                    or {}
                )
                fields = schema.get("properties", {})
                line = self.commands[results]
                key = "cmd" if "cmd" in fields else "command"
                value: Any = (
                    ["bash", "-lc", line] if fields.get(key, {}).get("type") == "array" else line
                )
                arguments = {key: value}
                if "description" in fields:
                    arguments["description"] = "Run it"
                return named["name"], arguments
        return None

    def _anthropic(self, body: dict[str, Any]) -> Iterator[str]:
        results = sum(
            part.get("type") == "tool_result"
            for message in body.get("messages", [])
            if isinstance(message["content"], list)
            for part in message["content"]
            if isinstance(part, dict)
        )
        call = self._next(body.get("tools", []), results)

        def event(kind: str, **more: Any) -> str:
            return f"event: {kind}\ndata: {json.dumps({'type': kind, **more})}\n\n"

        yield event(
            "message_start",
            message={
                "id": f"msg_{results}",
                "type": "message",
                "role": "assistant",
                "model": body.get("model"),
                "content": [],
                "stop_reason": None,
                "stop_sequence": None,
                "usage": _USAGE,
            },
        )
        if call:
            block = {"type": "tool_use", "id": f"toolu_{results}", "name": call[0], "input": {}}
            delta = {"type": "input_json_delta", "partial_json": json.dumps(call[1])}
        else:
            block = {"type": "text", "text": ""}
            delta = {"type": "text_delta", "text": "done"}
        yield event("content_block_start", index=0, content_block=block)
        yield event("content_block_delta", index=0, delta=delta)
        yield event("content_block_stop", index=0)
        reason = "tool_use" if call else "end_turn"
        yield event(
            "message_delta", delta={"stop_reason": reason, "stop_sequence": None}, usage=_USAGE
        )
        yield event("message_stop")

    def _responses(self, body: dict[str, Any]) -> Iterator[str]:
        results = sum(item.get("type") == "function_call_output" for item in body.get("input", []))
        call = self._next(body.get("tools", []), results)
        item: dict[str, Any]
        if call:
            item = {
                "type": "function_call",
                "id": f"fc_{results}",
                "call_id": f"call_{results}",
                "name": call[0],
                "arguments": json.dumps(call[1]),
                "status": "completed",
            }
        else:
            item = {
                "type": "message",
                "id": f"msg_{results}",
                "role": "assistant",
                "status": "completed",
                "content": [{"type": "output_text", "text": "done", "annotations": []}],
            }
        usage = {
            **_USAGE,
            "total_tokens": 2,
            "input_tokens_details": {"cached_tokens": 0},
            "output_tokens_details": {"reasoning_tokens": 0},
        }
        answer = {
            "id": f"resp_{results}",
            "object": "response",
            "status": "completed",
            "output": [item],
            "usage": usage,
            "model": body.get("model"),
            "created_at": 0,
        }
        for kind, more in (
            ("response.created", {"response": {**answer, "status": "in_progress", "output": []}}),
            ("response.output_item.added", {"output_index": 0, "item": item}),
            ("response.output_item.done", {"output_index": 0, "item": item}),
            ("response.completed", {"response": answer}),
        ):
            yield f"event: {kind}\ndata: {json.dumps({'type': kind, **more})}\n\n"

    def _completions(self, body: dict[str, Any]) -> Iterator[str]:
        results = sum(message.get("role") == "tool" for message in body.get("messages", []))
        call = self._next(body.get("tools") or [], results)
        if call:
            function = {"name": call[0], "arguments": json.dumps(call[1])}
            delta: dict[str, Any] = {
                "role": "assistant",
                "content": None,
                "tool_calls": [
                    {"index": 0, "id": f"call_{results}", "type": "function", "function": function}
                ],
            }
        else:
            delta = {"role": "assistant", "content": "done"}
        chunk = {
            "id": f"c{results}",
            "object": "chat.completion.chunk",
            "created": 0,
            "model": body.get("model"),
        }
        reason = "tool_calls" if call else "stop"
        usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
        first = {"index": 0, "delta": delta, "finish_reason": None}
        last = {"index": 0, "delta": {}, "finish_reason": reason}
        yield f"data: {json.dumps({**chunk, 'choices': [first]})}\n\n"
        yield f"data: {json.dumps({**chunk, 'choices': [last], 'usage': usage})}\n\n"
        yield "data: [DONE]\n\n"

    def _gemini(self, body: dict[str, Any]) -> Iterator[str]:
        results = sum(
            "functionResponse" in part
            for content in body.get("contents", [])
            for part in content.get("parts", [])
        )
        tools = [
            tool
            for group in body.get("tools", [])
            for tool in group.get("functionDeclarations", [])
        ]
        call = self._next(tools, results)
        part = {"functionCall": {"name": call[0], "args": call[1]}} if call else {"text": "done"}
        answer = {
            "candidates": [
                {"content": {"role": "model", "parts": [part]}, "finishReason": "STOP", "index": 0}
            ],
            "usageMetadata": {
                "promptTokenCount": 1,
                "candidatesTokenCount": 1,
                "totalTokenCount": 2,
            },
            "modelVersion": "fake",
        }
        yield f"data: {json.dumps(answer)}\r\n\r\n"
