from pathlib import Path

import pytest

from roundtable.web.access.keys import COOKIE_SECONDS, INVITATION_SECONDS, KeyClaim, Keys, KeysUnusable


class Time:
    def __init__(self) -> None:
        self.now = 1_800_000_000.0

    def __call__(self) -> float:
        return self.now


def test_an_invitation_is_used_once_by_any_server_of_the_home(tmp_path: Path) -> None:
    token = Keys(tmp_path).invite()
    assert Keys(tmp_path).accept(token)
    assert not Keys(tmp_path).accept(token)
    assert not Keys(tmp_path).accept("")
    assert not Keys(tmp_path).accept("../signing-key")


def test_an_invitation_that_is_too_old_lets_nobody_in(tmp_path: Path) -> None:
    time = Time()
    keys = Keys(tmp_path, time)
    token = keys.invite()
    time.now += INVITATION_SECONDS + 1
    assert not keys.accept(token)


def test_what_was_made_while_the_clock_stood_in_the_future_is_good_no_longer_than_any_other(
    tmp_path: Path,
) -> None:
    time = Time()
    keys = Keys(tmp_path, time)
    for back, good in ((60, True), (365 * 86_400, False)):
        token, cookie, sealed = keys.invite(), keys.cookie(8420), keys.sealed("x", "text", 600)
        time.now -= back
        assert (keys.accept(token) is not None) is good
        assert (keys.admits(cookie, 8420) is not None) is good
        assert (keys.unsealed("x", sealed) is not None) is good


def test_a_cookie_outlives_a_restart_and_is_good_for_one_port(tmp_path: Path) -> None:
    time = Time()
    cookie = Keys(tmp_path, time).cookie(8420)
    again = Keys(tmp_path, time)
    assert again.admits(cookie, 8420)
    assert not again.admits(cookie, 8421)
    time.now += COOKIE_SECONDS + 1
    assert not again.admits(cookie, 8420)


@pytest.mark.parametrize("forged", ["", ".", "..", "9999999999.x.", "é", "9999999999.nonce.00"])
def test_a_forged_cookie_is_refused(tmp_path: Path, forged: str) -> None:
    keys = Keys(tmp_path)
    assert not keys.admits(forged, 1)
    expires, nonce, signature = keys.cookie(1).split(".")
    assert not keys.admits(f"{int(expires) + 1}.{nonce}.{signature}", 1)


def test_keys_are_readable_by_their_owner_alone(tmp_path: Path) -> None:
    keys = Keys(tmp_path)
    keys.bearer()
    keys.invite()
    files = [path for path in (tmp_path / "web").rglob("*") if path.is_file()]
    assert len(files) == 3
    assert {path.stat().st_mode & 0o777 for path in files} == {0o600}
    (tmp_path / "web" / "signing-key").chmod(0o644)
    with pytest.raises(KeysUnusable, match="others may read"):
        Keys(tmp_path)


def test_an_invitation_that_cannot_be_kept_is_told(tmp_path: Path) -> None:
    keys = Keys(tmp_path)
    (tmp_path / "web" / "invitations").rmdir()
    (tmp_path / "web" / "invitations").write_text("")  # as a disk that takes no file
    with pytest.raises(KeysUnusable, match="cannot keep an invitation in .*: Not a directory"):
        keys.invite()


def test_the_token_itself_is_nowhere_on_the_disk(tmp_path: Path) -> None:
    token = Keys(tmp_path).invite()
    for path in (tmp_path / "web").rglob("*"):
        assert token not in path.name
        assert path.is_dir() or token not in path.read_text()


def test_a_cookie_that_was_signed_out_admits_nobody_until_it_is_too_old(tmp_path: Path) -> None:
    time = Time()
    keys, other = Keys(tmp_path, time), Keys(tmp_path, time)
    cookie, stays = keys.cookie(1, KeyClaim("abcd", 3)), keys.cookie(1, KeyClaim("abcd", 3))
    keys.end("1.x.forged", 1)
    keys.end(cookie, 2)
    assert other.admits(cookie, 1) == KeyClaim("abcd", 3)
    keys.end(cookie, 1)
    assert other.admits(cookie, 1) is None, "another server of the home knows it, too"
    assert keys.admits(stays, 1) == KeyClaim("abcd", 3)
    ended = list((tmp_path / "web" / "signed-out").iterdir())
    assert len(ended) == 1
    assert cookie not in ended[0].name + ended[0].read_text()
    time.now += COOKIE_SECONDS + 7_200
    later = keys.cookie(1)
    keys.end(later, 1)
    assert not ended[0].exists()
    assert keys.admits(later, 1) is None
