"""Learning from records: pure functions over rows that others have read."""
