"""Whether a server can sign people in by OpenID Connect, told before it begins."""

from collections.abc import Mapping
from importlib.util import find_spec
from urllib.parse import urlsplit

from models import install_command
from models.client import is_loopback
from roundtable.config.errors import InputError
from roundtable.config.serve_settings import OidcSettings
from roundtable.web.access.keys import Keys
from roundtable.web.sign_in.entrance import BACK
from roundtable.web.sign_in.issuer_requests import Issuer
from roundtable.web.sign_in.openid import OpenIdSignIn


def open_sign_in(
    settings: OidcSettings, environment: Mapping[str, str], keys: Keys, page: str
) -> OpenIdSignIn | None:
    """Return what signs people in whom an issuer vouches for; None: none is set.

    The issuer is asked nothing yet: a server begins, and lets in who is known, also while it is away.

    Args:
        settings: Who vouches, and who may sign in.
        environment: With the client's secret.
        keys: Of the server.
        page: Where browsers find it, with a slash at its end.

    Raises:
        InputError: something is missing, or people could be watched on their way; the message says what.
    """
    if not settings.issuer:
        return None
    check_installed()
    served = urlsplit(page)
    if served.scheme != "https" and not is_loopback(str(served.hostname)):
        raise InputError(
            "sign-in by OpenID Connect needs https: give --tls-certificate and --tls-key, or with a proxy "
            "before the server --url https://…"
        )
    return OpenIdSignIn(settings, Issuer(settings, environment), keys, f"{page}{BACK}")


def check_installed() -> None:
    """Raise InputError where the extra is missing."""
    if find_spec("joserfc") is None:
        raise InputError(f"sign-in by OpenID Connect needs an extra: {install_command('oidc')}")
