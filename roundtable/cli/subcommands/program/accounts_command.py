"""`roundtable accounts`: the people of a team's server, their tokens, and what is shared with whom."""

from shlex import quote
from typing import TYPE_CHECKING

import click

from roundtable.cli.help_words import WholeGroup
from roundtable.cli.near_commands import NearChoice
from roundtable.terminal.safe_output import say, tell

if TYPE_CHECKING:
    from collections.abc import Callable

    from roundtable.journal.storage.journal_store import Journal
    from roundtable.journal.storage.people.accounts import Account
    from roundtable.journal.storage.people.sharing import Kind, Role

URL = "http://127.0.0.1:8420"
_url = click.option(
    "--url", default=URL, show_default=True, metavar="URL", help="Where browsers find the server."
)


@click.group("accounts", cls=WholeGroup)
def command() -> None:
    """Give each person of a team an account at `roundtable serve`.

    With the first account a server shows each person what is theirs or shared with them, and nothing else.
    Commands on this machine see all sessions as before. Start servers that are running again.
    """


@command.command("add")
@click.argument("name")
@_url
def add(name: str, url: str) -> None:
    """Make an account, and print a link that signs its person in, once, within a day."""
    from roundtable.cli.journals import open_journal

    with open_journal() as journal:
        first = not journal.accounts().are_on()
        # Whatever keeps a link from being made is found before there is an account without one.
        link = _links(url)
        account = journal.accounts().add(name)
    say(link(account))
    if first:
        tell(
            "This is the first account: start servers again that are running. Sessions and collections that "
            "are there already are seen by nobody with an account until `roundtable accounts share` says so"
        )


@command.command("invite")
@click.argument("name")
@_url
def invite(name: str, url: str) -> None:
    """Print another link for an account: for another browser, or because the last one was not used."""
    from roundtable.cli.journals import open_journal

    with open_journal() as journal:
        account = journal.accounts().named(name)
    say(_links(url)(account))


def _links(url: str) -> "Callable[[Account], str]":
    """Return what makes a link for an account. Raises InputError, KeysUnusable."""
    from roundtable.session.factory import Runtime
    from roundtable.web.access.keys import Keys
    from roundtable.web.serving import Serving, check

    check(Serving(url=url))
    keys = Keys(Runtime().together)
    return lambda account: f"{url.rstrip('/')}/?token={keys.invite(account.id, account.generation)}"


@command.command("list")
def list_accounts() -> None:
    """List the accounts."""
    from roundtable.cli.journals import open_journal
    from roundtable.output.clean import counted

    with open_journal() as journal:
        accounts, sharing, quotas = journal.accounts(), journal.sharing(), journal.quotas()
        if not accounts.all():
            tell("there are no accounts here, so everybody who is let in sees everything", error=True)
        for account in accounts.all():
            roles = sharing.roles(account, "session").values()
            owned = sum(role == "owner" for role in roles)
            tokens, (used, money) = len(accounts.tokens(account)), quotas.used(account.id)
            tell(
                f"{account.name}: since {account.created[:10]}, {counted(owned, 'session')}, "
                f"{counted(len(roles) - owned, 'session')} shared, {counted(tokens, 'token')} for scripts; "
                f"today {counted(used, 'token')} of models, {money:.2f} dollars"
            )
            for known in accounts.identities().of(account.id):
                tell(f"{account.name}: signs in as {known.email or known.subject} through {known.issuer}")
            for address in accounts.identities().expected(account.id):
                tell(f"{account.name}: expected to sign in as {address}")


@command.command("remove")
@click.argument("name")
@click.option("--give-to", metavar="NAME", help="Who owns what this account owned from now on.")
def remove(name: str, give_to: str | None) -> None:
    """Remove an account: its browsers and tokens let nobody in any more."""
    from roundtable.cli.journals import open_journal

    with open_journal() as journal:
        account = journal.accounts().named(name)
        heir = journal.accounts().named(give_to) if give_to is not None else None
        journal.accounts().remove(account)
        if heir is not None:
            journal.sharing().give_all(account, heir)
    tell(f"{account.name} has no account any more")


@command.command("connect")
@click.argument("name")
@click.argument("address")
def connect(name: str, address: str) -> None:
    """Let whoever first signs in by OpenID Connect with a verified address be this account, also later."""
    from roundtable.cli.journals import open_journal

    with open_journal() as journal:
        accounts = journal.accounts()
        account = accounts.named(name)
        accounts.identities().expect(address, account.id)
        others = [
            accounts.of_id(one) for one in accounts.identities().known_with(address) if one != account.id
        ]
    tell(f"who signs in with {address} is {account.name}")
    for other in others:
        if other is not None:
            tell(
                f"but {address} has signed in before, as {other.name}, and stays that until "
                f"`roundtable accounts disconnect {quote(other.name)}`"
            )


@command.command("disconnect")
@click.argument("name")
def disconnect(name: str) -> None:
    """Let nobody sign in as an account by OpenID Connect any more; browsers that are in are signed out."""
    from roundtable.cli.journals import open_journal

    with open_journal() as journal:
        account = journal.accounts().named(name)
        journal.accounts().identities().forget(account.id)
        journal.accounts().sign_out(account)
    tell(f"nobody signs in as {account.name} but by a link")


