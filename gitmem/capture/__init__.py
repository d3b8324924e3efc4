"""What happens around a command: run it, keep what it said, take the secrets out."""
