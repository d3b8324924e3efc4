"""Options that several tools share: they mean the same wherever they stand."""

from typing import Final

BUILD_SHOWS: Final = (
    r"-s|--silent|--quiet|-w|--(?:no-)?print-directory|-j\d*|--jobs(?:=\d+)?|-k|--keep-going"
    r"|V(?:ERBOSE)?=\d"
)
"""Options of what builds targets that change what is printed, or where it ends."""
