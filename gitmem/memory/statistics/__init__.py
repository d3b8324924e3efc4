"""Statistics: what errors, attempts and sessions come to."""
