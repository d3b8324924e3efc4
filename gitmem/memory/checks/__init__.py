"""Health checks: files, derived state, and every way in and out, tried for real."""
