"""OCR with rapidocr-onnxruntime, whose models come in its package. Its only user."""

import importlib.util
import logging
import os
import sys
from functools import cache
from typing import Any, Final

from gitmem.errors import EnvironmentProblem, install
from gitmem.pictures.images import Box

PACKAGE: Final = "rapidocr_onnxruntime"
_SILENT: Final = "ORT_DISABLE_TELEMETRY"
HEIGHT: Final = 48
"""The height of a line, in pixels, that the model was taught with."""
_LARGEST_SIDE: Final = 8_000


def installed() -> bool:
    """Tell whether pictures can be read here, without loading anything."""
    return all(importlib.util.find_spec(name) for name in (PACKAGE, "PIL"))


def how_to_install() -> str:
    """Say what to do where pictures can't be read."""
    if sys.version_info >= (3, 13):
        return "the reader has no release for Python 3.13 yet: use 3.11 or 3.12"
    return install("ocr")


class PictureReader:
    """Finds lines in a picture and reads them. Nothing is fetched, nothing leaves the machine."""

    def __init__(self) -> None:
        if not installed():
            raise EnvironmentProblem("pictures can't be read here", how_to_install())
        # Its engine would tell its maker of each start and picture, and write an id of this
        # machine into the folder for temporary files (onnxruntime from 1.29 on).
        os.environ[_SILENT] = "1"
        from rapidocr_onnxruntime import RapidOCR

        logging.getLogger("RapidOCR").setLevel(logging.ERROR)
        # Lines are small: a second thread doubles what it costs and saves little time.
        self._model: Any = RapidOCR(
            max_side_len=_LARGEST_SIDE, intra_op_num_threads=1, inter_op_num_threads=1
        )

    def boxes(self, data: bytes, factor: float = 1) -> list[Box]:
        """Find where there is text.

        Args:
            data: a picture file that passed the checks of ``images.load``.
            factor: by which it was enlarged; boxes are given in the size before.

        """
        detected, _ = self._model(data, use_det=True, use_cls=False, use_rec=False)
        boxes = []
        for corners in detected or ():
            across = [int(x / factor) for x, _ in corners]
            down = [int(y / factor) for _, y in corners]
            box = Box(min(across), min(down), max(across) + 1, max(down) + 1)
            boxes.append(box)
        return boxes

    def line(self, data: bytes) -> tuple[str, float]:
        """Read one line: its text, and how sure that is, from 0 to 1."""
        lines, _ = self._model(data, use_det=False, use_cls=False, use_rec=True)
        text, score = lines[0] if lines else ("", 0.0)
        return str(text), float(score)


@cache
def reader() -> PictureReader:
    """Give the reader; its models are loaded once a process."""
    return PictureReader()
