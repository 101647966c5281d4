"""What a command says before its session begins: where is searched, what leaves this machine, which model."""

import os

from library import TextStatistics
from models import ModelUnavailable, choose_model
from roundtable.config.config import Settings
from roundtable.config.errors import InputError
from roundtable.config.search_places import destinations
from roundtable.session.factory import check_prices


def destination_line(settings: Settings) -> str:
    """Return the line that says what goes where, for settings whose places are settled.

    Raises:
        InputError: the model cannot be asked.
    """
    try:
        chosen = choose_model(settings.models, os.environ, TextStatistics(), loopback_only=settings.offline)
    except ModelUnavailable as failure:
        raise InputError(str(failure)) from failure
    check_prices(chosen, settings)
    return destinations(settings, chosen.line)
