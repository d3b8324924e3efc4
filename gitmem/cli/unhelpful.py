"""``gitmem unhelpful``."""

from gitmem.cli.verdict import verdict_command

command = verdict_command("unhelpful", "did not help", "lower")
