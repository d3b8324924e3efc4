"""A small public benchmark: records from outputs of real tools, and questions about them.

README.md in this folder tells the format.
"""
