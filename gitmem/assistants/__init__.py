"""Coding assistants: where a project registers servers for each, and edits of such files. Pure.

An edit changes as little text as it can, and can be taken back: what was put in tells by its form
what stood there before, so that taking it out gives the same characters again.
"""
