"""Where the server is, as browsers name it."""

import ipaddress
from collections.abc import Collection
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class ServedAddress:
    """Where the server is, as browsers name it."""

    port: int
    names: Collection[str] = ("127.0.0.1", "localhost", "[::1]")
    """Host names that are ours, without the port."""
    any_address: bool = False
    """Whether any address in figures is ours as well. Rebinding needs a name, so addresses are no way in."""
    tls: bool = False
    token: str = field(default="", repr=False)
    """A token given by whoever started the server: for scripts, and to sign in with; empty for none."""
    inside: Collection[str] = ()
    """Hosts with ports by which programs of its own network ask it, behind a proxy."""

    @property
    def cookie(self) -> str:
        """The cookie's name: cookies do not tell ports apart, so the name does.

        Over TLS with the prefix by which browsers let no neighbouring host set it.
        """
        return f"{'__Host-' if self.tls else ''}roundtable-{self.port}"

    @property
    def scheme(self) -> str:
        """`http` or `https`."""
        return "https" if self.tls else "http"

    def is_ours(self, host: str) -> bool:
        """Tell whether a Host header names this server, exactly."""
        usual = 443 if self.tls else 80
        hosts = {f"{name}:{self.port}" for name in self.names}
        if self.port == usual:
            hosts |= set(self.names)
        name, _, port = host.rpartition(":")
        if host in self.inside or host in hosts:
            return True
        return self.any_address and port == str(self.port) and _is_address(name)


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name.removeprefix("[").removesuffix("]"))
    except ValueError:
        return False
    return True
