"""PNG, drawn from the SVG by typst (which holds its own renderer: no Graphviz, no browser)."""

from mindmap.errors import MapError
from mindmap.export import svg as drawing
from mindmap.export.export_tree import ExportNode
from models import install_command

_RESOLUTION = 144.0
"""Pixels an inch of a drawing of ordinary size: twice a screen's."""
_LONGEST = 16_000.0
"""Pixels; larger maps are drawn smaller."""
_SCREEN = 72.0
_PAGE = b"""#set page(width: auto, height: auto, margin: 0pt)
#image(bytes(sys.inputs.svg), format: "svg")
"""


def write(top: ExportNode) -> bytes:
    """Return the map as a PNG. Raises MapError when the `export` extra is not installed."""
    try:
        import typst
    except ImportError as error:
        raise MapError(f"PNG needs the `export` extra: {install_command('export')}") from error
    sketch = drawing.draw(top)
    resolution = min(_RESOLUTION, _LONGEST * _SCREEN / max(sketch.width, sketch.height))
    made = typst.compile(_PAGE, format="png", ppi=resolution, sys_inputs={"svg": sketch.svg})
    if not isinstance(made, bytes):
        raise MapError("the picture came out as several pages")
    return made
