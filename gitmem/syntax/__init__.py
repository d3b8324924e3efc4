"""Source code as syntax trees of one form for all languages."""
