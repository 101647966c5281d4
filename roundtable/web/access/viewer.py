"""What one visitor may see and change, asked anew each time: what is taken back is gone at once."""

from collections.abc import Callable, Sequence

from starlette.exceptions import HTTPException
from starlette.requests import Request

from roundtable.config.errors import InputError
from roundtable.journal.storage.people.accounts import Account
from roundtable.journal.storage.people.sharing import Kind, Role, Sharing, reaches
from roundtable.web.access.searchable import searchable
from roundtable.web.access.visitors import Visitor
from roundtable.web.schemas import NewSession

VIEWER = "roundtable.viewer"
"""Under which a request's scope holds its viewer, once its address was judged."""


class Viewer:
    """Somebody who asks; one object belongs to one request."""

    def __init__(self, sharing: Sharing, again: Callable[[], Visitor | None]) -> None:
        """Take who asks.

        Args:
            sharing: What is whose.
            again: Looks once more who sent the request, for answers that last: an account may be removed, a
                token revoked, a browser signed out meanwhile.
        """
        self._sharing = sharing
        self._again = again

    @property
    def unrestricted(self) -> bool:
        """Whether there are no accounts here, and everything may be done."""
        visitor = self._again()
        return visitor is not None and visitor.unrestricted

    @property
    def account(self) -> Account | None:
        """Whose request it is; None: there are no accounts here, or nobody's any more."""
        visitor = self._again()
        return visitor.account if visitor is not None else None

    @property
    def whose(self) -> str:
        """The id of the account, as work is counted by; empty: there are no accounts here."""
        account = self.account
        return account.id if account is not None else ""

    @property
    def name(self) -> str:
        """How the account is called, as what is said in a session carries it; empty: no accounts here."""
        account = self.account
        return account.name if account is not None else ""

    def role(self, kind: Kind, thing: str) -> Role | None:
        """Return what may be done with something now; None: nothing, or there is no such thing."""
        visitor = self._again()
        if visitor is None:
            return None
        if visitor.unrestricted:
            return "owner"
        return self._sharing.role(visitor.account, kind, thing) if visitor.account else None

    def may(self, kind: Kind, thing: str, least: Role = "reader") -> bool:
        """Tell whether something may be read, edited or owned now."""
        return reaches(self.role(kind, thing), least)

    def roles(self, kind: Kind) -> dict[str, Role] | None:
        """Return all that may be seen of a kind; None: everything."""
        visitor = self._again()
        if visitor is None or (visitor.account is None and not visitor.unrestricted):
            return {}
        return self._sharing.roles(visitor.account, kind) if visitor.account else None

    def own(self, kind: Kind, thing: str) -> bool:
        """Make something new this visitor's own; what he may edit already stays as it is.

        Returns:
            Whether it was nobody's before, and is his now.

        Raises:
            HTTPException: it is somebody else's, or whoever asks is nobody any more.
        """
        visitor = self._again()
        if visitor is None:
            raise HTTPException(401, "sign in first")
        account = visitor.account
        if account is None:
            return False
        if self._sharing.own(kind, thing, account):
            return True
        if self.may(kind, thing, "editor"):
            return False
        raise unknown(kind, thing)

    def forget(self, kind: Kind, thing: str) -> None:
        """Forget whose something was that is gone."""
        if not self.unrestricted:
            self._sharing.forget(kind, thing)

    # What a session or another work is given to search

    def docs(self, names: Sequence[str]) -> list[str]:
        """Return names of documents that may be searched: those given, if they may.

        Raises:
            InputError: one may not, or there is none such; the message does not tell which.
        """
        for name in names:
            if not self.unrestricted and not searchable(name, self.may):
                raise InputError(f"{name}: there is no collection of that name that you may search")
        return list(names)

    def order(self, wanted: NewSession) -> NewSession:
        """Return an order for a session as it was given, if it may be given.

        Raises:
            InputError: it names what may not be read, or a server that keys would go to.
        """
        if not self.unrestricted:
            self.docs(wanted.docs)
            if wanted.follows and not self.may("session", wanted.follows):
                raise InputError(f"there is no session {wanted.follows} that you may go on from")
            if wanted.base_url:
                raise InputError("base_url: whoever runs this server alone names the server of its models")
        return wanted


def viewer_of(request: Request) -> Viewer:
    """Return who sent a request whose address was judged; without that there is none, and no answer."""
    viewer = request.scope.get(VIEWER)
    if not isinstance(viewer, Viewer):
        raise HTTPException(401, "sign in first")
    return viewer


def unknown(kind: Kind, thing: str) -> HTTPException:
    """Return the answer to who asks for what is not there, and for what is not his: one and the same."""
    return HTTPException(404, f"there is no {kind} {thing}")
