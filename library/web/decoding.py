"""Decoding a body bit by bit, never past a limit: a few kilobytes can stand for gigabytes."""

import zlib

from library.errors import FetchError

ACCEPTED = "gzip, deflate"
"""For Accept-Encoding: what `Inflate` reads."""

_GZIP_OR_ZLIB = 32 + zlib.MAX_WBITS


class Inflate:
    """Collects a body and decodes its Content-Encoding, up to a number of bytes."""

    def __init__(self, encoding: str, limit: int) -> None:
        """Prepare for an encoding. Raises FetchError for one that was not asked for."""
        coding = encoding.strip().lower()
        if coding not in ("", "identity", "gzip", "x-gzip", "deflate"):
            raise FetchError(f"the page is encoded as '{coding[:40]}', which was not asked for")
        self._decoder = None if coding in ("", "identity") else zlib.decompressobj(_GZIP_OR_ZLIB)
        self._raw_is_possible = coding == "deflate"
        self._limit = limit
        self._parts: list[bytes] = []
        self._size = 0
        self._received = 0

    def expect(self, length: str) -> None:
        """Take a Content-Length header. Raises FetchError when it is past the limit already."""
        if length.isdecimal() and (len(length) > 15 or int(length) > self._limit):
            raise self._too_large()

    def feed(self, part: bytes) -> None:
        """Take the next bytes. Raises FetchError when the limit is passed or the encoding is broken."""
        self._received += len(part)
        if self._received > self._limit:
            raise self._too_large()
        while part:
            part = self._decode(part)

    def _decode(self, part: bytes) -> bytes:
        """Decode within what is left of the limit; return what the decoder has not looked at yet."""
        if self._decoder is None:
            self._keep(part)
            return b""
        if self._decoder.eof:  # a further gzip member, or padding
            self._decoder = zlib.decompressobj(_GZIP_OR_ZLIB)
            part = part.lstrip(b"\0")
        try:
            decoded = self._decoder.decompress(part, self._limit - self._size + 1)
        except zlib.error as error:
            if not self._raw_is_possible or self._size:
                raise FetchError(f"the page's compression is broken ({error})") from error
            self._decoder = zlib.decompressobj(-zlib.MAX_WBITS)  # some servers send bare deflate
            self._raw_is_possible = False
            return part
        self._raw_is_possible = False
        self._keep(decoded)
        return self._decoder.unused_data if self._decoder.eof else self._decoder.unconsumed_tail

    def _keep(self, decoded: bytes) -> None:
        self._size += len(decoded)
        if self._size > self._limit:
            raise self._too_large()
        self._parts.append(decoded)

    def _too_large(self) -> FetchError:
        return FetchError(f"the page is larger than {self._limit / 1_000_000:g} MB")

    def finish(self) -> bytes:
        """Return the whole body. Raises FetchError when it ends in the middle of its compression."""
        if self._decoder is not None and self._received and not self._decoder.eof:
            raise FetchError("the page's compression ends in the middle")
        return b"".join(self._parts)
