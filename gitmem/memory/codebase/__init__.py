"""The project around the memory: its files, its profile, its graph, its assistants."""
