"""What is shown while somebody works: lists, pages, completions, templates."""
