"""Pictures as a model takes them: PNG of a bounded size. Parsers of pictures run in a worker process only."""

import base64
import io
from collections.abc import Sequence
from typing import Any

from library.errors import ReadError

_LARGEST_SIDE = 2000
"""Pixels: an A4 page at 170 to the inch, which small print can be read at."""
_MOST_PIXELS = 80_000_000


def read_picture(data: bytes) -> dict[str, Any]:
    """Return a picture as PNG in base64, under `pictures`. Raises ReadError for what is none."""
    from PIL import Image, UnidentifiedImageError

    try:
        with Image.open(io.BytesIO(data), formats=("PNG", "JPEG", "WEBP", "TIFF", "GIF", "BMP")) as picture:
            if picture.width * picture.height > _MOST_PIXELS:
                raise ReadError(f"the picture has more than {_MOST_PIXELS / 1_000_000:g} million pixels")
            return {"text": "", "pictures": [_png(picture.convert("RGB"))]}
    except (UnidentifiedImageError, OSError, SyntaxError, ValueError, Image.DecompressionBombError) as error:
        raise ReadError(f"it is no readable picture ({' '.join(str(error).split())[:100]})") from error


def draw_pages(data: bytes, pages: Sequence[int]) -> dict[str, Any]:
    """Return some pages of a PDF, counted from 0, as PNG in base64, under `pictures`."""
    import pypdfium2

    document = pypdfium2.PdfDocument(data)
    drawn = []
    for n in pages:
        page = document[n]
        scale = _LARGEST_SIDE / max(page.get_size())
        drawn.append(_png(page.render(scale=scale).to_pil()))
        page.close()
    return {"text": "", "pictures": drawn}


def draw_figures(data: bytes, figures: Sequence[Sequence[float]]) -> dict[str, Any]:
    """Return parts of a PDF's pages as PNG in base64, under `pictures`.

    Args:
        data: The file.
        figures: Page from 0, and left, bottom, right and top edge in points.
    """
    import pypdfium2

    document = pypdfium2.PdfDocument(data)
    drawn = []
    for number, *sides in figures:
        page = document[int(number)]
        box = page.get_cropbox()
        left, bottom, right, top = (
            abs(side - edge) for side, edge in zip(sides, box, strict=True)
        )  # how far from the page's own edges
        scale = _LARGEST_SIDE / max(page.get_size())
        drawn.append(_png(page.render(scale=scale, crop=(left, bottom, right, top)).to_pil()))
        page.close()
    return {"text": "", "pictures": drawn}


def _png(picture: Any) -> str:
    picture.thumbnail((_LARGEST_SIDE, _LARGEST_SIDE))
    packed = io.BytesIO()
    picture.save(packed, format="PNG", optimize=False)
    return base64.b64encode(packed.getvalue()).decode()
