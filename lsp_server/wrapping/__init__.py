"""Another language server, wrapped: its messages pass, and what gitmem knows joins its answers."""
