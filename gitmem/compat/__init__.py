"""The path by which programs import what stands in ``gitmem.parts.compat``."""
