"""Anchors: which lines records refer to, and which records refer to code that is gone."""
