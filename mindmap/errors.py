"""What can go wrong with the map, as one tree.

MapError
└── OutlineError     a file that should hold an outline cannot be read as one
"""


class MapError(Exception):
    """The root of this room's errors; the message is one line that says what is wrong and what to do."""


class OutlineError(MapError):
    """An outline cannot be read from a file."""
