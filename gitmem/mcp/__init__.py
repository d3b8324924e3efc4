"""The memory for coding assistants: tools, resources and prompts of the Model Context Protocol.

A thin face: it finds the repository of a call, asks ``Memory``, and puts the answer into few
tokens.
"""
