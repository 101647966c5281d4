"""Whatever strangers send is read, or refused with the error that is meant for it: never anything else."""

import contextlib
import gzip
import zlib

from hypothesis import example, given
from hypothesis import strategies as st

from library.errors import FetchError, ReadError
from library.readers.html.html_reader import _hidden_names, _hides
from library.readers.pdf.pdf_reader import flow
from library.readers.text_files.front_matter import front_matter
from library.readers.text_files.plain_text import binary_kind, decode, html_charset, seen, tidy
from library.web.decoding import Inflate
from library.web.media_types import content_type, sniffed
from library.web.page_cache import fresh_for
from library.web.url_policy import refusal, split_allowed, target
from models.client import retry_after

URLISH = st.text(alphabet=st.sampled_from("htps:/@[]%.?#\\127。①:x0-_ \n\u202e例"), max_size=40)


@given(
    st.one_of(
        st.text(max_size=60), URLISH, URLISH.map("http://".__add__), URLISH.map("https://user@".__add__)
    )
)
@example("http://[::ffff:1.2.3.4%25x]/")
@example("http://xn--/")
@example("http://a" + ".a" * 200)
@example("http://\ud800/")
def test_any_url_is_a_target_or_refused(url):
    with contextlib.suppress(FetchError):
        place = target(url)
        assert place.scheme in ("http", "https")
        assert place.host
        assert place.port in (80, 443)
        assert "@" not in place.origin


@given(st.text(max_size=40))
def test_any_address_is_judged(address):
    refusal(address)
    with contextlib.suppress(ValueError):
        split_allowed(address)


@given(st.text(max_size=80), st.text(max_size=80), st.text(max_size=20))
def test_any_header_is_read(control, expires, age):
    fresh = fresh_for({"cache-control": control, "expires": expires, "age": age}, 0.0, 1.0)
    assert fresh is None or fresh >= 0.0
    assert content_type(control)[0] == content_type(control)[0].lower()
    wait = retry_after(age, 0.0)
    assert wait is None or wait >= 0.0


@given(st.binary(max_size=400), st.sampled_from(["", "gzip", "deflate"]), st.integers(1, 7))
def test_any_body_is_unpacked_or_refused_within_the_limit(data, encoding, step):
    body = Inflate(encoding, 1000)
    with contextlib.suppress(FetchError):
        for at in range(0, len(data), step):
            body.feed(data[at : at + step])
        assert len(body.finish()) <= 1000


@given(st.binary(max_size=900), st.sampled_from([gzip.compress, zlib.compress]), st.integers(1, 50))
def test_what_was_packed_comes_out_whole_in_any_pieces(data, pack, step):
    body, packed = Inflate("gzip" if pack is gzip.compress else "deflate", 1000), pack(data)
    for at in range(0, len(packed), step):
        body.feed(packed[at : at + step])
    assert body.finish() == data


@given(
    st.binary(max_size=300),
    st.one_of(st.none(), st.text(max_size=12), st.sampled_from(["gbk", "hex", "utf-7"])),
)
def test_any_bytes_are_text_or_refused(data, declared):
    sniffed(data)
    binary_kind(data)
    html_charset(data)
    with contextlib.suppress(ReadError):
        assert isinstance(decode(data, declared), str)


@given(st.text(max_size=300))
def test_cleaning_twice_is_cleaning_once(text):
    once = seen(text)
    assert seen(once) == once
    assert tidy(tidy(once)) == tidy(once)
    assert not set(once) & set("\r\x00\x1b\u200b\u2028\u202e\ufeff\U000e0041")


@given(st.text(max_size=300).map("---\n".__add__), st.text(max_size=50))
def test_any_front_matter_is_read(block, body):
    text = f"{block}\n---\n{body}"
    found = front_matter(text)
    assert 0 <= found.body_start <= len(text)


@given(st.text(alphabet=st.sampled_from(".#a{}@;:/* \ndisplay:none,"), max_size=120))
def test_any_style_sheet_is_read(sheet):
    _hidden_names(sheet)
    _hides(sheet)


@given(st.text(max_size=300))
def test_any_page_of_a_pdf_flows(text):
    assert "\n\n\n" not in flow(text)
