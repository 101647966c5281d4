"""What a new session is to have, settled before it begins: settings, places to search, models."""

from library import TextStatistics
from models import Models, choose_model
from roundtable.config.config import Settings, load_settings
from roundtable.config.errors import ConfigError, InputError
from roundtable.config.flags import given_settings
from roundtable.config.search_places import refuse_paths, settle_places
from roundtable.session.factory import Runtime
from roundtable.session.texts.follow_up import with_places_of
from roundtable.web.schemas import NewSession


def settled_order(order: NewSession, around: Runtime, *, named_only: bool) -> tuple[Settings, Models | None]:
    """Return an order's settings and models; no models where those who run this brought one.

    Args:
        order: What was asked for.
        around: What sessions run in.
        named_only: Only named collections may be searched, and no server of models is named.

    Raises:
        InputError, ConfigError, LibraryError, ModelUnavailable: what was ordered cannot be done.
    """
    try:
        asked = load_settings(given_settings(order.flags()))
    except ConfigError as failure:  # who orders here names fields, and has no command line
        raise ConfigError(
            "\n".join(line.removeprefix("--") for line in str(failure).splitlines())
        ) from failure
    if order.follows:
        with around.journal() as journal:
            asked = with_places_of(asked, journal, journal.find(order.follows))
    if named_only:
        refuse_paths(asked.docs, around.home)
        if order.base_url:  # the keys of this machine would go there
            raise InputError("base_url: whoever runs this server alone names the server of its models")
    settings = settle_places(asked, around.home)
    if around.model is not None:
        return settings, None
    return settings, choose_model(
        settings.models, around.environment, TextStatistics(), loopback_only=settings.offline
    )
