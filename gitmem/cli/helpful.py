"""``gitmem helpful``."""

from gitmem.cli.verdict import verdict_command

command = verdict_command("helpful", "helped", "higher")
