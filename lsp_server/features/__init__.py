"""What the server does for an editor, one module a feature."""
