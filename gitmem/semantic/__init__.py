"""Semantic similarity of records and questions by vectors: an extra, never required.

``protocol`` says what an embedder can do; ``words`` is the built-in one, a static table of
word vectors read from an installed package without a network; ``endpoint`` asks a server
that speaks the OpenAI embeddings protocol. ``vectors`` keeps what they gave, beside the index.
"""
