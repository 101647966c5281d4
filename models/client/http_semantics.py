"""What a host's name and an answer's headers mean, for every client of the program."""

import ipaddress
import math
from datetime import UTC, datetime
from urllib.parse import urlsplit

_LONGEST_WAIT = 365 * 86_400.0

def address_host(address: str) -> str:
    """Return the host that an address names, in small letters; an empty text where it is no address."""
    try:
        return urlsplit(address).hostname or ""
    except ValueError:  # brackets that do not close
        return ""


def is_loopback(host: str) -> bool:
    """Whether a host (a name, or an address without brackets) is this machine, by its name alone."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def retry_after(header: str, now: float) -> float | None:
    """Read a Retry-After header.

    Args:
        header: Its value: seconds, or a date as HTTP writes it; empty where there is none.
        now: Seconds since 1970.

    Returns:
        Seconds to wait from `now`, 0 and more, a year at most; None when it says nothing.
    """
    header = header.strip()
    try:
        seconds = float(header[:9])
    except ValueError:
        try:
            when = datetime.strptime(header, "%a, %d %b %Y %H:%M:%S GMT").replace(tzinfo=UTC)
        except ValueError:
            return None
        return min(max(when.timestamp() - now, 0.0), _LONGEST_WAIT)
    return min(seconds, _LONGEST_WAIT) if math.isfinite(seconds) and seconds >= 0 else None
