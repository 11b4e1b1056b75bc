"""A bad network between a client and the service. It loses requests and answers, sends only half of some answers, and
breaks streams. The first refusal of each kind is always halved, because refusals are rare."""

import http.client
import itertools
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import urlsplit

STREAM_BYTES = 3000  # a stream breaks after this number of bytes


class LossyNetwork:
    """Listens on a free port and passes requests on to `address`; of 17 ordinary requests it spoils three."""

    def __init__(self, address):
        self.lost = {"request": 0, "answer": 0, "half": 0, "stream": 0}
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler(urlsplit(address).netloc))
        self._server.daemon_threads = True
        self.address = f"http://127.0.0.1:{self._server.server_port}"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def close(self):
        self._server.shutdown()

    def _handler(self, target):
        lost, numbers, refused = self.lost, itertools.count(1), set()

        class Handler(BaseHTTPRequestHandler):
            def handle_one_request(self):
                try:
                    super().handle_one_request()
                except (OSError, http.client.HTTPException):
                    self.close_connection = True

            def do(self):
                self.close_connection = True
                body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
                fate = {3: "request", 8: "answer", 13: "half"}.get(next(numbers) % 17)
                is_stream = self.headers.get("Accept") == "text/event-stream"
                if fate == "request" and not is_stream:
                    lost["request"] += 1
                    return
                inner = http.client.HTTPConnection(target, timeout=60)
                inner.request(self.command, self.path, body, dict(self.headers))
                answer = inner.getresponse()
                if is_stream and answer.status == 200:
                    self.pass_on(answer, answer.headers)
                    while chunk := answer.read1(100):
                        self.wfile.write(chunk)
                        self.wfile.flush()
                        self.told += len(chunk)
                        if self.told > STREAM_BYTES:
                            lost["stream"] += 1
                            break
                    inner.close()
                    return
                content = answer.read()
                if fate == "answer" and not is_stream:
                    lost["answer"] += 1
                    return
                if answer.status >= 400 and (self.command, self.path) not in refused:
                    refused.add((self.command, self.path))
                    fate, is_stream = "half", False
                self.pass_on(answer, answer.headers)
                if fate == "half" and not is_stream:
                    lost["half"] += 1
                    content = content[: len(content) // 2]
                self.wfile.write(content)

            def pass_on(self, answer, headers):
                self.told = 0
                self.send_response_only(answer.status)
                for name, value in headers.items():
                    if name.lower() not in ("transfer-encoding", "connection"):
                        self.send_header(name, value)
                self.send_header("Connection", "close")
                self.end_headers()

            do_GET = do_POST = do_DELETE = do

            def log_message(self, *_):
                pass

        return Handler
