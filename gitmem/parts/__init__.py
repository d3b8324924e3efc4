"""Parts that stand beside the core, which imports none of them: see ``gitmem.part``."""
