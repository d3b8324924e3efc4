"""What a command takes, as plain values: click is made of them where it is needed.

Importing click and making a command of it takes as long as a search. A line that names options
in full needs neither; help, completion and whatever is typed otherwise is left to click, which
reads the same parameters (``gitmem/cli/base.py``).
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

MARK = "\0"
"""What a filter is marked with for click. No argument of a process can hold it."""


class Parameter(NamedTuple):
    """An option or an argument.

    Attributes:
        names: as they are typed, such as ``--limit``; perhaps the name of the value, too.
        settings: as click takes them, but that a type is a ``Between`` or a tuple of words.
        is_option: it is an option.

    """

    names: tuple[str, ...]
    settings: Mapping[str, Any]
    is_option: bool

    @property
    def target(self) -> str:
        """The name of the value: the one without dashes, or else of the longest option."""
        given = next((name for name in self.names if not name.startswith("-")), "")
        return given or max(self.names, key=len).lstrip("-").replace("-", "_")

    def value(self, text: str) -> Any:  # noqa: ANN401
        """Give what a text says; None if it says none of what is allowed."""
        allowed = self.settings.get("type")
        if isinstance(allowed, Between):
            return allowed.value(text)
        return text if allowed is None or text in allowed else None


class Between(NamedTuple):
    """A number from ``low`` to ``high``."""

    low: float
    high: float | None = None
    whole: bool = True

    def value(self, text: str) -> float | None:
        """Read a number; None if it is none of these."""
        try:
            number = int(text) if self.whole else float(text)
        except ValueError:
            return None
        high = number if self.high is None else self.high
        return number if self.low <= number <= high else None


class Plain:
    """A command that is called without click, or a click command is made of it.

    Args:
        name: of the command.
        function: what it does; it takes the app, and the values by name.
        parameters: what it takes, in the order of its help.
        own_options_first: whatever follows the first word is a word.
        passes_on: an option that it does not know is a word.

    """

    def __init__(
        self,
        name: str,
        function: Callable[..., Any],
        parameters: Sequence[Parameter],
        *,
        own_options_first: bool = False,
        passes_on: bool = False,
    ) -> None:
        self.name = name
        self.function = function
        self.parameters = parameters
        self.own_options_first = own_options_first
        self.passes_on = passes_on

    def read(self, line: Sequence[str]) -> dict[str, Any] | None:
        """Read the arguments; None where click is to say what they mean, or what is wrong."""
        options = read_options(self.parameters, line, stops=self.own_options_first)
        if options is None:
            return None
        values, words = options
        for parameter in self.parameters:
            if not parameter.is_option:
                if parameter.settings.get("required") and not words:
                    return None
                values[parameter.target] = tuple(words)
                words = []
        return None if words else values


def read_options(
    parameters: Sequence[Parameter], line: Sequence[str], *, stops: bool
) -> tuple[dict[str, Any], list[str]] | None:
    """Give the values of options by name, and the words beside them.

    None: an option is abbreviated, not known, lacks its value or has another one than is allowed.

    Args:
        parameters: whose options are read.
        line: arguments of the command line.
        stops: the first word ends the options.

    """
    options = {name: each for each in parameters if each.is_option for name in each.names}
    values = {each.target: _unset(each) for each in options.values()}
    words: list[str] = []
    rest = iter(line)
    for arg in rest:
        if arg == "--" or (stops and not _is_option(arg)):
            words += rest if arg == "--" else (arg, *rest)
            return None if not stops and any(map(_is_option, words)) else (values, words)
        if not _is_option(arg):
            words.append(arg)
            continue
        name, equals, text = arg.partition("=")
        option = options.get(name)
        if option is None or (option.settings.get("is_flag") and equals):
            return None
        if option.settings.get("is_flag"):
            values[option.target] = True
            continue
        if not equals:
            text = next(rest, "-")
            if text.startswith("-"):
                return None
        value = option.value(text)
        if value is None:
            return None
        if option.settings.get("multiple"):
            value = (*values[option.target], value)
        values[option.target] = value
    return values, words


def _is_option(arg: str) -> bool:
    return arg[:1] == "-" and arg != "-" and not is_filter(arg)


def _unset(option: Parameter) -> Any:  # noqa: ANN401
    if option.settings.get("is_flag"):
        return False
    return () if option.settings.get("multiple") else option.settings.get("default")


def is_filter(argument: str) -> bool:
    """Tell whether an argument excludes by a filter: ``-author:ann``."""
    word, colon, _ = argument[1:].partition(":")
    return argument[:1] == "-" and bool(colon) and len(word) > 1 and word.isalpha()


def option(*names: str, **settings: Any) -> Callable[[Any], Any]:  # noqa: ANN401
    """Add an option to a command, with the names and settings of ``click.option``."""
    return _adding(Parameter(names, settings, is_option=True))


def argument(*names: str, **settings: Any) -> Callable[[Any], Any]:  # noqa: ANN401
    """Add an argument to a command, with the name and settings of ``click.argument``."""
    return _adding(Parameter(names, settings, is_option=False))


def _adding(parameter: Parameter) -> Callable[[Any], Any]:
    def add(function: Any) -> Any:  # noqa: ANN401
        # The name under which click's decorators of commands look for them, last one first.
        vars(function).setdefault("__click_params__", []).append(parameter)
        return function

    return add


def plain(name: str, **settings: bool) -> Callable[[Callable[..., Any]], Plain]:
    """Make a command that needs no click; see ``Plain``."""

    def make(function: Callable[..., Any]) -> Plain:
        parameters = vars(function).pop("__click_params__", [])
        return Plain(name, function, parameters[::-1], **settings)

    return make
