"""What questions to the memory are answered with: the values that every face renders."""

from gitmem.answers.changes import (
    Attempted,
    Concerned,
    Description,
    Differences,
    Ran,
    Review,
    Tried,
    Turn,
)
from gitmem.answers.found import Branches, Found, SearchHit, Seeded, Shown, Standing
from gitmem.answers.places import Held, History, Lines, Placed, Regression, Source, Touch, Wanted

__all__ = [
    "Attempted",
    "Branches",
    "Concerned",
    "Description",
    "Differences",
    "Found",
    "Held",
    "History",
    "Lines",
    "Placed",
    "Ran",
    "Regression",
    "Review",
    "SearchHit",
    "Seeded",
    "Shown",
    "Source",
    "Standing",
    "Touch",
    "Tried",
    "Turn",
    "Wanted",
]
