"""The catalog: one SQLite file, derived from the record files, for every structured question."""
