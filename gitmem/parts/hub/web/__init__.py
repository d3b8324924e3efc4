"""The hub over HTTP: questions of developers, and what hosts of repositories say was pushed."""
