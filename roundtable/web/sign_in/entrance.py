"""How a browser comes in and goes: by a link, by an issuer of OpenID Connect; and the page once it is in."""

from collections.abc import Callable
from urllib.parse import urlencode, urlsplit

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, RedirectResponse, Response
from starlette.routing import BaseRoute, Route

from roundtable.config.errors import InputError, IssuerAway, JournalError, NotAdmitted, SignInFailed
from roundtable.journal.storage.people.accounts import Accounts
from roundtable.web.access.keys import COOKIE_SECONDS, KeyClaim, Keys, same_secret
from roundtable.web.access.served_address import ServedAddress
from roundtable.web.access.visitors import VISITOR, Visitors
from roundtable.web.routes.request_body import json_body
from roundtable.web.sign_in.entrance_pages import STATIC, invited, not_signed_in, refused, signed_in
from roundtable.web.sign_in.openid import BEGUN_SECONDS, OpenIdSignIn

BACK = "sign-in/back"
"""Where an issuer sends browsers back to, below the page's address."""


class Entrance:
    """What the addresses answer by which people come in."""

    def __init__(
        self, visitors: Visitors, keys: Keys, place: ServedAddress, accounts: Accounts,
        openid: OpenIdSignIn | None,
    ) -> None:  # fmt: skip
        """Take who is known.

        Args:
            visitors: Tells who sends requests.
            keys: Of cookies and invitations.
            place: The server's, with its cookie.
            accounts: Those of its database.
            openid: Signs in whom an issuer vouches for; None: nobody is signed in so.
        """
        self._visitors = visitors
        self._keys = keys
        self._place = place
        self._accounts = accounts
        self._openid = openid
        self._begun = f"{place.cookie}-sign-in"

    @property
    def routes(self) -> list[BaseRoute]:
        """The addresses of the way in, and out."""
        return [
            Route("/", self.page),
            Route("/join", self.page),
            Route("/sign-in", self.sign_in),
            Route(f"/{BACK}", self.back),
            Route("/api/sign-out", self.sign_out, methods=["POST"]),
        ]

    async def page(self, request: Request) -> Response:
        """The page itself, or the way in."""
        token = request.query_params.get("token", "")
        known = request.scope.get(VISITOR) is not None
        if token and known:
            return RedirectResponse("/", 303)
        if token:
            return self._asked_first(token) if _is_led_here(request) else self._let_in(token)
        return FileResponse(STATIC / "index.html") if known else self._not_signed_in()

    def _not_signed_in(self) -> Response:
        if self._openid is None:
            return not_signed_in(None)
        settings = self._openid.settings
        return not_signed_in(settings.name or str(urlsplit(settings.issuer).hostname))

    def _let_in(self, token: str) -> Response:
        claim = self._claim(token, self._keys.accept)
        if claim is None or self._visitors.known(claim) is None:
            return self._not_signed_in()
        return self._known(RedirectResponse("/", 303), claim, COOKIE_SECONDS)

    def _asked_first(self, token: str) -> Response:
        """Say whom a link lets in that another site led to, and let the person decide; nothing is used up.

        Browsers send no strict cookie with such a request, so whoever is signed in looks like nobody: else
        any site could put anybody into an account of its own choice.
        """
        claim = self._claim(token, self._keys.claim)
        visitor = self._visitors.known(claim) if claim is not None else None
        if visitor is None:
            return self._not_signed_in()
        return invited(token, visitor.account.name if visitor.account else "")

    def _claim(self, token: str, kept: Callable[[str], KeyClaim | None]) -> KeyClaim | None:
        """Return whom a token is for: the one that the server was started with, or of an invitation."""
        given = "" if self._visitors.with_accounts else self._place.token
        return KeyClaim() if given and same_secret(token, given) else kept(token)

    def _known(self, answer: Response, who: KeyClaim, seconds: int) -> Response:
        """Give a browser the cookie by which it is known from now on."""
        answer.set_cookie(
            self._place.cookie,
            self._keys.cookie(self._place.port, who, seconds),
            max_age=seconds,
            httponly=True,
            samesite="strict",
            secure=self._place.tls,
        )
        return answer

    async def sign_out(self, request: Request) -> Response:
        """Forget this browser, whoever has a copy of its cookie; others of the same person stay signed in."""
        await json_body(request)
        self._keys.end(request.cookies.get(self._place.cookie, ""), self._place.port)
        answer = JSONResponse({"done": "signed out"})
        answer.delete_cookie(self._place.cookie, httponly=True, samesite="strict", secure=self._place.tls)
        return answer

    # By an issuer of OpenID Connect

    def _configured(self) -> OpenIdSignIn:
        if self._openid is None:
            raise HTTPException(404, "nobody signs in by OpenID Connect here")
        return self._openid

    async def sign_in(self, request: Request) -> Response:
        """Send a browser to the issuer."""
        openid = self._configured()
        wanted, choosing = request.query_params.get("next", ""), "choose" in request.query_params
        served = urlsplit(openid.back)
        if request.headers.get("host") not in {served.netloc, served.hostname}:
            # It would come back under another name than it has its cookie for.
            asked = {**({"next": wanted} if wanted else {}), **({"choose": "1"} if choosing else {})}
            place = f"{openid.back.removesuffix(BACK)}sign-in"
            return RedirectResponse(f"{place}?{urlencode(asked)}" if asked else place, 303)
        try:
            begun = await openid.begin(wanted, choosing=choosing)
        except SignInFailed as failure:
            return self._refused(failure)
        answer = RedirectResponse(begun.address, 303)
        answer.set_cookie(
            self._begun, begun.kept, max_age=BEGUN_SECONDS, httponly=True, samesite="lax",
            secure=self._place.tls,
        )  # fmt: skip
        return answer

    async def back(self, request: Request) -> Response:
        """Take in a browser that the issuer sends back, once."""
        openid = self._configured()
        kept = request.cookies.get(self._begun, "")
        try:
            account, place = await openid.finish(request.query_params, kept, self._accounts)
        except (SignInFailed, InputError, JournalError) as failure:
            answer = self._refused(failure)
        else:
            who = KeyClaim(account.id, account.generation)
            answer = self._known(signed_in(place), who, int(openid.settings.hours * 3600))
        answer.delete_cookie(self._begun, httponly=True, samesite="lax", secure=self._place.tls)
        return answer

    @staticmethod
    def _refused(failure: Exception) -> Response:
        status = 503 if isinstance(failure, IssuerAway | JournalError) else 403
        return refused(str(failure), status, choosing=isinstance(failure, NotAdmitted))


def _is_led_here(request: Request) -> bool:
    """Tell whether a page of another site led here, or something looks at the link for somebody else.

    A link in a terminal or a letter is nobody's page.
    """
    site = request.headers.get("sec-fetch-site", "none")
    return request.method == "HEAD" or site not in {"none", "same-origin"}
