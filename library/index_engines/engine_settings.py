"""What a person can set about engines that index collections."""

from collections.abc import Mapping
from typing import Literal

from pydantic import Field, field_validator

from models import Given

_SECRET = ("key", "secret", "token", "password")
"""What the name of an option that holds a secret has in it."""
_NO_SECRET = ("kms_key_id", "bucket_key_enabled")
"""What the names of options end in that speak of keys and hold none."""


class EngineSettings(Given):
    """How engines that index collections are reached."""

    index: Literal["own", "lancedb", "opensearch"] = "own"
    """What indexes a collection that is made by a name, where nobody says (`docs add --engine`), on the page
    too: roundtable's own index, or an engine. A collection keeps what it was made with."""
    at: str = ""
    """The folder, or the address (`s3://bucket/path`; of OpenSearch `https://host:9200/name`), below which
    such an engine keeps each collection, by its name; empty: beside the store, which LanceDB alone can."""
    options: Mapping[str, str] = Field(default_factory=dict)
    """LanceDB's storage options for collections on S3 and the like: `{"endpoint": "https://s3.example.org",
    "region": "eu-1"}`. Keys are no settings: they are AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY in the
    environment."""
    candidates: int = Field(1_000, ge=50, le=10_000)
    """Passages that an engine is asked for with one reading of a query; our own method chooses among them."""

    @field_validator("options")
    @classmethod
    def _without_secrets(cls, options: Mapping[str, str]) -> Mapping[str, str]:
        for name in options:
            lower = name.lower()
            if any(part in lower for part in _SECRET) and not lower.endswith(_NO_SECRET):
                raise ValueError(
                    f"{name} may be a secret, which is no setting; set it in the environment, as"
                    " AWS_SECRET_ACCESS_KEY is"
                )
        return options
