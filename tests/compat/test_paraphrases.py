"""Errors are recalled by what people call them, without any model: by words and other names.

With the extra's sentence model, which is the one that Chroma uses, 23 of these 24 were among the
first three; a model is nothing that tests load.
"""

import asyncio
from typing import TYPE_CHECKING

from gitmem.compat.coding import coding_search_errors
from gitmem.compat.swarm import persistent_memory

if TYPE_CHECKING:
    from tests.conftest import Checkout

LEAST = 20
"""Of 24, among the first three; 10 were before the table of other names knew errors."""
PAIRS = [
    (
        "TypeError: can't compare offset-naive and offset-aware datetimes",
        "comparing dates fails because one has no time zone",
    ),
    (
        "ModuleNotFoundError: No module named 'fastapi'",
        "cannot import the web framework, package is missing",
    ),
    ("ConnectionRefusedError: [Errno 111] Connection refused", "nothing is listening on the port"),
    ("asyncio.TimeoutError", "coroutine took too long to finish"),
    ("KeyError: 'user_id'", "dictionary does not contain the user id"),
    ("RecursionError: maximum recursion depth exceeded", "function keeps calling itself forever"),
    (
        "MemoryError: Unable to allocate 8.2 GiB for an array",
        "process runs out of RAM with a big matrix",
    ),
    (
        "UnicodeDecodeError: 'utf-8' codec can't decode byte 0xff",
        "file has a strange character encoding",
    ),
    (
        "PermissionError: [Errno 13] Permission denied: '/var/log/app.log'",
        "not allowed to write the log file",
    ),
    (
        "sqlalchemy.exc.IntegrityError: UNIQUE constraint failed: users.email",
        "mail address is already taken when registering",
    ),
    ("psycopg.OperationalError: too many clients already", "database has run out of connections"),
    ("ssl.SSLCertVerificationError: certificate has expired", "https certificate is out of date"),
    ("OSError: [Errno 28] No space left on device", "disk is full"),
    (
        "jwt.exceptions.ExpiredSignatureError: Signature has expired",
        "login token is no longer valid",
    ),
    (
        "json.decoder.JSONDecodeError: Expecting value: line 1 column 1",
        "server answered with something that is not JSON",
    ),
    ("ZeroDivisionError: division by zero", "average of an empty list"),
    ("IndexError: list index out of range", "accessing past the end of an array"),
    (
        "AttributeError: 'NoneType' object has no attribute 'name'",
        "value is null when reading its name",
    ),
    (
        "CORS policy: No 'Access-Control-Allow-Origin' header is present",
        "browser blocks the cross-domain request",
    ),
    (
        "error: failed to push some refs to 'origin' (non-fast-forward)",
        "git refuses to upload my commits",
    ),
    (
        "docker: Error response from daemon: port is already allocated",
        "container cannot start, address in use",
    ),
    (
        "npm ERR! ERESOLVE unable to resolve dependency tree",
        "package versions conflict when installing node modules",
    ),
    ("Segmentation fault (core dumped)", "program crashes on an invalid pointer"),
    (
        "celery.exceptions.WorkerLostError: Worker exited prematurely: signal 9 (SIGKILL)",
        "background job was killed",
    ),
]


def test_s2_47_s4_63_an_error_is_recalled_by_what_people_call_it(here: "Checkout") -> None:
    async def recalled() -> tuple[list[str], list[str]]:
        # What was done says nothing of the question: the error alone is to be found by it.
        done = {message: f"mended as number {number}" for number, (message, _) in enumerate(PAIRS)}
        for message, _ in PAIRS:
            await persistent_memory.store_error_resolution(message, "", done[message])
        for_swarm, for_assistant = [], []
        for message, question in PAIRS:
            fixes = await persistent_memory.recall_error_solutions(question, 3)
            for_swarm += [message for fix in fixes if fix.content == done[message]]
            errors = await coding_search_errors("ann", "shop", question, 3)
            for_assistant += [message for error in errors if error["solution"] == done[message]]
        return for_swarm, for_assistant

    for_swarm, for_assistant = asyncio.run(recalled())
    assert len(for_swarm) >= LEAST, sorted({message for message, _ in PAIRS} - set(for_swarm))
    assert for_assistant == for_swarm
