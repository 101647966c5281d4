"""Classing of faults by what errors carry, for errors that a loopback server cannot provoke."""

import socket
import ssl

import httpx2
import pytest

from models.client.error_classes import Address, Fault, by_status, classify

ADDRESS = Address("openai:m", "m", "https://api.example.org/v1", "OPENAI_API_KEY", ("sk-secret",))


def caused(error, *causes):
    link = error
    for cause in causes:
        link.__cause__ = cause
        link = cause
    return error


@pytest.mark.parametrize(
    ("error", "way", "words", "about"),
    [
        (caused(OSError("x"), socket.gaierror(-2, "unknown")), "retry", "name is unknown", "server"),
        (caused(RuntimeError("x"), ConnectionRefusedError()), "retry", "nothing listens", "server"),
        (caused(RuntimeError("x"), ssl.SSLCertVerificationError("expired")), "final", "secure", "server"),
        (httpx2.UnsupportedProtocol("no scheme"), "final", "not an address", "server"),
        (httpx2.RemoteProtocolError("closed"), "retry", "breaks off", "server"),
        (httpx2.ReadTimeout("slow"), "retry", "in time", "server"),
        (TimeoutError(), "retry", "in time", "server"),
        (OSError(5, "I/O"), "retry", "cannot be reached", "server"),
        (IndexError("list index out of range"), "retry", "IndexError", "request"),
        (AttributeError("no attribute 'choices'"), "retry", "AttributeError", "request"),
        (KeyError("x"), "retry", "KeyError", "request"),
    ],
)
def test_errors_are_told_apart_by_what_they_carry(error, way, words, about):
    fault = classify(error, ADDRESS)
    assert (fault.way, fault.about) == (way, about)
    assert words in fault.message
    assert "openai:m at https://api.example.org/v1" in fault.message


def test_a_fault_inside_another_error_is_that_fault():
    fault = Fault("final", "known")
    assert classify(caused(RuntimeError("x"), ValueError("y"), fault), ADDRESS) is fault


def test_causes_in_a_ring_are_no_trap():
    first, second = RuntimeError("a"), RuntimeError("b")
    first.__cause__, second.__cause__ = second, first
    assert classify(first, ADDRESS).way == "retry"


SAID = [
    (400, "This model's maximum context length is 8192 tokens. However, you requested 9000", "shorten", 8192),
    (400, "the request exceeds the available context size (4096 tokens), try increasing it", "shorten", 4096),
    (400, "prompt is too long: 210000 tokens > 200000 maximum", "shorten", None),
    (400, "Input is too long for requested model.", "shorten", None),
    (413, "Payload too large", "shorten", None),
    (500, "context window exceeded", "shorten", None),
    (400, "max_tokens is too large: 99999. This model supports at most 4096", "plainer", None),
    (400, "Unsupported parameter: 'max_tokens' is not supported with this model.", "plainer", None),
    (400, "Unsupported value: 'temperature' does not support 0.2 with this model.", "plainer", None),
    (400, "Invalid parameter: 'response_format' of type 'json_schema' is not supported", "plainer", None),
    (400, "Failed to initialize samplers: failed to parse grammar", "plainer", None),
    (422, "Unknown field json_schema", "plainer", None),
    (404, "The model `m` does not exist", "final", None),
    (404, "model 'm' not found, try pulling it first", "final", None),
    (400, "model 'm' not found", "final", None),
    (404, "Not Found", "final", None),
    (401, "Incorrect API key", "final", None),
    (402, "Payment required", "final", None),
    (403, "Country not supported", "final", None),
    (429, "Your credit balance is too low", "final", None),
    (400, "Your credit balance is too low to access the API", "final", None),
    (429, "Rate limit reached for m: Limit 30000 tokens per min", "retry", None),
    (408, "Timeout", "retry", None),
    (409, "Conflict", "retry", None),
    (502, "", "retry", None),
    (529, "Overloaded", "retry", None),
    (302, "", "final", None),
    (400, "Blocked by content_filter", "refused", None),
    (400, "bad", "rejected", None),
]


@pytest.mark.parametrize(("status", "words", "way", "window"), SAID)
def test_what_servers_say(status, words, way, window):
    fault = by_status(status, words, {}, ADDRESS)
    assert (fault.way, fault.window) == (way, window)


@pytest.mark.parametrize(
    ("headers", "wait"),
    [
        ({"retry-after": "3"}, 3.0),
        ({"retry-after": "0.5"}, 0.5),
        ({"retry-after-ms": "250", "retry-after": "9"}, 0.25),
        ({"retry-after": "Wed, 21 Oct 2015 07:28:00 GMT"}, 0.0),
        ({"retry-after": "-1"}, None),
        ({"retry-after": "inf"}, None),
        ({"retry-after": "nan"}, None),
        ({}, None),
    ],
)
def test_retry_after(headers, wait):
    assert by_status(429, "", headers, ADDRESS).wait == wait


def test_words_are_one_short_line_without_markup_or_secrets():
    said = ADDRESS.clean("<html><b>No</b>\n\nkey sk-secret \x1b[31m\u202e" + "x" * 1000)
    assert said.startswith("No key …")
    assert len(said) == 240
    assert "\x1b" not in said
    assert "\u202e" not in said
