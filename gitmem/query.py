"""The query language of ``gitmem search``: words, "phrases", filters, -excluded, fuzzy~."""
