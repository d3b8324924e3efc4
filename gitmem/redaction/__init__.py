"""Secrets taken out of texts and records before anything is written.

``redact`` takes a text, ``redact_data`` a record as plain data. Importing this package compiles
hardly a pattern: each is compiled when a text holds what it begins with.
"""

from gitmem.redaction.allowed import Allowed
from gitmem.redaction.data import redact_data
from gitmem.redaction.redact import BUDGET, redact
from gitmem.redaction.spans import Redacted, SecretFinding

__all__ = ["BUDGET", "Allowed", "Redacted", "SecretFinding", "redact", "redact_data"]
