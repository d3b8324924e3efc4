"""Recall across repositories: the same failure in several of them, asked about from another one.

``docs/hub-recall.md`` says what is measured, and how to read it.
"""
