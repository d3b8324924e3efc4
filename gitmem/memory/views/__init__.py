"""What is looked at while one works: lists, pages, completions, templates."""
