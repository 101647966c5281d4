from pathlib import Path

import pytest
from pydantic import ValidationError

from models import Budget
from roundtable.config.config import Settings, home, load_settings, presets, server_settings, unresolved
from roundtable.config.errors import ConfigError
from roundtable.web.schemas import NewSession


@pytest.fixture
def file(tmp_path: Path):
    def write(text: str) -> Path:
        path = tmp_path / "mine.toml"
        path.write_text(text)
        return path

    return write


def refusal(**given: object) -> str:
    with pytest.raises(ConfigError) as caught:
        load_settings(**({"environment": {}} | given))
    return str(caught.value)


def test_a_flag_wins_over_the_environment_over_a_file_over_a_preset_over_the_default(file):
    path = file("[agents]\nexperts = 4\nrounds = 4\nactions = 4\n")
    environment = {"ROUNDTABLE_AGENTS__EXPERTS": "5", "ROUNDTABLE_AGENTS__ROUNDS": "5"}
    flags = {"agents": {"experts": 6}}
    agents = load_settings(flags, config=path, preset="embedded", environment=environment).agents
    assert (agents.experts, agents.rounds, agents.actions, agents.background) == (6, 5, 4, 16)
    assert agents.results == Settings().agents.results


def test_the_process_environment_is_read_and_reserved_names_are_no_settings(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("ROUNDTABLE_MODERATOR__BUDGET__TOKENS", "500")
    monkeypatch.setenv("ROUNDTABLE_DEBUG", "1")
    assert load_settings().moderator.budget.tokens == 500


def test_lists_in_the_environment_are_json():
    assert load_settings(environment={"ROUNDTABLE_DOCS": '["a", "b"]'}).docs == ["a", "b"]
    assert "written as JSON" in refusal(environment={"ROUNDTABLE_DOCS": "a"})


def test_an_unknown_key_is_an_error_that_names_file_key_and_the_nearest_known_one(file):
    path = file("[agents]\nexprts = 3\n")
    assert refusal(config=path) == f"{path}: no setting agents.exprts; did you mean agents.experts?"
    assert "did you mean moderator?" in refusal(config=file("[modrator]\nturns = 3\n"))
    assert refusal(config=file("[agents]\nzzzz = 3\n")).endswith("no setting agents.zzzz")


def test_an_unknown_variable_is_an_error_too():
    nested = refusal(environment={"ROUNDTABLE_AGENTS__EXPRTS": "3"})
    assert nested == (
        "environment: no setting ROUNDTABLE_AGENTS__EXPRTS; did you mean ROUNDTABLE_AGENTS__EXPERTS?"
    )
    assert "did you mean ROUNDTABLE_AGENTS?" in refusal(environment={"ROUNDTABLE_AGNTS__ROUNDS": "3"})


def test_wrong_values_get_one_line_each_with_the_place_that_they_came_from(file):
    path = file('[agents]\nrounds = "many"\n[reports]\nstyle = "loud"\n')
    lines = refusal(config=path, environment={"ROUNDTABLE_MODERATOR__TURNS": "0"}).splitlines()
    assert len(lines) == 3
    assert any(line.startswith(f"{path}: agents.rounds: ") and "'many'" in line for line in lines)
    assert any(line.startswith(f"{path}: reports.style: ") and "'article'" in line for line in lines)
    assert any(line.startswith("environment: ROUNDTABLE_MODERATOR__TURNS: ") for line in lines)


@pytest.mark.parametrize(
    ("text", "said"), [("[agents\n", "is not TOML"), ("agents = 3\n", "agents: input should be")]
)
def test_a_file_that_cannot_be_read_as_settings(file, text: str, said: str):
    assert said in refusal(config=file(text))


def test_a_missing_file_and_an_unknown_preset(tmp_path: Path):
    assert "cannot read" in refusal(config=tmp_path / "none.toml")
    assert "did you mean ollama?" in refusal(preset="olama")


@pytest.mark.parametrize("name", ["default", "embedded", "ollama", "openai"])
def test_presets_load(name: str):
    assert name in presets()
    load_settings(preset=name, environment={})


def test_the_default_preset_is_what_nobody_sets():
    assert load_settings(preset="default", environment={}) == load_settings(environment={})


def test_each_depth_has_its_numbers_and_standard_is_what_nobody_sets(file):
    assert load_settings({"depth": "standard"}, environment={}) == Settings() == load_settings(environment={})
    quick, deep = (load_settings({"depth": name}, environment={}) for name in ("quick", "deep"))
    assert quick.agents.passage_tokens < Settings().agents.passage_tokens < deep.agents.passage_tokens
    assert deep.moderator.turns > quick.moderator.turns
    path = file('depth = "deep"\n[agents]\nexperts = 2\n')
    agents = load_settings(config=path, environment={"ROUNDTABLE_AGENTS__PASSAGES": "9"}).agents
    assert (agents.experts, agents.passages, agents.background) == (2, 9, deep.agents.background)
    assert "depth: input should be 'quick', 'standard' or 'deep'" in refusal(flags={"depth": "deeper"})


def test_home_is_the_variable_or_the_users_data_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    monkeypatch.setenv("ROUNDTABLE_HOME", str(tmp_path / "there"))
    assert home() == tmp_path / "there"
    monkeypatch.delenv("ROUNDTABLE_HOME")
    assert home().name == "roundtable"
    assert Path.home() in home().parents


def test_a_server_s_own_settings_are_in_no_session_and_alone_in_their_file(file):
    environment = {
        "ROUNDTABLE_SERVE__OIDC__ISSUER": "https://login.example.org",
        "ROUNDTABLE_SERVE__OIDC__CLIENT_ID": "us",
    }  # fmt: skip
    settings = load_settings(environment=environment)
    assert settings.serve.oidc.issuer == "https://login.example.org"
    assert "serve" not in unresolved(settings)
    path = file('[serve.oidc]\nallow = ["@example.org", "group:a b", "*"]\n')
    assert server_settings(path, environment).oidc.allow == ("@example.org", "group:a b", "*")
    with pytest.raises(ConfigError, match=r"a server takes \[serve\] from there, and not agents"):
        server_settings(file("[agents]\nexperts = 3\n"), {})
    for wrong in ("example.org", "group:", "a b@example.org", "@", "a@b@c"):
        assert "group:NAME" in refusal(config=file(f'[serve.oidc]\nallow = ["{wrong}"]\n'))
    for key, wrong in {"issuer": "login", "client_id": "", "client_secret": "a-b", "scopes": []}.items():
        given = {"issuer": "https://x.example", "client_id": "us"} | {key: wrong}
        text = "\n".join(f"{name} = {value!r}" for name, value in given.items())
        assert key in refusal(config=file(f"[serve.oidc]\n{text}\n"))


@pytest.mark.parametrize(
    ("key", "value", "said"),
    [
        ("moderator.budget.tokens", "true", "valid number, not True"),
        ("moderator.budget.money", "inf", "finite number, not inf"),
        ("moderator.budget.seconds", "nan", "finite number, not nan"),
        ("moderator.turns", "true", "valid number, not True"),
        ("library.read.megabytes", "inf", "finite number, not inf"),
        ("models.timeout", "true", "valid number, not True"),
    ],
)
def test_no_truth_value_and_nothing_without_end_is_a_number(file, key: str, value: str, said: str):
    path = file(f"{key} = {value}")
    assert refusal(config=path) == f"{path}: {key}: input should be a {said}"


@pytest.mark.parametrize("limit", [True, False, "1e5", "5", "", None, -1, 0, float("nan"), float("inf"), [1]])
@pytest.mark.parametrize("name", ["tokens", "money", "seconds"])
def test_a_budget_asked_for_by_a_program_is_a_number_above_nothing(name: str, limit: object):
    with pytest.raises(ValidationError) as caught:
        NewSession.model_validate({"topic": "Dikes", "budget": {name: limit}})
    [error] = caught.value.errors()
    assert error["loc"] == ("budget", name)


@pytest.mark.parametrize("asked", [{"turns": True}, {"experts": True}, {"words": False}])
def test_no_truth_value_is_a_number_that_a_program_asks_for(asked: dict[str, object]):
    with pytest.raises(ValidationError, match="valid number"):
        NewSession.model_validate({"topic": "Dikes", **asked})
    well = NewSession.model_validate({"topic": "Dikes", "turns": 3, "budget": {"tokens": 5, "money": 0.5}})
    assert (well.turns, well.budget) == (3, {"tokens": 5.0, "money": 0.5})


@pytest.mark.parametrize("limit", [True, -1, 0, float("nan"), float("inf")])
def test_a_budget_made_in_python_is_of_numbers_too(limit: float):
    with pytest.raises(ValidationError):
        Budget(seconds=limit)
