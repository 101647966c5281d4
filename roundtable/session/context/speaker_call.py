"""Who is called for what: the contract between whoever calls speakers and whoever judges what they say."""

from dataclasses import dataclass

from agents import SpeakRequest


@dataclass(frozen=True, slots=True)
class SpeakerCall:
    """A speaker is called for something."""

    speaker: str
    request: SpeakRequest
