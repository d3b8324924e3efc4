"""Real PostgreSQL servers in temporary folders, run as a user without rights."""

import os
import pwd
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from glob import glob
from pathlib import Path

import psycopg

WHY_NOT = "no PostgreSQL server here; make test-hub installs one"
_SETTINGS = """\
listen_addresses = '127.0.0.1'
fsync = off
synchronous_commit = on
full_page_writes = off
max_connections = 60
shared_buffers = 64MB
max_wal_senders = 5
wal_keep_size = 64MB
autovacuum = off
log_min_messages = fatal
"""


def binaries() -> str:
    """Give the folder of the server's programs; empty if there is none."""
    found = shutil.which("initdb")
    if found:
        return os.path.dirname(os.path.realpath(found))
    folders = sorted(glob("/usr/lib/postgresql/*/bin"), key=lambda one: int(one.split("/")[4]))
    return folders[-1] if folders else ""


def free_port() -> int:
    with socket.socket() as door:
        door.bind(("127.0.0.1", 0))
        port: int = door.getsockname()[1]
        return port


class Server:
    """One server. ``stop`` it at the end, or ``kill`` it for a test."""

    def __init__(self, folder: str, port: int) -> None:
        self.folder = folder
        self.port = port
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        self.process = _as_user(
            [f"{binaries()}/postgres", "-D", self.folder, "-p", str(self.port), "-k", self.folder],
            self.folder,
        )
        end = time.monotonic() + 60
        while True:
            try:
                psycopg.connect(self.address(), connect_timeout=2).close()
            except psycopg.OperationalError:
                if time.monotonic() > end or self.process.poll() is not None:
                    raise
                time.sleep(0.05)
            else:
                return

    def address(self, database: str = "postgres") -> str:
        return f"host=127.0.0.1 port={self.port} dbname={database} user=hub"

    def url(self, database: str = "postgres") -> str:
        return f"postgresql://hub@127.0.0.1:{self.port}/{database}"

    def run(self, statement: str, database: str = "postgres") -> list[tuple[object, ...]]:
        with psycopg.connect(self.address(database), autocommit=True) as connection:
            cursor = connection.execute(statement)
            return cursor.fetchall() if cursor.description else []

    def kill(self) -> None:
        """End it as a power cut does: at once, with all its processes."""
        if self.process:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()
            self.process = None

    def promote(self) -> None:
        self.run("SELECT pg_promote()")

    def stop(self) -> None:
        if self.process and self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
            try:
                self.process.wait(20)
            except subprocess.TimeoutExpired:
                self.kill()
        shutil.rmtree(os.path.dirname(self.folder), ignore_errors=True)


def primary() -> Server:
    """Start a server of its own."""
    folder = _new_folder()
    options = ["-U", "hub", "-A", "trust", "-E", "UTF8", "--locale=C.UTF-8", "--no-sync"]
    _wait(_as_user([f"{binaries()}/initdb", "-D", folder, *options], folder))
    with Path(folder, "postgresql.conf").open("a") as settings:
        settings.write(_SETTINGS)
    server = Server(folder, free_port())
    server.start()
    return server


def standby(of: Server) -> Server:
    """Start a server that follows another one."""
    folder = _new_folder()
    Path(folder).rmdir()
    there = ["-h", "127.0.0.1", "-p", str(of.port), "-U", "hub"]
    copying = [f"{binaries()}/pg_basebackup", "-D", folder, *there, "-R", "-c", "fast", "--no-sync"]
    _wait(_as_user(copying, of.folder))
    server = Server(folder, free_port())
    server.start()
    return server


def _new_folder() -> str:
    base = tempfile.mkdtemp(prefix="gitmem-pg-", dir="/var/tmp")  # its user must get in
    user = _user()
    if user:
        os.chown(base, user.pw_uid, user.pw_gid)
    folder = os.path.join(base, "data")
    os.mkdir(folder, 0o700)
    if user:
        os.chown(folder, user.pw_uid, user.pw_gid)
    return folder


def _user() -> pwd.struct_passwd | None:
    """Say as whom a server runs: it refuses to be run by root."""
    if os.getuid():
        return None
    for name in ("postgres", "nobody"):
        try:
            return pwd.getpwnam(name)
        except KeyError:
            continue
    return None


def _as_user(command: list[str], cwd: str) -> "subprocess.Popen[bytes]":
    user = _user()
    environment = {"PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8", "HOME": cwd}
    return subprocess.Popen(
        command,
        cwd=os.path.dirname(cwd),
        env=environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE if "initdb" in command[0] else subprocess.DEVNULL,
        start_new_session=True,
        user=user.pw_uid if user else None,
        group=user.pw_gid if user else None,
        extra_groups=[] if user else None,
    )


def _wait(process: "subprocess.Popen[bytes]") -> None:
    said = process.communicate()[1] or b""
    if process.returncode:
        raise RuntimeError(said.decode(errors="replace"))
