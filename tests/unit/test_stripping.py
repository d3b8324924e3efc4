"""Pictures lose what they tell beside their pixels, and nothing of their pixels."""

import io
import json
import struct
import zlib
from typing import Any

import pytest

pytest.importorskip("PIL", reason="needs Pillow: pip install gitmem-native[ocr]")

from PIL import Image, ImageFile, PngImagePlugin

from gitmem.errors import EnvironmentProblem, InvalidError
from gitmem.pictures.images import MOST_PIXELS, load
from gitmem.pictures.stripping import stripped

SECRET = b"Ann Example 52.5200N 13.4050E"
TOLD = SECRET.decode()


def picture(mode: str = "RGB", size: tuple[int, int] = (24, 16)) -> Image.Image:
    image = Image.new("RGB", size)
    places = ((x, y) for y in range(size[1]) for x in range(size[0]))
    image.putdata([(x * 9 % 256, y * 13 % 256, x * y % 256) for x, y in places])
    return image.convert(mode)


def exif(turned: int = 1) -> Image.Exif:
    made = Image.Exif()
    made[0x0112] = turned
    made[0x010E] = TOLD
    made.get_ifd(0x8825)[1] = "N"
    made.get_ifd(0x8825)[2] = (52.0, 31.0, 12.0)
    return made


def saved(image: Image.Image, form: str, **told: Any) -> bytes:
    file = io.BytesIO()
    image.save(file, form, **told)
    return file.getvalue()


def pixels(data: bytes) -> bytes:
    return Image.open(io.BytesIO(data)).convert("RGBA").tobytes()


def _png() -> bytes:
    notes = PngImagePlugin.PngInfo()
    notes.add_text("Author", TOLD)
    notes.add_text("Comment", TOLD, zip=True)
    notes.add_itxt("XML:com.adobe.xmp", f"<x>{TOLD}</x>")
    return saved(picture(), "PNG", pnginfo=notes, exif=exif(), icc_profile=b"profile " + SECRET)


TELLING = {
    "png": _png(),
    "png-behind-the-end": saved(picture(), "PNG") + SECRET,
    "jpeg": saved(picture(), "JPEG", exif=exif(), comment=SECRET, icc_profile=SECRET * 9),
    "jpeg-behind-the-end": saved(picture(), "JPEG") + SECRET,
    "jpeg-progressive": saved(picture(), "JPEG", progressive=True, exif=exif()),
    "jpeg-cmyk": saved(picture("CMYK"), "JPEG", exif=exif()),
    "webp": saved(picture(), "WEBP", lossless=True, exif=exif(), xmp=SECRET),
    "webp-lossy": saved(picture(), "WEBP", exif=exif(), icc_profile=SECRET),
    "webp-behind-the-end": saved(picture(), "WEBP") + SECRET,
    "gif": saved(picture("P"), "GIF", comment=SECRET),
    "gif-behind-the-end": saved(picture("P"), "GIF") + SECRET,
}  # fmt: skip


@pytest.mark.parametrize("name", TELLING)
def test_metadata_is_taken_out_and_pixels_stay(name: str) -> None:
    data = TELLING[name]
    made = stripped(data, name)
    assert made != data
    assert SECRET not in made
    assert b"Ann" not in made
    # The colour profile is gone too, so only the pixels as they are coded can be compared.
    assert pixels(made) == pixels(data)
    left = Image.open(io.BytesIO(made))
    assert not left.getexif()
    assert not {"exif", "xmp", "comment", "icc_profile", "Author", "Comment"} & set(left.info)
    assert stripped(made, name) == made


def test_a_picture_without_metadata_stays_byte_for_byte() -> None:
    for form in ("PNG", "JPEG", "WEBP"):
        data = saved(picture(), form)
        assert stripped(data, form) == data


@pytest.mark.parametrize("turned", range(2, 9))
def test_a_turned_photograph_stays_turned_and_tells_nothing_else(turned: int) -> None:
    data = saved(picture(), "JPEG", exif=exif(turned))
    made = stripped(data, "p.jpg")
    left = Image.open(io.BytesIO(made)).getexif()
    assert dict(left) == {0x0112: turned}
    assert b"Ann" not in made
    assert load(made, "p").size == ((16, 24) if turned > 4 else (24, 16))


def test_a_moving_gif_keeps_its_frames_and_its_loop() -> None:
    frames = [picture("P"), picture("P").rotate(180)]
    data = saved(frames[0], "GIF", save_all=True, append_images=frames[1:], loop=0, comment=SECRET)
    made = Image.open(io.BytesIO(stripped(data, "p.gif")))
    assert getattr(made, "n_frames", 1) == 2
    assert made.info["loop"] == 0
    assert SECRET not in stripped(data, "p.gif")


