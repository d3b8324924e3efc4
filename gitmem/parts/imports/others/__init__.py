"""Memories of other tools, as records. Pure, but for the one that is an SQLite file."""
