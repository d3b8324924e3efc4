"""Stands for ``gitmem`` where a program is wanted, and lets a process that has it loaded run it.

Its arguments are the socket of that process (``tests/e2e/forks.py``) and those of the command.
Standard streams, folder and environment are handed on, and so are signals that ask to end.
"""

import json
import os
import signal
import socket
import sys

assert sys.platform != "win32"  # it needs signals, forks or terminals of Unix


def main(address: str, arguments: list[str]) -> int:
    mask = os.umask(0)
    os.umask(mask)
    request = json.dumps(
        {"folder": os.getcwd(), "arguments": arguments, "env": dict(os.environ), "mask": mask}
    ).encode()
    with socket.socket(socket.AF_UNIX) as replies:
        replies.connect(address)
        socket.send_fds(replies, [len(request).to_bytes(4, "big")], [0, 1, 2])
        replies.sendall(request)
        child = number(replies)
        for name in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            signal.signal(name, lambda received, _: os.kill(child, received))
        # Who waits for the end of a stream waits for the command alone.
        for stream in range(3):
            os.close(stream)
        return number(replies)


def number(replies: socket.socket) -> int:
    data = b""
    while len(data) < 4:
        part = replies.recv(4 - len(data))
        if not part:
            sys.exit("the process that runs commands is gone")
        data += part
    return int.from_bytes(data, "big", signed=True)


if __name__ == "__main__":
    code = main(sys.argv[1], sys.argv[2:])
    if code < 0:
        signal.signal(-code, signal.SIG_DFL) if -code != signal.SIGKILL else None
        os.kill(os.getpid(), -code)
    os._exit(code)
