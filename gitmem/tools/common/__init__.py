"""What several tools share: forms of traces, test points and blocks, and how lines are read."""
