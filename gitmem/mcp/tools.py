"""A tool as assistants see it: a short schema, and errors in one line."""

import logging
from collections.abc import Callable
from difflib import get_close_matches
from typing import Any, Final

from mcp.server.mcpserver import Context
from mcp.server.mcpserver.exceptions import ToolError
from mcp.server.mcpserver.tools import Tool
from mcp.shared.exceptions import MCPError
from mcp_types import CallToolResult, TextContent, ToolAnnotations
from pydantic import Field, ValidationError

from gitmem.errors import GitmemError
from gitmem.mcp.limits import CallLimits
from gitmem.render.assistant import quoted, word
from gitmem.render.tool_words import as_tools

READS: Final = ToolAnnotations(read_only_hint=True, open_world_hint=False)
WRITES: Final = ToolAnnotations(destructive_hint=False, open_world_hint=False)
_MOST_FAULTS: Final = 3
_ALIKE: Final = 0.75
"""How alike what was sent must be to what was meant, from 0 to 1."""
_ANSWER: Final = {
    "type": "object",
    "properties": {"text": {"type": "string"}, "items": {"type": "array"}},
}
"""What ``calls.Data`` is, in as few words as all tools together can afford."""
_log = logging.getLogger(__name__)


class Tools:
    """The tools of one server.

    Args:
        limits: how much may be asked.
        writing: also take those that write.
        structured: answer programs, too: the same as data, beside the text.

    """

    def __init__(
        self, limits: CallLimits, *, writing: bool = True, structured: bool = False
    ) -> None:
        self.made: list[Tool] = []
        self._limits = limits
        self._writing = writing
        self._structured = structured

    def reading(self, function: Callable[..., Any]) -> None:
        """Add a tool that only reads; its docstring is what assistants read."""
        self._add(function, READS)

    def writing(self, function: Callable[..., Any]) -> None:
        """Add a tool that writes, unless writing is switched off."""
        if self._writing:
            self._add(function, WRITES)

    def _add(self, function: Callable[..., Any], annotations: ToolAnnotations) -> None:
        text = " ".join((function.__doc__ or "").split())
        tool = Tool.from_function(function, description=text, annotations=annotations)
        fields = {name: getattr(tool, name) for name in Tool.model_fields}
        fields["parameters"] = brief(tool.parameters)
        tool.fn_metadata.output_schema = _ANSWER if self._structured else None
        names = list(tool.parameters.get("properties", ()))
        self.made.append(_Bounded(**fields, limits=self._limits, names=names))


class _Bounded(Tool):
    """A tool whose calls are bounded, and checked before anything is done."""

    limits: Any = Field(exclude=True)
    names: list[str] = Field(exclude=True)

    async def run(
        self,
        arguments: dict[str, Any],
        context: Context[Any, Any],
        convert_result: bool = False,  # noqa: FBT001, FBT002  as in the SDK
    ) -> Any:  # noqa: ANN401  likewise
        """Answer a call; every failure is an answer, too."""
        try:
            self.limits.pass_on(arguments, writes=self.annotations is WRITES)
            if fault := self._surplus(arguments):
                return failed(fault)
            checked = self.fn_metadata.validate_arguments(arguments)
            own = {self.context_kwarg: context} if self.context_kwarg else {}
            result = await self.fn_metadata.call_fn(self.fn, self.is_async, checked, own)
            return self.fn_metadata.convert_result(result) if convert_result else result
        except ValidationError as error:
            return failed(_faults(error))
        except MCPError:
            raise
        except GitmemError as error:
            return failed(error_line(error))
        except Exception as error:
            _log.exception("%s failed", self.name)
            raise ToolError(f"{self.name} failed: see the log of gitmem mcp") from error

    def _surplus(self, arguments: dict[str, Any]) -> str:
        for name in arguments:
            if name not in self.names:
                from gitmem.other_settings import explained

                near = get_close_matches(name, self.names, 1, _ALIKE)
                takes = f"it takes {', '.join(self.names)}"
                hint = f"did you mean {near[0]}?" if near else explained(name) or takes
                return f"{self.name} has no argument {quoted(name)} ({hint})"
        return ""


def failed(message: str) -> CallToolResult:
    """Answer that a call was not carried out."""
    return CallToolResult(content=[TextContent(type="text", text=message)], is_error=True)


def error_line(error: GitmemError) -> str:
    """Tell of an error in a line. What it names may be somebody's words, so it is quoted."""
    hint = f" Next: {quoted(as_tools(error.hint))}" if error.hint else ""
    return f"Not done: {quoted(error.message)}{hint}"


def _faults(error: ValidationError) -> str:
    """Tell which arguments are wrong; of their values nothing is repeated."""
    faults = error.errors(include_url=False, include_input=False)
    shown = [
        f"{word('.'.join(map(str, fault['loc']))) or 'arguments'}: {fault['msg']}"
        for fault in faults[:_MOST_FAULTS]
    ]
    more = f"; {len(faults) - _MOST_FAULTS} more" if len(faults) > _MOST_FAULTS else ""
    return f"Not done: {'; '.join(shown)}{more}"


def brief(schema: dict[str, Any]) -> dict[str, Any]:
    """Leave out of a schema what tells an assistant nothing: titles, defaults, bounds, nulls.

    The server checks all of it all the same, and says what is wrong.
    """
    left = {key: value for key, value in schema.items() if key not in _NEEDLESS}
    choices = [choice for choice in left.pop("anyOf", ()) if choice.get("type") != "null"]
    if len(choices) == 1:
        left = {**choices[0], **left}
        left = {key: value for key, value in left.items() if key not in _NEEDLESS}
    elif choices:
        left["anyOf"] = [brief(choice) for choice in choices]
    if "properties" in left:
        left["properties"] = {name: brief(form) for name, form in left["properties"].items()}
    if isinstance(left.get("items"), dict):
        left["items"] = brief(left["items"])
    return left


_NEEDLESS: Final = frozenset(
    {"title", "default", "minimum", "maximum", "additionalProperties", "minLength", "maxLength"}
)
