"""Which model is chosen, and what is said when none can be."""

import dataclasses
import re

import pytest

from models import (
    ChoiceReason,
    ExtractiveModel,
    FallbackModel,
    LanguageModel,
    ModelSettings,
    ModelUnavailable,
    choose_model,
    install_command,
)
from models.model_registry import PROVIDERS, ROLES, endpoint

KEY = {"OPENAI_API_KEY": "sk-1"}


def chosen(environment=None, loopback_only=False, **settings):
    return choose_model(ModelSettings(**settings), environment or {}, None, loopback_only=loopback_only)


def test_without_a_key_the_embedded_model_does_everything_and_says_why():
    models = chosen()
    assert all(isinstance(models[role], ExtractiveModel) for role in ROLES)
    assert models.names == ["embedded"]
    assert "set OPENAI_API_KEY or ANTHROPIC_API_KEY" in models.line
    assert "\n" not in models.line


@pytest.mark.parametrize(
    ("environment", "name"),
    [
        (KEY, "openai:gpt-5-mini"),
        ({"ANTHROPIC_API_KEY": "k"}, "anthropic:claude-haiku-4-5"),
        ({**KEY, "ANTHROPIC_API_KEY": "k"}, "openai:gpt-5-mini"),
        ({"OPENAI_API_KEY": " "}, "embedded"),
        ({**KEY, "OPENAI_BASE_URL": "http://127.0.0.1:1/v1"}, "embedded"),
        ({**KEY, "OPENAI_BASE_URL": "https://api.openai.com/v1/"}, "openai:gpt-5-mini"),
        ({"OLLAMA_HOST": "127.0.0.1"}, "embedded"),
    ],
)
def test_a_configured_keys_model_is_the_default(environment, name):
    models = chosen(environment)
    assert models.names == [name]
    assert name in models.line


def test_a_server_without_a_named_model_is_said_to_lack_one():
    assert "name openai:NAME with --model" in chosen({**KEY, "OPENAI_BASE_URL": "http://127.0.0.1:1/v1"}).line


def test_each_role_can_have_its_own_model_and_equal_ones_are_one():
    roles = {"writer": "openai:b", "judge": "embedded", "planner": "openai:b"}
    models = chosen(KEY, model="openai:a", roles=roles)
    names = [models[role].name for role in ROLES]
    assert names == ["openai:b", "openai:a", "openai:a", "openai:b", "embedded"]
    assert models["writer"] is models["planner"]
    assert models["expert"] is models["moderator"]
    assert "writer: openai:b" in models.line
    assert len(models.language_models) == 2


def test_a_fallback_stands_behind_every_language_model():
    models = chosen(KEY, model="openai:a", fallback="embedded")
    assert isinstance(models["expert"], FallbackModel)
    assert models["expert"].name == "openai:a"
    assert [model.name for model in models.language_models] == ["openai:a"]


UNKNOWN = ["gpt-5", "google:gemini", "openai:", "openai", ":", "", "embedded:x", "Openai:x"]


@pytest.mark.parametrize("name", UNKNOWN)
def test_an_unknown_model_is_refused_with_the_known_ones(name):
    with pytest.raises(ModelUnavailable, match="embedded, openai:NAME, anthropic:NAME, ollama:NAME"):
        endpoint(name, ModelSettings(), KEY)


def test_names_may_hold_colons_and_slashes():
    assert endpoint("ollama:qwen3:8b", ModelSettings(), {}).address.name == "qwen3:8b"
    assert endpoint("openai:org/model:free", ModelSettings(), KEY).address.name == "org/model:free"


def test_a_missing_key_is_named_and_one_is_not_needed_for_ones_own_server():
    with pytest.raises(ModelUnavailable, match="set OPENAI_API_KEY"):
        chosen(model="openai:gpt-5")
    place = endpoint("openai:x", ModelSettings(model="openai:x", base_url="http://127.0.0.1:8000/v1"), {})
    assert (place.server, place.key) == ("http://127.0.0.1:8000/v1", "")
    assert place.own_server
    assert place.loopback


