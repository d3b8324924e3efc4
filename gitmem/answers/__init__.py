"""Values that questions to the memory return, and that every face renders."""

from gitmem.answers.changes import (
    AttemptedError,
    CheckedAttempt,
    CheckRun,
    ConcernedRecord,
    Description,
    Differences,
    Review,
    StatusChange,
)
from gitmem.answers.found import Branches, SearchHit, SearchResult, Seeded, Shown, Standing
from gitmem.answers.places import (
    FileHistory,
    FoundLines,
    Lines,
    PlacedAnchor,
    RecordAnchor,
    RecordOrigin,
    Regression,
    Touch,
)
from gitmem.answers.solutions import Solution

__all__ = [
    "AttemptedError",
    "Branches",
    "CheckRun",
    "CheckedAttempt",
    "ConcernedRecord",
    "Description",
    "Differences",
    "FileHistory",
    "FoundLines",
    "Lines",
    "PlacedAnchor",
    "RecordAnchor",
    "RecordOrigin",
    "Regression",
    "Review",
    "SearchHit",
    "SearchResult",
    "Seeded",
    "Shown",
    "Solution",
    "Standing",
    "StatusChange",
    "Touch",
]
