"""gitmem: a repository that remembers."""
