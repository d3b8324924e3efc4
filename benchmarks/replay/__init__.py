"""A history's real fixes, made once more under ``gitmem run``, and what was learnt of them."""
