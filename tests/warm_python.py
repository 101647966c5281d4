"""A stand-in for the interpreter that the program begins its own processes with: they are warm at once.

It hands what it was asked to run to the process that begins commands, waits, and ends as that ended. Where it
is killed, what it stands for is killed too. Options other than `-P -m MODULE` go to the real interpreter.
"""

import os
import socket
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Thread

from tests.command_process import pass_on

_MOST = 1 << 20
PROGRAM = """#!{python} -IS
import os, sys
if sys.argv[1:3] != ["-P", "-m"]:
    os.execv({python!r}, [{python!r}, *sys.argv[1:]])
import json, signal, socket
with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as asked:
    asked.connect({address!r})
    order = {{"module": sys.argv[3], "arguments": sys.argv[4:], "environment": dict(os.environ)}}
    socket.send_fds(asked, [json.dumps(order | {{"folder": os.getcwd()}}).encode()], [0, 1, 2])
    for number in (0, 1, 2):
        os.close(number)
    pid = int(asked.recv(100))
    status = int(asked.recv(100))
if os.WIFSIGNALED(status):
    os.kill(os.getpid(), os.WTERMSIG(status))
os._exit(os.waitstatus_to_exitcode(status))
"""


@contextmanager
def warm_python(folder: Path) -> Iterator[Path]:
    """Write the stand-in into a folder; processes that it is asked for are begun until the end."""
    address = str(folder / "asked")
    program = folder / "python"
    program.write_text(PROGRAM.format(python=sys.executable, address=address))
    program.chmod(0o700)
    with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as heard:
        heard.bind(address)
        heard.listen()
        hearing = Thread(target=_hear, args=(heard,))
        hearing.start()
        yield program
        heard.shutdown(socket.SHUT_RDWR)
        hearing.join()


def _hear(heard: socket.socket) -> None:
    while True:
        try:
            asked, _ = heard.accept()
        except OSError:
            return  # it is shut
        with asked:
            order, files, _, _ = socket.recv_fds(asked, _MOST, 3)
            if order:
                pass_on(order, [*files, asked.fileno()])
            for file in files:
                os.close(file)
