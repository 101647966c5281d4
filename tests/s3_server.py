"""A real S3 server on this machine's loopback address, with a bucket in it."""

import contextlib
import os
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator

BUCKET = "shelf"
_SECONDS = 300


@contextlib.contextmanager
def s3_server() -> Iterator[str]:
    """Start it; yield its address."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [
        sys.executable,
        "-c",
        "from moto.server import main; main()",
        "-H",
        "127.0.0.1",
        "-p",
        str(port),
    ]
    server = subprocess.Popen(
        command,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env={**os.environ, "PYTHONWARNINGS": ""},
    )
    address = f"http://127.0.0.1:{port}"
    try:
        until = time.monotonic() + _SECONDS
        while True:
            try:
                made = urllib.request.Request(f"{address}/{BUCKET}", method="PUT", data=b"")
                urllib.request.urlopen(made, timeout=30).close()
                break
            except (urllib.error.URLError, OSError):
                if server.poll() is not None or time.monotonic() > until:
                    raise
                time.sleep(0.1)
        yield address
    finally:
        server.terminate()
        server.wait(120)
