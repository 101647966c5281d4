"""What can go wrong around a session, as one tree; each error knows the exit code that a command ends with.

RoundtableError           1
├── ConfigError           2   a setting is unknown, or has a wrong value
├── InputError            2   what was asked for cannot be done as asked
│   ├── ExpertMissing     2   an AutoGen agent of the session is not here
│   ├── NothingToSearch   2   it is offline, and no documents are named
│   ├── OutputError       2   the output folder cannot be used
│   └── SessionUnknown    2   no session, or more than one, has that id
├── QuotaReached          2   whose session it is has used up what he may
├── SignInFailed          1   somebody who signs in by OpenID Connect is not let in
│   └── IssuerAway        1   the issuer that should vouch for him cannot be reached
└── JournalError          1   the journal cannot be opened, read or written
    ├── JournalTooNew     1   a newer version of the program wrote the journal
    └── SessionLocked     2   another process is running the session
"""

from typing import TYPE_CHECKING, ClassVar

if TYPE_CHECKING:  # pydantic is half of what it takes to list sessions, and no error needs it
    from pydantic_core import ErrorDetails


class RoundtableError(Exception):
    """The root of this room's errors; the message says what is wrong and what to do."""

    exit_code: ClassVar[int] = 1


class ConfigError(RoundtableError):
    """One or more settings are wrong; the message has a line for each."""

    exit_code = 2


class InputError(RoundtableError):
    """What was asked for cannot be done as asked."""

    exit_code = 2


class ExpertMissing(InputError):
    """A session goes on with an AutoGen agent as an expert, and the agent is not here."""


class OutputError(InputError):
    """The output folder cannot be used."""


class SessionUnknown(InputError):
    """No session has that id, or more than one does."""


class NothingToSearch(InputError):
    """What is asked is offline, and was given no documents."""


class SearchRefused(InputError):
    """What a session was given to search is gone, or is its owner's to search no longer."""


class QuotaReached(RoundtableError):
    """Whose session it is has used up what a person may use."""

    exit_code = 2


class SignInFailed(RoundtableError):
    """Somebody who signs in by OpenID Connect is not let in."""


class NotAdmitted(SignInFailed):
    """The issuer vouches for somebody who may not sign in here."""


class ClientRefused(SignInFailed):
    """The issuer does not know this server, or has another secret for it."""


class IssuerAway(SignInFailed):
    """The issuer that should vouch for somebody cannot be reached."""


class JournalError(RoundtableError):
    """The journal cannot be opened, read or written."""


class JournalTooNew(JournalError):
    """A newer version of the program wrote the journal: that is no damage."""


class SessionLocked(JournalError):
    """Another process is running the session."""

    exit_code = 2


def wrong_value(error: "ErrorDetails") -> str:
    """Return what pydantic says of a wrong value, to stand behind its name: `give a date as 2024, …`."""
    if error["type"] == "extra_forbidden":
        return "there is no such field"
    said = error["msg"].removeprefix("Value error, ")
    return said[:1].lower() + said[1:]
