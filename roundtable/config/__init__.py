"""What can be set, where it comes from, and where a user's files are."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from roundtable.config.config import Settings as Settings
    from roundtable.config.config import load_settings as load_settings
    from roundtable.config.config import recorded_settings as recorded_settings


def __getattr__(name: str) -> object:
    # By hand, since even a small import is felt when `--help` is asked for.
    if name not in {"Settings", "load_settings", "recorded_settings"}:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from roundtable.config import config

    return getattr(config, name)
