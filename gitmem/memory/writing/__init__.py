"""Records made from plain fields and written as files, or kept as drafts."""
