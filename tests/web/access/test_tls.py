"""The server on TLS, with a certificate made for the test."""

import http.client
import json
import shutil
import ssl
import subprocess
from collections.abc import Callable
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from tests.web.conftest import Server

pytestmark = [
    pytest.mark.loopback,
    pytest.mark.skipif(shutil.which("openssl") is None, reason="needs openssl (apt install openssl)"),
]


def certificate(folder: Path) -> tuple[Path, Path]:
    """Make a certificate of our own for this machine's loopback address."""
    made, key = folder / "certificate.pem", folder / "key.pem"
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
         "-keyout", key, "-out", made, "-days", "2", "-subj", "/CN=127.0.0.1",
         "-addext", "subjectAltName=IP:127.0.0.1"],
        check=True, capture_output=True, timeout=300,
    )  # fmt: skip
    return made, key


def test_it_speaks_tls_and_its_cookie_stays_on_tls(serve: Callable[..., Server], tmp_path: Path) -> None:
    made, key = certificate(tmp_path)
    server = serve("--port", "0", "--tls-certificate", str(made), "--tls-key", str(key))
    assert server.url.startswith("https://127.0.0.1:")
    trusting = ssl.create_default_context(cafile=str(made))
    host = f"127.0.0.1:{server.port}"

    def ask(
        path: str, method: str = "GET", body: str | None = None, **headers: str
    ) -> tuple[int, dict[str, str], bytes]:
        connection = http.client.HTTPSConnection("127.0.0.1", server.port, timeout=300, context=trusting)
        connection.request(method, path, body=body, headers={"Host": host, **headers})
        answer = connection.getresponse()
        told = answer.status, {k.lower(): v for k, v in answer.getheaders()}, answer.read()
        connection.close()
        return told

    parts = urlsplit(server.url)
    status, headers, _ = ask(f"{parts.path}?{parts.query}")
    assert status == 303
    assert "secure" in headers["set-cookie"].lower()
    mine = {"Cookie": headers["set-cookie"].partition(";")[0]}
    assert json.loads(ask("/api/sessions", **mine)[2]) == []
    order = json.dumps({"topic": "x", "docs": ["/no/such"]})
    kind = {"Content-Type": "application/json"}
    assert ask("/api/sessions", "POST", order, **mine, **kind, Origin=f"https://{host}")[0] == 422
    assert ask("/api/sessions", "POST", order, **mine, **kind, Origin=f"http://{host}")[0] == 403
    with pytest.raises((OSError, http.client.HTTPException)):
        server.request("GET", "/")  # without TLS
