"""Where a user's sessions, texts and collections are kept."""

import os
from pathlib import Path


def home() -> Path:
    """Return the folder that holds the journal, the store and the collections."""
    named = os.environ.get("ROUNDTABLE_HOME", "").strip()
    if named:
        return Path(named).expanduser().absolute()
    import platformdirs

    return Path(platformdirs.user_data_dir("roundtable", appauthor=False))
