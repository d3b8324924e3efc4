"""Make pictures of screens small: a palette holds all colours that can be told apart in them.

python scripts/shrink_pictures.py PICTURE...
"""

import sys
from pathlib import Path

from PIL import Image

COLOURS = 256


def shrink(path: Path) -> int:
    """Write a picture again, with a palette; give its size."""
    with Image.open(path) as picture:
        drawn = picture.convert("RGB")
    small = drawn.quantize(COLOURS, method=Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE)
    small.save(path, optimize=True)
    return path.stat().st_size


if __name__ == "__main__":
    total = sum(shrink(Path(name)) for name in sys.argv[1:])
    print(f"{len(sys.argv) - 1} pictures, {total // 1000} kB")
