"""What came of an attempt on an issue of a model or a service. Pure."""


def outcome(*, applied: bool | None, verified: bool | None) -> str:
    """Say what came of a fix: it worked only if it was applied and seen to help.

    Args:
        applied: it was put into place; None: nobody said.
        verified: it was seen to help (or not to); None: nobody looked.

    """
    if applied is False or verified is False:
        return "failed"
    return "worked" if verified else "unverified"
