"""Whether the server that listens somewhere is of this home folder: asked before somebody is sent there."""

import contextlib
import http
import http.client
import ssl

from roundtable.web.access.keys import Keys
from roundtable.web.access.served_address import ServedAddress

_MOMENT = 10
"""Seconds for which the cookie is good that the server is shown."""
_PATIENCE = 5.0
"""Seconds until a server that says nothing is a stranger's."""
_ANY = {"0.0.0.0": "127.0.0.1", "::": "::1"}  # noqa: S104 - only recognised here  # nosec B104


def lets_in(host: str, port: int, place: ServedAddress, keys: Keys) -> bool | None:
    """Tell whether the server there lets in whom these keys let in; None: none listens.

    It is shown a cookie that is good for a moment, and for its own port alone: a stranger's server that sees
    it learns nothing that opens anything else.
    """
    where = _ANY.get(host, host)
    connection = (
        http.client.HTTPSConnection(where, port, timeout=_PATIENCE, context=_any_certificate())
        if place.tls
        else http.client.HTTPConnection(where, port, timeout=_PATIENCE)
    )
    with contextlib.closing(connection):
        try:
            connection.connect()
        except ssl.SSLError:  # it listens, and speaks something else
            return False
        except OSError:
            return None
        cookie = f"{place.cookie}={keys.cookie(place.port, seconds=_MOMENT)}"
        try:
            connection.request("GET", "/api/collections", headers={"Cookie": cookie})
            return connection.getresponse().status == http.HTTPStatus.OK
        except (OSError, http.client.HTTPException):
            return False


def _any_certificate() -> ssl.SSLContext:
    """Return what takes any certificate: the cookie tells who it is, and one made at home names nobody."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    return context
