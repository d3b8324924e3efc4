"""The search pipeline: what the memory knows about a text or a failure.

``pipeline`` goes from the question to ranked records, ``stories`` brings an error and its fix
together, ``facts`` says what this repository adds to a score, ``levels`` what equal
fingerprints do. What anything is worth stands in ``weights``.
"""
