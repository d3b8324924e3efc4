"""Advice and context: what is known, weighed for the next attempt; and work watched as a task."""
