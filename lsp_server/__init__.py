"""The language server: memory in any editor. Start it with ``gitmem lsp``."""
