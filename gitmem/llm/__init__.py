"""Language models, an extra: where one is, what to ask, what it answered, and what that cost."""
