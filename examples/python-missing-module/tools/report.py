"""Started as ``python3 tools/report.py`` it can't import ``billing``, one folder above it."""

import billing

print(f"total: {billing.total()} cents")
