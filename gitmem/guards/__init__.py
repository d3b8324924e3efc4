"""Whether a change takes back what a fix did: pure functions over diffs and their tokens."""
