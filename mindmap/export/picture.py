"""PNG, drawn from the SVG by resvg."""

from mindmap.errors import MapError
from mindmap.export import drawing
from mindmap.export.shown import Shown

_ZOOM = 2.0
_LONGEST = 16_000
"""Pixels; larger maps are drawn smaller."""


def write(top: Shown) -> bytes:
    """Return the map as a PNG. Raises MapError when the `export` extra is not installed."""
    try:
        from resvg_py import svg_to_bytes
    except ImportError as error:
        raise MapError("PNG needs the `export` extra: pip install 'roundtable[export]'") from error
    sketch = drawing.draw(top)
    zoom = min(_ZOOM, _LONGEST / max(sketch.width, sketch.height))
    return bytes(svg_to_bytes(svg_string=sketch.svg, zoom=zoom, background="#ffffff"))
