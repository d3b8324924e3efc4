"""What a vision model read in a picture, as lines."""

from collections.abc import Iterator

from gitmem.llm.answers import Diagram, Screenshot, Seen

Styled = tuple[str, tuple[str, ...]]


def lines(answer: Seen) -> Iterator[Styled]:
    """Give the lines of an answer, each with its styles."""
    if isinstance(answer, Screenshot):
        head = ": ".join(filter(None, (answer.error_type, answer.message)))
        yield f"{head} (it says: confidence {answer.confidence})", ("bold",)
        if answer.file:
            yield f"at {answer.file}" + (f":{answer.line}" if answer.line else ""), ()
        yield from ((f"frame: {frame}", ()) for frame in answer.key_frames)
        yield f"suspected cause: {answer.suspected_cause}", ()
        yield from _code(answer.visible_code)
    elif isinstance(answer, Diagram):
        yield f"architecture pattern: {answer.architecture_pattern}", ("bold",)
        yield f"components: {', '.join(answer.components)}", ()
        yield from ((f"connection: {connection}", ()) for connection in answer.connections)
        yield from ((f"note: {note}", ()) for note in answer.notes)
    else:
        yield f"code: {answer.language or 'language unknown'} {answer.file}".rstrip(), ("bold",)
        yield from _code(answer.code)
        yield from ((f"unreadable: {path}", ()) for path in answer.unreadable)


def _code(text: str) -> Iterator[Styled]:
    yield from ((line.rstrip(), ()) for line in text.rstrip("\n").split("\n") if text)
