"""Messages of commits, as they may be shown."""


def shown_subject(subject: str) -> str:
    """Give a commit's message, or its first line, without the secrets that somebody wrote there."""
    from gitmem.redaction import redact

    return redact(subject, environ={}).text