@command.command("sign-out")
@click.argument("name")
def sign_out(name: str) -> None:
    """Sign an account out of every browser; its tokens stay."""
    from roundtable.cli.journals import open_journal

    with open_journal() as journal:
        journal.accounts().sign_out(journal.accounts().named(name))
    tell(f"{name} is signed out everywhere")


@command.command("limit")
@click.argument("name", required=False)
@click.option("--everybody", is_flag=True, help="Whoever has no limit of that kind of their own.")
@click.option("--sessions", type=click.IntRange(0), metavar="N", help="That run at the same time.")
@click.option("--tokens", type=click.IntRange(0), metavar="N", help="A day, of prompts and replies together.")
@click.option("--money", type=click.FloatRange(0), metavar="DOLLARS", help="US dollars a day.")
def limit(
    name: str | None, everybody: bool, sessions: int | None, tokens: int | None, money: float | None
) -> None:
    """Limit what an account's sessions may use, in place of its limits before; with nothing named, lift them.

    A session counts for its owner, whoever steers it. A new one is given a budget of at most what is left of
    the day (UTC). Audits and comparisons count for who asks for them.
    """
    from roundtable.cli.journals import open_journal
    from roundtable.config.errors import InputError
    from roundtable.journal.storage.people.quotas import Quota

    if (name is None) is not everybody:
        raise InputError("accounts limit: name an account, or say --everybody")
    with open_journal() as journal:
        account = journal.accounts().named(name) if name is not None else None
        journal.quotas().limit(account, Quota(sessions, tokens, money))
    told = {"sessions at once": sessions, "tokens a day": tokens, "dollars a day": money}
    shown = ", ".join(f"{value} {what}" for what, value in told.items() if value is not None)
    tell(f"{account.name if account else 'everybody'}: {shown or 'no limit of their own'}")


@command.command("token")
@click.argument("name")
@click.option("--label", default="", metavar="TEXT", help="What it is for, as `tokens` lists it.")
def token(name: str, label: str) -> None:
    """Print a new token for an account's scripts. It is shown this once; its hash alone is kept."""
    from roundtable.cli.journals import open_journal

    with open_journal() as journal:
        say(journal.accounts().new_token(journal.accounts().named(name), label))


@command.command("tokens")
@click.argument("name")
def tokens(name: str) -> None:
    """List an account's tokens, by the ids that `revoke` takes."""
    from roundtable.cli.journals import open_journal

    with open_journal() as journal:
        for one in journal.accounts().tokens(journal.accounts().named(name)):
            say(f"{one.id}  {one.created[:10]}  {one.label}".rstrip())


@command.command("revoke")
@click.argument("token_id", metavar="TOKEN-ID")
def revoke(token_id: str) -> None:
    """Make a token worthless."""
    from roundtable.cli.journals import open_journal
    from roundtable.config.errors import InputError

    with open_journal() as journal:
        if not journal.accounts().revoke(token_id):
            raise InputError(f"there is no token {token_id}: see `roundtable accounts tokens NAME`")
    tell(f"the token {token_id} is worth nothing any more")


@command.command("share")
@click.argument("thing", metavar="SESSION|COLLECTION")
@click.option("--collection", is_flag=True, help="It is the name of a collection, not a session's id.")
@click.option("--owner", metavar="NAME", help="Who owns it from now on.")
@click.option(
    "--team", type=NearChoice(["reader", "editor", "none"]), help="What everybody with an account may do."
)
@click.option("--with", "person", metavar="NAME", help="Somebody who may read it, or what --as says.")
@click.option(
    "--as", "role", type=NearChoice(["reader", "editor", "none"]), default="reader", show_default=True,
    help="What that person may do.",
)  # fmt: skip
def share(
    thing: str, collection: bool, owner: str | None, team: str | None, person: str | None, role: str
) -> None:
    """Give a session or a collection an owner, share it, and say with whom it is shared."""
    from roundtable.cli.journals import open_journal
    from roundtable.config.config import home
    from roundtable.config.errors import InputError

    with open_journal() as journal:
        kind, name = _named(journal, thing, collection=collection)
        accounts, sharing = journal.accounts(), journal.sharing(home())
        if owner is not None:
            sharing.give(kind, name, accounts.named(owner))
        if sharing.shared(kind, name) is None:
            raise InputError(f"{thing} is nobody's yet: say whose it is, with --owner NAME")
        if team is not None:
            sharing.open_to_team(kind, name, _role(team))
        if person is not None:
            sharing.share(kind, name, accounts.named(person), _role(role))
        names = {account.id: account.name for account in accounts.all()}
        shared = sharing.shared(kind, name)
        assert shared is not None
        called = thing if collection else name
        tell(f"{called} is owned by {names.get(shared.owner, 'an account that was removed')}")
        if shared.team:
            tell(f"everybody with an account: {shared.team}")
        for one, given in shared.people.items():
            tell(f"{names.get(one, one)}: {given}")


def _named(journal: "Journal", thing: str, *, collection: bool) -> "tuple[Kind, str]":
    from roundtable.config.config import home
    from roundtable.config.search_places import collections
    from roundtable.session.document_collections import named_collection

    if not collection:
        return "session", journal.find(thing)
    return "collection", thing if thing in collections(home()) else named_collection(home(), thing)


def _role(said: str) -> "Role | None":
    roles: dict[str, Role] = {"reader": "reader", "editor": "editor"}
    return roles.get(said)
