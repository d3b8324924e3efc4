"""Source code as trees of one form, whatever language it is in."""
