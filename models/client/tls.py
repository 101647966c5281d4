"""What certificates are checked against: read once, since it takes longer than a whole request does."""

import os
import ssl
from functools import cache

import httpx2


def trusted(*, trust_env: bool) -> ssl.SSLContext:
    """Return the context that verifies servers; one for all clients of a process.

    Args:
        trust_env: Whether certificates named in the environment (`SSL_CERT_FILE`, `SSL_CERT_DIR`) are used.
    """
    named = (os.environ.get("SSL_CERT_FILE"), os.environ.get("SSL_CERT_DIR")) if trust_env else (None, None)
    return _made(trust_env, named)


@cache
def _made(trust_env: bool, named: tuple[str | None, str | None]) -> ssl.SSLContext:
    del named  # another file is another context
    return httpx2.create_ssl_context(trust_env=trust_env)
