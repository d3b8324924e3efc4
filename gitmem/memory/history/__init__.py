"""What git knows: revisions, ranges, provenance, blame, hooks and merges."""
