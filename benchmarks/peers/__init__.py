"""Adapters: one module a memory system, each a process that speaks JSON lines.

benchmarks/recall/RESULTS.md tells the protocol. peers.toml names the systems and what they need.
"""
