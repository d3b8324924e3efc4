"""What every part of a memory stands on: where it is, its files, its derived state."""
