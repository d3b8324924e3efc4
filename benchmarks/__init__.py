"""Benchmarks: made-up memories of any size, and how fast gitmem is on them.

``python -m benchmarks`` from the root of the repository; see docs/performance.md.
"""
