"""Which model to ask, and where. Pure.

The address is the user's: their setting, or the provider that a model of their own choice is
known by. A team setting may name a model, never a host. Keys come from the environment, and the
key of a provider is sent to that provider alone.
"""

from collections.abc import Mapping
from typing import Final, NamedTuple
from urllib.parse import urlsplit

from gitmem.errors import UsageError

KEY: Final = "GITMEM_LLM_KEY"
_LOCAL: Final = frozenset({"localhost", "127.0.0.1", "::1"})


class ModelProvider(NamedTuple):
    """A provider that is known by name: its address, and the variable with its key."""

    url: str
    key: str


PROVIDERS: Final = {
    "openai": ModelProvider("https://api.openai.com/v1", "OPENAI_API_KEY"),
    "gemini": ModelProvider(
        "https://generativelanguage.googleapis.com/v1beta/openai", "GEMINI_API_KEY"
    ),
    "anthropic": ModelProvider("https://api.anthropic.com/v1", "ANTHROPIC_API_KEY"),
    "ollama": ModelProvider("http://localhost:11434/v1", ""),
}
_BY_NAME: Final = {
    "gpt-": "openai", "o1": "openai", "o3": "openai", "o4": "openai",
    "gemini-": "gemini", "claude-": "anthropic",
}  # fmt: skip
_NAME_IT: Final = "such as: gitmem config llm.model gpt-5-mini --user"


class ModelEndpoint(NamedTuple):
    """A model on a server.

    Attributes:
        url: of the server, up to and with ``/v1``, without a slash at its end.
        model: the model's name there.
        key: sent as a bearer token if not empty.

    """

    url: str
    model: str
    key: str = ""

    @property
    def host(self) -> str:
        """The server's name, with its port where one is named."""
        return urlsplit(self.url).netloc

    @property
    def is_local(self) -> bool:
        """The server is on this machine."""
        return urlsplit(self.url).hostname in _LOCAL


def choose(model: str, url: str, environ: Mapping[str, str], *, own: bool) -> ModelEndpoint:
    """Choose the model and the server.

    Args:
        model: as in the settings; may begin with a provider, as in ``gemini/gemini-2.5-flash``.
        url: address in the user's settings; empty: the provider's.
        environ: for the key.
        own: the user chose the model, not the team.

    Raises:
        UsageError: there is no model, no address, an unsafe one, or no key for it.

    """
    if not model:
        raise UsageError("no language model is set: llm.model is empty", _NAME_IT)
    provider, name = _provider(model)
    if not url:
        if not provider:
            hint = "gitmem config llm.base_url http://localhost:11434/v1 --user"
            raise UsageError(f"the address of the model {model} is not known", hint)
        if not own:
            hint = f"if that is right: gitmem config llm.base_url {PROVIDERS[provider].url} --user"
            raise UsageError(f"the team names the model {model}; its address is missing", hint)
        url = PROVIDERS[provider].url
    url = url.rstrip("/")
    host = _checked(url)
    home = next((name for name, its in PROVIDERS.items() if urlsplit(its.url).netloc == host), "")
    key = environ.get(KEY, "") or environ.get(PROVIDERS[home].key if home else "", "")
    if home and not key and PROVIDERS[home].key:
        hint = f"set {PROVIDERS[home].key} or {KEY} in the environment"
        raise UsageError(f"there is no key for {host}", hint)
    if key and urlsplit(url).scheme == "http" and urlsplit(url).hostname not in _LOCAL:
        hint = f"use https, or leave {KEY} out"
        raise UsageError(f"llm.base_url: a key would go to {host} unencrypted", hint)
    return ModelEndpoint(url, name if provider and provider == home else model, key)


def home(model: str) -> tuple[str, str]:
    """Give the address of the provider that a model is known by, or nothing, and its name there."""
    provider, name = _provider(model)
    return (PROVIDERS[provider].url if provider else ""), name


def _provider(model: str) -> tuple[str, str]:
    """Tell the provider of a model, or nothing, and the model's name there."""
    first, slash, rest = model.partition("/")
    if slash and first in PROVIDERS:
        return first, rest
    return next((its for start, its in _BY_NAME.items() if model.startswith(start)), ""), model


def _checked(url: str) -> str:
    """Give host and port of an address that nothing is wrong with."""
    try:
        parts = urlsplit(url)
        usable = parts.scheme in {"http", "https"} and parts.hostname and parts.port != 0
    except ValueError:
        parts, usable = urlsplit(""), None
    if not usable:
        raise UsageError(
            f"llm.base_url: {url!r} is not an address", "such as http://localhost:11434/v1"
        )
    if parts.username or parts.password or parts.query or parts.fragment:
        raise UsageError("llm.base_url: more than an address", f"put a key into {KEY}")
    return parts.netloc