def test_what_is_no_picture_is_kept_as_it_is() -> None:
    for data in (b"", b"a log\n", b"\x89PNG", b"<svg/>", json.dumps({}).encode()):
        assert stripped(data, "x") == data


@pytest.mark.parametrize("form", ["PNG", "JPEG", "WEBP", "GIF"])
def test_a_picture_that_is_cut_off_is_refused_or_tells_nothing(form: str) -> None:
    name = form.lower()
    data = TELLING[name]
    for end in range(12, len(data)):
        try:
            made = stripped(data[:end], f"p.{name}")
        except InvalidError as error:
            assert error.message == f"p.{name} is a damaged {form} picture"  # noqa: PT017  many
        else:
            assert b"Ann" not in made


@pytest.mark.parametrize(
    ("data", "form"),
    [(b"II*\0rest", "TIFF"), (b"\0\0\0\x18ftypheic", "HEIC")],
    ids=["tiff", "heic"],
)
def test_forms_that_we_cannot_clean_are_refused(data: bytes, form: str) -> None:
    with pytest.raises(InvalidError) as caught:
        stripped(data, "p")
    assert form in caught.value.message
    assert caught.value.hint == "convert it to PNG, JPEG, WebP or GIF"


def _bomb(width: int, height: int) -> bytes:
    def chunk(kind: bytes, body: bytes) -> bytes:
        check = zlib.crc32(kind + body)
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", check)

    head = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    rows = zlib.compress(bytes(min((1 + width) * height, 40_000_000)), 9)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", rows) + chunk(b"IEND", b"")


SVG = b"<svg xmlns='http://www.w3.org/2000/svg'/>"
DAMAGED, LARGE = "is a damaged", "has more than 40 million pixels"
HOSTILE = {
    "truncated.png": (saved(picture(size=(300, 200)), "PNG")[:400], f"{DAMAGED} PNG picture"),
    "header.png": (b"\x89PNG\r\n\x1a\n", f"{DAMAGED} PNG picture"),
    "dot.png": (saved(picture(size=(1, 1)), "PNG"), "is only 1 x 1 pixels"),
    "large.png": (_bomb(20_000, 20_000), LARGE),
    "larger.png": (_bomb(8_000, 8_000), f"{LARGE}: 8000 x 8000"),
    "long.png": (_bomb(20_000, 10), "is 20000 x 10, longer than 8000 pixels"),
    "bomb.png": (_bomb(2**31 - 1, 2**31 - 1), LARGE),
    "drawing.png": (SVG, "is not a picture that can be read"),
    "text.png": (b"not an image", "is not a picture that can be read"),
    "empty.png": (b"", "is not a picture that can be read"),
    "other.jpg": (b"\xff\xd8\xff\xe0 no jpeg", f"{DAMAGED} JPEG picture"),
    "short.gif": (b"GIF89a", f"{DAMAGED} GIF picture"),
    "short.webp": (b"RIFF\x08\0\0\0WEBPVP8 ", f"{DAMAGED} WEBP picture"),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_picture_is_one_clear_line(name: str) -> None:
    data, message = HOSTILE[name]
    with pytest.raises(InvalidError) as caught:
        load(data, name)
    assert caught.value.message == f"{name} {message}"
    assert caught.value.hint
    assert "\n" not in caught.value.message


def test_the_size_is_looked_at_before_anything_is_decoded(monkeypatch: pytest.MonkeyPatch) -> None:
    def decode(*_: object) -> None:
        raise AssertionError

    monkeypatch.setattr(ImageFile.ImageFile, "load", decode)
    side = int(MOST_PIXELS**0.5) + 1
    with pytest.raises(InvalidError):
        load(_bomb(side, side), "p")


@pytest.mark.parametrize("mode", ["1", "L", "LA", "P", "RGB", "RGBA", "I;16"])
def test_every_kind_of_pixel_is_read(mode: str) -> None:
    image = picture("L").convert("I").convert("I;16") if mode == "I;16" else picture(mode)
    assert load(saved(image, "PNG"), "p").size == (24, 16)
    assert load(saved(picture("CMYK"), "JPEG"), "p").size == (24, 16)


def test_a_transparent_picture_is_put_on_white() -> None:
    clear = Image.new("RGBA", (20, 20), (0, 0, 0, 0))
    data = load(saved(clear, "PNG"), "p").data()
    assert Image.open(io.BytesIO(data)).getpixel((5, 5)) == (255, 255, 255)


def test_without_pillow_one_line_says_how_to_have_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "PIL", None)
    with pytest.raises(EnvironmentProblem) as caught:
        load(TELLING["png"], "p")
    assert caught.value.hint == 'pip install "gitmem-native[ocr]"'
