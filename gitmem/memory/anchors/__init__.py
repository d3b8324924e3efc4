"""Which lines records speak of, and which records speak of code that is gone."""
