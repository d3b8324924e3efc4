"""Language models (an extra): where one is, prompts, answers, and what they cost."""
