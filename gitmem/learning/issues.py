"""Normalises issues of models and services, so that they can be compared. Pure."""


def family(subject: str) -> str:
    """Give the family of a subject: ``qwen2.5`` for ``qwen2.5:7b``."""
    return subject.partition(":")[0].strip().lower()


def outcome(*, applied: bool | None, verified: bool | None) -> str:
    """Say what came of a fix: it worked only if it was applied and seen to help.

    Args:
        applied: it was put into place; None: nobody said.
        verified: it was seen to help (or not to); None: nobody looked.

    """
    if applied is False or verified is False:
        return "failed"
    return "worked" if verified else "unverified"
