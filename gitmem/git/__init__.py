"""All use of git. ``command`` starts it; everything else asks through that.

Importing this package imports nothing; ``git_dirs`` starts no process and is cheap enough for
every command.
"""
