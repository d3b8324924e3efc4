"""Records: typed values, how they are written down, and what can be wrong with a file.

Pure: no clock, no random source, no disk. Importing this package imports nothing; take
what you need from its modules (``kinds``, ``parts``, ``convert``, ``layout``, ``ids``).
"""
