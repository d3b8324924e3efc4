"""Settings of the memories that gitmem replaces: their names here, or what replaces them."""

from typing import Final

HERE: Final = {
    "max_session_duration_hours": "session.max_hours",
    "model": "llm.model",
    "vision_model": "llm.vision_model",
    "auto_approve": "llm.auto_approve",
    "cost_threshold": "llm.cost_threshold",
    "max_monthly_budget_usd": "llm.monthly_budget",
    "warn_at_percentage": "llm.warn_at_percentage",
    "pattern_retention_limit": "retention.pattern_limit",
    "solution_retention_limit": "retention.solution_limit",
}
REPLACED: Final = {
    "enabled": "a memory is enabled by gitmem init, and its tools by gitmem setup",
    "auto_summarize_on_end": (
        "each session ends with a summary of the facts; "
        "gitmem session end --summarise also asks your model"
    ),
    "enable_pattern_learning": (
        "patterns are counted when you ask: gitmem code profile, gitmem stats recurring"
    ),
    "enable_rag": (
        "words and their synonyms are always searched; closeness in meaning is semantic.embedder"
    ),
    "enable_compression": "answers keep within a budget of tokens: gitmem context --budget",
    "enable_graph": "links of records make the graph, which is always there: gitmem code graph",
    "persist_dir": "records are files in .memory/ of the repository; name its folder: folder=",
    "similarity_threshold": "set it on a learner of gitmem.compat.learning",
    "confidence_boost_factor": "set it on a learner of gitmem.compat.learning",
}


def explained(key: str) -> str:
    """Say what an unknown setting is called here, or what replaces it; empty: it is not known."""
    name = key.rpartition(".")[2].lower()
    return f"it is the setting {HERE[name]}" if name in HERE else REPLACED.get(name, "")
