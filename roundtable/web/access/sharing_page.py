"""With whom something is shared, as its owner sees and changes it on the page."""

from typing import Any, Literal

from roundtable.config.errors import InputError
from roundtable.journal.storage.people.accounts import Accounts
from roundtable.journal.storage.people.sharing import Kind, Role, Sharing
from roundtable.web.schemas import ShareRequest


class SharingPage:
    """What the share dialog asks and says."""

    def __init__(self, accounts: Accounts, sharing: Sharing) -> None:
        self._accounts = accounts
        self._sharing = sharing

    def told(self, kind: Kind, thing: str) -> dict[str, Any]:
        """Return with whom something is shared, by name, and who else there is."""
        names = {account.id: account.name for account in self._accounts.all()}
        shared = self._sharing.shared(kind, thing)
        if shared is None:
            raise InputError("there are no accounts here, so everybody who is let in sees everything")
        people = [{"name": names[one], "role": role} for one, role in shared.people.items() if one in names]
        others = names.keys() - {shared.owner, *shared.people}
        return {
            "owner": names.get(shared.owner, ""),
            "team": shared.team or "",
            "people": sorted(people, key=lambda one: one["name"].casefold()),
            "others": sorted((names[one] for one in others), key=str.casefold),
        }

    def change(self, kind: Kind, thing: str, wanted: ShareRequest) -> dict[str, Any]:
        """Share with somebody, or with all; return what `told` does.

        Raises:
            InputError: there is no such person, or it is the owner.
        """
        shared = self._sharing.shared(kind, thing)
        if shared is None:
            raise InputError("there are no accounts here, so everybody who is let in sees everything")
        if wanted.team is not None:
            self._sharing.open_to_team(kind, thing, _role(wanted.team))
        if wanted.person is not None:
            account = self._accounts.named(wanted.person)
            if account.id == shared.owner:
                raise InputError(f"{account.name} is the owner already")
            self._sharing.share(kind, thing, account, _role(wanted.role))
        return self.told(kind, thing)


def _role(said: Literal["", "reader", "editor"]) -> Role | None:
    return said or None
