"""All use of git. The only package that knows GitPython, and imports it lazily.

Importing this package imports nothing; ``places`` starts no process and is cheap enough for
every command, ``command`` starts git itself, ``repository`` is GitPython.
"""
