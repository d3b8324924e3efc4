"""A module for each page: what it asks the memory, and which template shows it."""
