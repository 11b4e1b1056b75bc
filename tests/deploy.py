#!/usr/bin/env -S python3 -B
"""Checks what is in deploy/: manifests against their schemas, and the proxy in front of two replicas while one dies.

    tests/deploy.py TOOLS [PROGRAM]     TOOLS is the folder of the tools, see tests/run; PROGRAM is target/release/pagade
"""

import http.client
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
import urllib.error
from pathlib import Path

from tools.service import ROOT, ask, bearer, expect, free_port, listens, tools_and_program, wait_for

DEPLOY = ROOT / "deploy"
# The oldest version of Kubernetes that has every field of the manifests, and a new version.
KUBERNETES = ["1.31.0", "1.34.0"]


def manifests(python):
    files = sorted(path for path in (DEPLOY / "kubernetes").glob("*.yaml") if path.name != "kustomization.yaml")
    for version in KUBERNETES:
        subprocess.run([python / "kubernetes-validate", "--strict", "--quiet", "-k", version, *files], check=True)
    listed = re.findall(r"^  - ([a-z-]+\.yaml)$", (DEPLOY / "kubernetes/kustomization.yaml").read_text(), re.M)
    expect(sorted(listed) == [path.name for path in files], f"kustomization.yaml lists {listed}")
    reads = "import sys, compose_spec; compose_spec.PyCompose.from_yaml(open(sys.argv[1]).read()).to_spec()"
    subprocess.run([python / "python", "-c", reads, DEPLOY / "compose.yaml"], check=True)


def settings(program):
    """Checks that the program reads every variable that deploy/ sets, and that deploy/README.md lists all variables."""
    told = subprocess.run([program, "help", "serve"], check=True, capture_output=True, text=True).stdout
    read = set(re.findall(r"\[env: (PAGADE_[A-Z_]+)", told))
    expect(len(read) > 10, f"`pagade help serve` names {read}")
    for path in [*DEPLOY.glob("*.yaml"), *DEPLOY.glob("kubernetes/*.yaml"), DEPLOY / "Dockerfile"]:
        unknown = set(re.findall(r"PAGADE_[A-Z_]+", path.read_text())) - read
        expect(not unknown, f"{path.name} sets {unknown}, which nothing reads")
    listed = set(re.findall(r"^- `--[a-z-]+` \(`(PAGADE_[A-Z_]+)`", (DEPLOY / "README.md").read_text(), re.M))
    read.remove("PAGADE_CONFIG")  # this variable names the file with the other settings
    expect(listed == read, f"the list in deploy/README.md and `pagade help serve` differ by {listed ^ read}")


