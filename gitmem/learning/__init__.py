"""What records teach: pure functions over rows that others have read."""
