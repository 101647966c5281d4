"""What the heavy exports need besides the program itself, and what is said when it is not there."""

from importlib import import_module
from types import ModuleType

from models import install_command


class ExportUnavailable(Exception):
    """A report cannot be had in this form; the message says what to install."""


def optional(module: str, form: str) -> ModuleType:
    """Import a module of the extra `[export]`.

    Raises:
        ExportUnavailable: it is not installed.
    """
    try:
        return import_module(module)
    except ImportError as error:
        raise ExportUnavailable(
            f"a report as {form} needs the extra `export`: {install_command('export')}"
        ) from error
