"""One module for each tool: lines in, failures out. Imported by the registry when needed.

Each module has ``parse(lines, at, floor)``: ``at`` is the index of a line that holds one of
the words the registry lists for it, ``floor`` the first line that is still free. It gives
:class:`gitmem.matching.failure.ParserResult`, or None where the words meant something else.
"""
