"""Parts that several test programs share: the service as a process, requests to it, and waiting for a condition."""

import json
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def help_if_asked(usage):
    """Prints the description of the program and ends it, if the command line has `-h` or `--help`."""
    if {"-h", "--help"} & set(sys.argv[1:]):
        print(usage.strip())
        raise SystemExit


def tools_and_program(usage):
    """Returns the folder of the tools and the program `pagade`, from the command line: TOOLS [PROGRAM]."""
    help_if_asked(usage)
    if len(sys.argv) not in (2, 3):
        raise SystemExit(usage)
    return Path(sys.argv[1]).resolve(), Path(*sys.argv[2:] or [ROOT / "target/release/pagade"]).resolve()


def fail(what):
    """Ends the program with this message."""
    raise SystemExit(f"{sys.argv[0]}: {what}")


def expect(is_so, what):
    if not is_so:
        fail(what)


def wait_for(what, find, seconds=60):
    """Calls `find` until it returns a true value, and returns it. After `seconds` without one the program ends."""
    end = time.monotonic() + seconds
    while True:
        if found := find():
            return found
        expect(time.monotonic() < end, f"{what}: not within {seconds} seconds")
        time.sleep(0.05)


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def listens(port):
    with socket.socket() as client:
        return client.connect_ex(("127.0.0.1", port)) == 0


def ask(address, method, path, body=None, **headers):
    """Sends a request and returns the JSON of the answer."""
    data = None if body is None else json.dumps(body).encode()
    headers = {"Content-Type": "application/json", **headers}
    request = urllib.request.Request(address + path, data, headers, method=method)
    with urllib.request.urlopen(request, timeout=60) as answer:
        return json.load(answer)


def bearer(token):
    """Returns the header that carries a token."""
    return {"Authorization": f"Bearer {token}"}


class Service:
    """A service on a free port, with a store of its own."""

    def __init__(self, program, *arguments):
        self._data = tempfile.TemporaryDirectory()
        words = [str(program), "serve", "--listen", "127.0.0.1:0", "--unlimited", "--data", self._data.name, *arguments]
        self._process = subprocess.Popen(words, text=True, stdout=subprocess.PIPE)
        greeting = self._process.stdout.readline()
        expect("listens at" in greeting, f"the service does not start: {greeting}")
        self.address = greeting.split()[-1]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._process.terminate()
        self._process.wait()
        self._process.stdout.close()
        self._data.cleanup()

    def ask(self, method, path, body=None, **headers):
        return ask(self.address, method, path, body, **headers)
