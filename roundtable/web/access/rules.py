"""Every address of the server, and who may do what there. What is not listed here cannot be served."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from roundtable.journal.storage.people.sharing import Kind, Role


@dataclass(frozen=True, slots=True)
class Rule:
    """Who may use one address; without accounts whoever is let in may use all."""

    who: Literal["anybody", "account", "operator"] = "account"
    """Anybody at all; whoever has an account; who has the token of the server itself."""
    kind: Kind | None = None
    """What the address names; None: nothing of anybody's. A list shows each what he may read."""
    least: Role = "reader"
    """What one has to be of that thing."""
    named: str = "id"
    """Under which the path names it."""
    fresh: bool = False
    """What is not there yet may be made, and is then its maker's."""


_ANYBODY = Rule("anybody")
_OPERATOR = Rule("operator")
_ACCOUNT = Rule()
_READS, _EDITS, _OWNS = (Rule(kind="session", least=least) for least in ("reader", "editor", "owner"))
_BRINGS = Rule(kind="collection", least="editor", named="name", fresh=True)
_SESSION = "/api/sessions/{id}"
_COLLECTION = "/api/collections/{name}"

RULES: Mapping[tuple[str, str], Rule] = {
    ("GET", "/"): _ANYBODY,
    ("GET", "/join"): _ANYBODY,
    ("GET", "/sign-in"): _ANYBODY,
    ("GET", "/sign-in/back"): _ANYBODY,
    ("GET", "/static/words/{code}.json"): _ANYBODY,
    ("*", "/static"): _ANYBODY,
    ("GET", "/healthz"): _ANYBODY,
    ("GET", "/metrics"): _OPERATOR,
    ("GET", "/api/setup"): _ACCOUNT,
    ("POST", "/api/sign-out"): _ACCOUNT,
    ("GET", "/api/sessions"): _ACCOUNT,
    ("POST", "/api/sessions"): _ACCOUNT,
    ("POST", "/api/outgoing"): _ACCOUNT,
    ("GET", _SESSION): _READS,
    ("GET", f"{_SESSION}/events"): _READS,
    ("GET", f"{_SESSION}/plan"): _READS,
    ("GET", f"{_SESSION}/sources"): _READS,
    ("GET", f"{_SESSION}/passages/{{passage}}"): _READS,
    ("GET", f"{_SESSION}/outline"): _READS,
    ("GET", f"{_SESSION}/check"): _READS,
    ("GET", f"{_SESSION}/{{kind}}/{{name}}"): _READS,
    ("POST", f"{_SESSION}/fork"): _READS,
    ("POST", f"{_SESSION}/commands"): _EDITS,
    ("POST", f"{_SESSION}/plan"): _EDITS,
    ("POST", f"{_SESSION}/name"): _EDITS,
    ("POST", f"{_SESSION}/uploads/{{name}}"): _EDITS,
    ("POST", f"{_SESSION}/update"): _EDITS,
    ("POST", f"{_SESSION}/watch"): _EDITS,
    ("POST", f"{_SESSION}/report"): _EDITS,
    ("POST", f"{_SESSION}/delete"): _OWNS,
    ("GET", f"{_SESSION}/sharing"): _OWNS,
    ("POST", f"{_SESSION}/sharing"): _OWNS,
    ("GET", "/api/collections"): _ACCOUNT,
    ("POST", f"{_COLLECTION}/site"): _BRINGS,
    ("POST", f"{_COLLECTION}/refresh"): _BRINGS,
    ("POST", f"{_COLLECTION}/files/{{path:path}}"): _BRINGS,
    ("POST", f"{_COLLECTION}/description"): Rule(kind="collection", least="editor", named="name"),
    ("POST", f"{_COLLECTION}/delete"): Rule(kind="collection", least="owner", named="name"),
    ("GET", f"{_COLLECTION}/sharing"): Rule(kind="collection", least="owner", named="name"),
    ("POST", f"{_COLLECTION}/sharing"): Rule(kind="collection", least="owner", named="name"),
    ("GET", "/api/audits"): _ACCOUNT,
    ("POST", "/api/audits"): _ACCOUNT,
    ("GET", "/api/audits/{id}"): Rule(kind="audit"),
    ("GET", "/api/audits/{id}/{file}"): Rule(kind="audit"),
    ("POST", "/api/audits/{id}/delete"): Rule(kind="audit", least="owner"),
    ("GET", "/api/comparisons"): _ACCOUNT,
    ("POST", "/api/comparisons"): _ACCOUNT,
    ("GET", "/api/comparisons/{id}"): Rule(kind="comparison"),
    ("GET", "/api/comparisons/{id}/{file}"): Rule(kind="comparison"),
    ("POST", "/api/comparisons/{id}/delete"): Rule(kind="comparison", least="owner"),
    # Other programs name sessions within what they send: `protocols/session_tools.py` asks the same viewer.
    ("GET", "/v1/models"): _ACCOUNT,
    ("GET", "/v1/models/{name:path}"): _ACCOUNT,
    ("POST", "/v1/chat/completions"): _ACCOUNT,
    ("*", "/mcp"): _ACCOUNT,
}
"""By method (`*`: any) and path, as routes write it."""
