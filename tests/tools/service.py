"""The program as a process of a test's own, on a free port."""

import json
import subprocess
import tempfile
import urllib.request


class Service:
    def __init__(self, program, *arguments):
        self._data = tempfile.TemporaryDirectory()
        words = [str(program), "serve", "--listen", "127.0.0.1:0", "--unlimited", "--data", self._data.name, *arguments]
        self._process = subprocess.Popen(words, text=True, stdout=subprocess.PIPE)
        greeting = self._process.stdout.readline()
        if "listens at" not in greeting:
            raise SystemExit(f"the service does not start: {greeting}")
        self.address = greeting.split()[-1]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._process.terminate()
        self._process.wait()
        self._process.stdout.close()
        self._data.cleanup()

    def ask(self, method, path, body=None, token=None):
        """The JSON of the answer."""
        headers = {"Content-Type": "application/json"}
        if token:
            headers["Authorization"] = f"Bearer {token}"
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.address + path, data, headers, method=method)
        with urllib.request.urlopen(request, timeout=60) as answer:
            return json.load(answer)
