"""What a viewer's work that is no session may spend on models: it counts for whoever asked for it."""

from dataclasses import dataclass

from models import Usage
from roundtable.journal.storage.people.quotas import Quotas
from roundtable.web.access.viewer import Viewer


@dataclass(frozen=True, slots=True)
class AccountSpending:
    """What one account spends; to be used on the server's loop."""

    quotas: Quotas
    account: str
    """Its id."""

    def check(self) -> None:
        """Raise QuotaReached when nothing is left of the day."""
        self.quotas.check(self.account)

    def count(self, usage: Usage) -> None:
        """Count what one request used."""
        self.quotas.count(self.account, usage)


def spending_of(quotas: Quotas, viewer: Viewer) -> AccountSpending | None:
    """Return what a viewer spends; None: there are no accounts here. Raises QuotaReached: nothing is left."""
    account = viewer.account
    if account is None:
        return None
    spending = AccountSpending(quotas, account.id)
    spending.check()
    return spending
