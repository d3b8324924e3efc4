"""Failures: recognised, matched with what is known, observed, tried on, captured."""