class Proxied:
    """Runs nginx, two replicas and one Redis as processes, connected in the same way as in deploy/compose.yaml."""

    def __init__(self, program):
        self.folder = Path(tempfile.mkdtemp())
        self.redis, self.port = free_port(), free_port()
        self.ports = [free_port(), free_port()]
        self.program = program
        durable = ["--appendonly", "yes", "--appendfsync", "always", "--save", "", "--maxmemory-policy", "noeviction"]
        self.processes = [self.run("redis-server", "--port", self.redis, "--dir", self.folder, *durable)]
        self.wait_for(self.redis)
        self.replicas = [self.replica(port) for port in self.ports]
        for port in self.ports:
            self.wait_for(port)
        self.nginx((DEPLOY / "nginx.conf.template").read_text(), self.port)
        self.address = f"http://127.0.0.1:{self.port}"

    def nginx(self, site, port):
        """Runs nginx with a site in front of the replicas."""
        folder = self.folder / str(port)
        folder.mkdir()
        filled = {"LISTEN": port, "REPLICA_1": f"127.0.0.1:{self.ports[0]}", "REPLICA_2": f"127.0.0.1:{self.ports[1]}"}
        for name, value in filled.items():
            site = site.replace("${" + name + "}", str(value))
        places = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
        paths = "".join(f"{place}_temp_path {folder}/{place};\n" for place in places)
        whole = f"daemon off;\npid {folder}/pid;\nerror_log stderr;\nevents {{}}\nhttp {{\naccess_log off;\n{paths}{site}}}\n"
        (folder / "nginx.conf").write_text(whole)
        nginx = shutil.which("nginx") or "/usr/sbin/nginx"
        self.processes.append(self.run(nginx, "-c", folder / "nginx.conf", "-p", folder))
        self.wait_for(port)

    def secure(self):
        """Runs a second nginx with the lines for TLS that the comment in the template shows. Returns its address."""
        key, certificate = self.folder / "tls.key", self.folder / "tls.crt"
        made = ["-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2", "-subj", "/CN=localhost"]
        subprocess.run(["openssl", "req", *made, "-keyout", key, "-out", certificate], check=True, capture_output=True)
        site = (DEPLOY / "nginx.conf.template").read_text().replace("    listen ${LISTEN};\n", "")
        site, lines = re.subn(r"^    #   (listen|ssl_certificate\w*) ", r"    \1 ", site, flags=re.M)
        expect(lines == 3, f"the template shows {lines} lines for TLS")
        site = site.replace("/etc/nginx/tls/tls.crt", str(certificate)).replace("/etc/nginx/tls/tls.key", str(key))
        port = free_port()
        self.nginx(site, port)
        return f"https://127.0.0.1:{port}"

    def run(self, *words):
        return subprocess.Popen(list(map(str, words)), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def replica(self, port):
        store = f"redis://127.0.0.1:{self.redis}?durability=always"
        return self.run(self.program, "serve", "--listen", f"127.0.0.1:{port}", "--store", store, "--trust-proxy", 1)

    def wait_for(self, port):
        wait_for(f"port {port} is listened on", lambda: listens(port), 30)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        # The processes get SIGTERM, because nginx leaves its workers behind when it is killed.
        for process in [*self.replicas, *self.processes]:
            process.terminate()
        for process in [*self.replicas, *self.processes]:
            process.wait()
        shutil.rmtree(self.folder)

    def ask(self, method, path, body=None, **headers):
        while True:
            try:
                return ask(self.address, method, path, body, **headers)
            except urllib.error.HTTPError as refused:
                # On a fast machine the robots can use up the quota of their client address. They then wait and ask
                # again.
                if refused.code != 429:
                    raise
                time.sleep(int(refused.headers["Retry-After"]))


def follow(proxied, path, told, over):
    """Follows a game through the proxy until `over` is set. Notes the number and the time of each event in `told`."""
    while not over.is_set():
        connection = http.client.HTTPConnection("127.0.0.1", proxied.port, timeout=20)
        try:
            last = told[-1][0] if told else 0
            connection.request("GET", f"{path}/events", headers={"Accept": "text/event-stream", "Last-Event-ID": str(last)})
            for line in connection.getresponse():
                if line.startswith(b"id: "):
                    told.append((int(line[4:]), time.monotonic()))
        except (OSError, http.client.HTTPException):
            time.sleep(0.05)  # a pause before the next try, as clients make
        finally:
            connection.close()


def proxy(program):
    with Proxied(program) as proxied:
        try:
            proxied.ask("GET", "/metrics")
            expect(False, "/metrics can be read by everybody")
        except urllib.error.HTTPError as refused:
            expect(refused.code == 403, f"/metrics answers {refused.code}")
        created = proxied.ask("POST", "/v1/games", {"rule_set": "pagade"})
        game = created["game"]
        path = f"/v1/games/{game['id']}"
        told, over = [], threading.Event()
        multiplexed(proxied, path)
        follower = threading.Thread(target=follow, args=(proxied, path, told, over))
        follower.start()
        robot = ROOT / "openapi/examples/robot.py"
        invited = ["--invitation", created["invitation"]] if created.get("invitation") else []
        seats = [seat["seat"] for seat in game["seats"]]
        words = [[sys.executable, robot, proxied.address + path, seat, *invited] for seat in seats]
        robots = [subprocess.Popen(list(map(str, word)), stdout=subprocess.DEVNULL) for word in words]
        start(proxied, path, created["token"])
        for round in range(4):
            seen = len(told)
            wait_for("the robots play between two kills", lambda: len(told) >= seen + 10)
            number = round % 2
            proxied.replicas[number].send_signal(signal.SIGKILL)
            proxied.replicas[number].wait()
            time.sleep(0.5)  # for this time the replica is gone
            proxied.replicas[number] = proxied.replica(proxied.ports[number])
            proxied.wait_for(proxied.ports[number])
        codes = [robot.wait(timeout=240) for robot in robots]
        over.set()
        expect(codes == [0] * len(codes), f"the robots ended with {codes}")
        ended = proxied.ask("GET", path)
        expect(ended["status"] == "finished", f"the game is {ended['status']}")
        follower.join(timeout=30)
        numbers = [number for number, _ in told]
        expect(numbers == list(range(1, len(numbers) + 1)), "an event was lost or came twice")
        expect(len(numbers) == ended["events"], f"{len(numbers)} of {ended['events']} events came")
        longest = max(later - earlier for (_, earlier), (_, later) in zip(told, told[1:]))
        expect(longest < 10, f"for {longest:.1f} s nothing was played")
        print(f"{ended['steps']} steps and {len(numbers)} events through the proxy, four replicas killed, the longest wait {longest:.1f} s; streams over HTTP/2")


def multiplexed(proxied, path):
    """Checks HTTP/2 over TLS: one connection carries more streams than the six that browsers open with HTTP/1.1."""
    address, streams = proxied.secure(), 8
    told = ["--insecure", "--silent", "--http2", "--write-out", "%{http_version} %{http_code} %{num_connects}\n"]
    one = subprocess.run(["curl", *told, "--output", "/dev/null", address + path], check=True, capture_output=True, text=True)
    expect(one.stdout == "2 200 1\n", f"the proxy answers {one.stdout!r}")
    follow = ["--output", "-", f"{address}{path}/events"] * streams
    accept = ["--header", "Accept: text/event-stream", "--max-time", "3", "--parallel", "--parallel-max", "9"]
    many = subprocess.run(["curl", *told, *accept, *follow], check=False, capture_output=True, text=True).stdout
    connections = sum(int(line.split()[2]) for line in many.splitlines() if line.startswith("2 200 "))
    expect(many.count("event: snapshot") == streams, f"{many.count('event: snapshot')} of {streams} streams began")
    expect(connections == 1, f"{streams} streams took {connections} connections")


def start(proxied, path, token):
    """Starts the game with the token of its owner when all seats are taken."""

    def started():
        if not all(seat["taken"] for seat in proxied.ask("GET", path)["seats"]):
            return None
        try:
            return proxied.ask("POST", f"{path}/start", {}, **bearer(token), **{"If-Match": "*"})
        except urllib.error.HTTPError as refused:
            expect(refused.code in (409, 412), f"the game cannot be started: {refused.code}")
            return None

    wait_for("all seats are taken and the game is started", started)


def main():
    tools, program = tools_and_program(__doc__)
    manifests(tools / "python/bin")
    settings(program)
    proxy(program)


if __name__ == "__main__":
    main()
