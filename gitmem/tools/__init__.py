"""What gitmem knows of tools: one module a tool, and nothing of a tool elsewhere.

``base`` says what can be known of a tool, ``choice`` finds the tool for a word, a program or a
name, ``common`` has what several share. A tool is imported when its words are met, never before.
"""
