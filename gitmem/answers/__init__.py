"""Values that questions to the memory return, and that every face renders."""

from gitmem.answers.changes import (
    Attempted,
    CheckedAttempt,
    Concerned,
    Description,
    Differences,
    Ran,
    Review,
    Turn,
)
from gitmem.answers.found import Branches, SearchHit, SearchResult, Seeded, Shown, Standing
from gitmem.answers.places import (
    FileHistory,
    Held,
    Lines,
    Placed,
    RecordOrigin,
    Regression,
    Touch,
    Wanted,
)
from gitmem.answers.solutions import Solution

__all__ = [
    "Attempted",
    "Branches",
    "CheckedAttempt",
    "Concerned",
    "Description",
    "Differences",
    "FileHistory",
    "Held",
    "Lines",
    "Placed",
    "Ran",
    "RecordOrigin",
    "Regression",
    "Review",
    "SearchHit",
    "SearchResult",
    "Seeded",
    "Shown",
    "Solution",
    "Standing",
    "Touch",
    "Turn",
    "Wanted",
]
