"""Put pictures of the pages of gitmem serve together: one for each page, of every width and theme.

python scripts/page_pictures.py FROM TO      FROM has NAME-WIDTH-THEME.png
"""

import sys
from pathlib import Path

from PIL import Image

LOOKS = ("1280-light", "390-light", "390-dark", "1280-dark")
COLOURS = 256
GAP = 12


def together(folder: Path, name: str) -> Image.Image:
    """Give all looks of a page in one picture, wide ones at half their size."""
    pictures = [Image.open(folder / f"{name}-{look}.png").convert("RGB") for look in LOOKS]
    small = [picture.resize((picture.width // 2, picture.height // 2)) for picture in pictures]
    width = small[0].width + GAP + small[1].width
    height = max(picture.height for picture in small[:2])
    sheet = Image.new("RGB", (width, 2 * height + GAP), "#8a9097")
    places = ((0, 0), (small[0].width + GAP, 0))
    for number, place in enumerate(places):
        sheet.paste(small[number], place)
    sheet.paste(small[3], (0, height + GAP))
    sheet.paste(small[2], (small[0].width + GAP, height + GAP))
    # By places in the space of colours: the few green and red points among much grey stay so.
    return sheet.quantize(COLOURS, method=Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE)


if __name__ == "__main__":
    taken, written = map(Path, sys.argv[1:])
    names = sorted({path.name.rsplit("-", 2)[0] for path in taken.glob("*-390-dark.png")})
    for name in names:
        together(taken, name).save(written / f"page-{name}.png", optimize=True)
    total = sum((written / f"page-{name}.png").stat().st_size for name in names)
    print(f"{len(names)} pictures, {total // 1000} kB")
