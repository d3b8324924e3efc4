"""All use of git.

Importing this package imports nothing; ``git_dirs`` starts no process and is cheap enough for
every command, ``command`` starts git itself.
"""
