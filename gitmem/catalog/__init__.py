"""The catalog: one SQLite file, derived from the records, that answers structured questions."""
