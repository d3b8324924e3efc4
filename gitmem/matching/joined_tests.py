"""What is read of an output's failures, and of the tests that it says have failed, as one."""

from collections.abc import Mapping, Sequence
from typing import Final

from gitmem.lazy_pattern import lazily
from gitmem.output.failure import Failure, FailureLocation

_SUITE: Final = lazily(r" [\u203a>] ")


def joined(failures: Sequence[Failure], tests: Sequence[Failure]) -> list[Failure]:
    """Give what a tool reads the tests that it does not name, or what it does not say of them.

    Args:
        failures: as a tool reads them.
        tests: what is said of each test that failed.

    """
    if any(each.test for each in failures):
        return with_places(failures, tests)
    return with_tests(failures, tests) if tests else list(failures)


def with_tests(failures: Sequence[Failure], tests: Sequence[Failure]) -> list[Failure]:
    """Give failures that were read the tests they are of, and the tests that none of them is of.

    What was only guessed of a line is left out where it is a part of what is said of a test.

    Args:
        failures: as a language prints them, and guesses; none has a test.
        tests: what is said of each test that failed.

    """
    named: list[Failure] = []
    left = list(tests)
    for failure in failures:
        if not failure.language:
            if not any(_quotes(each, failure) for each in tests):
                named.append(failure)
            continue
        test = next((each for each in left if _is_of(failure, each)), None)
        if test:
            left.remove(test)
        own = next((each for each in reversed(failure.frames) if each.in_app and each.file), None)
        stepped = FailureLocation(own.file, own.line, None, own.code) if own else None
        place = failure.location or stepped or (test.location if test else None)
        named.append(failure._replace(test=test.test, location=place) if test else failure)
    # Where none of them is of a test it is not said that these are of what is told here.
    return [*named, *left] if len(left) < len(tests) else list(failures)


def beside(failures: Sequence[Failure], tests: Sequence[Failure]) -> list[Failure]:
    """Give the guesses at lines with a place that no test is about: what did not compile."""
    files = {each.location.file for each in tests if each.location}
    return [
        each
        for each in failures
        if each.location
        and each.location.line
        and each.severity == "error"
        and each.location.file not in files
        and not any(_quotes(test, each) for test in tests)
    ]


def with_places(failures: Sequence[Failure], tests: Sequence[Failure]) -> list[Failure]:
    """Give tests of which a stream says only that they failed what is said of them elsewhere."""
    placed = {each.test.name: each for each in tests if each.test and each.location}
    return [_filled(each, placed) for each in failures]


def _filled(failure: Failure, placed: Mapping[str, Failure]) -> Failure:
    test = failure.test
    silent = test and not (failure.location or failure.frames or test.expected or test.actual)
    if not (test and silent and failure.message == f"{test.name} failed"):
        return failure
    last = _SUITE.split(test.name)[-1]
    own = placed.get(test.name) or placed.get(last)
    if not (own and own.test):
        return failure
    return failure._replace(
        error_type=own.error_type,
        message=own.message,
        location=own.location,
        test=own.test._replace(name=test.name),
    )


def _quotes(test: Failure, guess: Failure) -> bool:
    """Tell whether a guess was made of a line that is said of a test."""
    first = guess.message.partition("\n")[0]
    return not first or first in test.excerpt


def _is_of(failure: Failure, test: Failure) -> bool:
    first = failure.message.partition("\n")[0]
    if first and first in test.excerpt:
        return True
    place = test.location
    lines = [(frame.file, frame.line) for frame in failure.frames]
    return place is not None and (place.file, place.line) in lines
