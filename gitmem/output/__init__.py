"""What is read of an output, as values: failures, how tests ended, excerpts, names of tests."""
