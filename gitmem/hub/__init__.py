"""Many repositories: what their memories publish, in one engine that is filled from git."""
