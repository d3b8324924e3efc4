"""Nearness in meaning: records and questions as vectors. An extra; without it nothing is lost.

``protocol`` says what an embedder can do; ``words`` is the built-in one, a static table of
word vectors read from an installed package without a network; ``endpoint`` asks a server
that speaks the OpenAI embeddings protocol. ``vectors`` keeps what they gave, beside the index.
"""
