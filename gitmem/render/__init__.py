"""Records, hits and problems as text for people and as JSON for programs."""