def test_a_missing_package_is_said_to_be_installed_how(monkeypatch):
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(ModelUnavailable, match=re.escape(install_command("anthropic"))):
        endpoint("anthropic:claude", ModelSettings(), {"ANTHROPIC_API_KEY": "k"})


LOOPBACK = ["http://127.0.0.1:8000/v1", "http://localhost:1234/v1", "http://[::1]:80", "http://127.9.9.9/v1"]
REMOTE = ["https://api.example.org/v1", "http://10.0.0.7:8000", "http://127.0.0.1.example.org", "http://0.0.0.0:80",
          "http://localhost.example.org", "http://127.0.0.1@example.org/v1"]  # fmt: skip


@pytest.mark.parametrize("url", LOOPBACK)
def test_offline_allows_a_model_on_this_machine(url):
    models = chosen(loopback_only=True, model="openai:x", base_url=url)
    assert isinstance(models["expert"], LanguageModel)
    assert models["expert"].endpoint.loopback


@pytest.mark.parametrize("url", REMOTE)
def test_offline_refuses_any_other(url):
    with pytest.raises(ModelUnavailable, match="--offline does not allow"):
        chosen(KEY, loopback_only=True, model="openai:x", base_url=url)


def test_offline_without_a_named_model_is_embedded_also_with_a_key():
    assert chosen(KEY, loopback_only=True).names == ["embedded"]


def test_offline_holds_for_roles_and_fallback_too():
    with pytest.raises(ModelUnavailable, match="--offline"):
        chosen(KEY, loopback_only=True, model="embedded", roles={"writer": "openai:x"})
    with pytest.raises(ModelUnavailable, match="--offline"):
        chosen({**KEY}, loopback_only=True, model="ollama:x", fallback="openai:x")


def test_a_base_url_is_meant_for_the_models_provider_alone():
    settings = ModelSettings(model="ollama:x", base_url="http://127.0.0.1:7777", roles={"writer": "openai:y"})
    models = choose_model(settings, KEY, None)
    assert models["expert"].endpoint.server == "http://127.0.0.1:7777"
    assert models["writer"].endpoint.server == PROVIDERS["openai"].server


@pytest.mark.parametrize(
    ("host", "server"),
    [
        ("0.0.0.0", "http://127.0.0.1:11434"),
        ("127.0.0.1:9999", "http://127.0.0.1:9999"),
        ("http://box:80/", "http://box:80"),
        ("https://[::1]", "https://[::1]:11434"),
    ],
)
def test_ollamas_own_variable_is_understood(host, server):
    assert endpoint("ollama:x", ModelSettings(), {"OLLAMA_HOST": host}).server == server


@pytest.mark.parametrize("url", ["ftp://x", "http://", "http://x:99999/v1", "http://x:no"])
def test_what_is_no_address_is_refused(url):
    with pytest.raises(ModelUnavailable, match="no address of a server"):
        endpoint("openai:x", ModelSettings(model="openai:x", base_url=url), KEY)


def test_secrets_are_not_shown():
    settings = ModelSettings(model="openai:x", base_url="https://user:pass-word@example.org/v1")
    place = endpoint("openai:x", settings, {"OPENAI_API_KEY": "sk-very-secret"})
    assert place.server == "https://user:pass-word@example.org/v1"
    for shown in (repr(place), repr(place.address), str(place), place.address.server):
        assert "sk-very" not in shown
        assert "pass-word" not in shown
    assert place.address.clean("key sk-very-secret, pass-word") == "key …, …"


def test_settings_have_no_place_for_a_key():
    assert not [name for name in ModelSettings.model_fields if "key" in name or "secret" in name]
    assert {field.name for field in dataclasses.fields(endpoint("ollama:x", ModelSettings(), {}))} >= {"key"}


def test_the_reason_of_a_choice_is_named_and_its_words_fit_where_they_are_read() -> None:
    models = chosen()
    assert models.choice.reason is ChoiceReason.NO_KEY
    assert models.line == f"model: {models.text()}"
    assert models.text("here").endswith("or name one here)")
    assert chosen(KEY).choice.reason is ChoiceReason.KEY
    assert chosen(loopback_only=True).choice.reason is ChoiceReason.OFFLINE
    assert chosen(model="embedded").choice.reason is ChoiceReason.NAMED
