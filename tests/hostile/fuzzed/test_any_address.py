"""Addresses that are none, wherever one is read: in settings, in the environment, in files of others."""


import pytest
from pydantic import ValidationError

from agents.autogen.component_file import _stays_here
from library import LibraryError
from library.evidence import host_of
from library.references.zotero import _client, _file
from library.web.fetch_settings import FetchSettings
from models import ModelSettings, ModelUnavailable, choose_model
from models.client import address_host
from roundtable.session.tracing import ENDPOINTS, open_tracing

NONE = ("http://[::1", "http://]/", "http://[bad]/x", "http://", "//", "nonsense", "http:///x", "\x00", "http://[v1.x]:9")
"""The first ones are refused by Python's own reading of addresses, which raises for them."""


@pytest.mark.parametrize("address", NONE)
def test_an_address_that_is_none_is_told_or_left_alone(address: str) -> None:
    assert address_host(address) in {"", "v1.x"}
    assert host_of(address) in {"", "v1.x"}
    for name in ENDPOINTS:
        tracing, told = open_tracing("one", {name: address}, offline=True, tell=[].append)
        assert tracing is None
        assert "traced" in told or "offline" in told or not address.strip()
    with pytest.raises(LibraryError, match="this machine alone"):
        _client(address)
    assert not _stays_here("autogen_ext.models.openai.OpenAIChatCompletionClient", {"base_url": address})
    assert _file(None, {"links": {"enclosure": {"href": "file://[" + address}}}) is None  # type: ignore[arg-type]


@pytest.mark.parametrize("address", ["http://[::1", "http://]/", "http://", "nonsense", "socks5://127.0.0.1:1"])
def test_a_proxy_that_is_none_is_refused_where_it_is_set(address: str) -> None:
    with pytest.raises(ValidationError, match="no address of a proxy"):
        FetchSettings(proxy=address)


@pytest.mark.parametrize("address", ["http://[::1", "http://]/", "http://", "http://a:b:c", "http://u:secret@[x"])
@pytest.mark.parametrize("name", ["OPENAI_BASE_URL", "OLLAMA_HOST", "base_url"])
def test_a_server_that_is_none_is_told_in_a_line_without_its_password(address: str, name: str) -> None:
    provider = "ollama:x" if name == "OLLAMA_HOST" else "openai:x"
    settings = ModelSettings(model=provider, **({"base_url": address} if name == "base_url" else {}))
    with pytest.raises(ModelUnavailable, match="no address of a server") as told:
        choose_model(settings, {name: address, "OPENAI_API_KEY": "x"}, None)  # type: ignore[arg-type]
    assert "secret" not in str(told.value)
    assert "\n" not in str(told.value)
