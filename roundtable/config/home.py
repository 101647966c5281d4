"""Where a user's sessions, texts and collections are kept."""

import os
from collections.abc import Mapping
from pathlib import Path

DATABASE = "ROUNDTABLE_DATABASE"
"""The variable that names the database of sessions; the environment wins over the file."""
DATABASE_FILE = "database.toml"
"""In the home folder: the same as a line, `database = "postgresql://…"`."""
SHARED = "ROUNDTABLE_SHARED"
"""The variable that names a folder which several servers reach."""
JOURNAL = "journal.db"
_SCHEMES = ("postgresql://", "postgres://")


def home() -> Path:
    """Return the folder that holds the journal, the store and the collections."""
    named = os.environ.get("ROUNDTABLE_HOME", "").strip()
    if named:
        return Path(named).expanduser().absolute()
    import platformdirs

    return Path(platformdirs.user_data_dir("roundtable", appauthor=False))


def shared_folder(home: Path, environment: Mapping[str, str] | None = None) -> Path:
    """Return where keys, invitations and uploads are: the folder ROUNDTABLE_SHARED names, else the home."""
    named = (os.environ if environment is None else environment).get(SHARED, "").strip()
    return Path(named).expanduser().absolute() if named else home


def journal_place(home: Path, environment: Mapping[str, str] | None = None) -> Path | str:
    """Return where sessions are kept: the file in the home folder, or the address of a database.

    Args:
        home: The home folder.
        environment: Instead of the process's own.

    Raises:
        ConfigError: what names the database does not.
    """
    environment = os.environ if environment is None else environment
    named, where = environment.get(DATABASE, "").strip(), DATABASE
    if not named and (file := home / DATABASE_FILE).exists():
        named, where = _of_file(file), str(file)
    if not named:
        return home / JOURNAL
    if not is_database(named):
        from roundtable.config.errors import ConfigError

        raise ConfigError(f"{where}: give an address, as in postgresql://user@host/name")
    return named


def is_database(place: str) -> bool:
    """Tell whether a place is the address of a database, by its scheme."""
    return place.startswith(_SCHEMES)


def _of_file(file: Path) -> str:
    """Return what a file names as the database; empty where it names none."""
    import tomllib

    from roundtable.config.errors import ConfigError

    try:
        values = tomllib.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as failure:
        raise ConfigError(f"{file} cannot be read: {failure}") from failure
    if set(values) - {"database"} or not isinstance(values.get("database", ""), str):
        raise ConfigError(f'{file}: one line is known there, database = "postgresql://user@host/name"')
    return str(values.get("database", "")).strip()
