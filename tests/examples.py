#!/usr/bin/env -S python3 -B
"""Runs every program in openapi/examples against a running service, over a network that loses answers.

    tests/examples.py TOOLS [PROGRAM]     TOOLS is the folder of the tools, see tests/run; PROGRAM is target/release/pagade
"""

import atexit
import hashlib
import json
import subprocess
import tempfile
import threading
import time
import urllib.request
from pathlib import Path

from tools.lossy import LossyNetwork
from tools.service import ROOT, Service, bearer, expect, tools_and_program, wait_for

EXAMPLES = ROOT / "openapi" / "examples"
WHOLE_GAME = 900  # the longest time, in seconds, that a program may take for whole games while other tests run

# The compiler checks strictly, and accepts only TypeScript that Node.js can run by removing the types.
TSC = "--noEmit --strict --noUncheckedIndexedAccess --erasableSyntaxOnly --target es2022 --module nodenext --types node"


class Program:
    """A running example and its output."""

    def __init__(self, *words):
        self.name = Path(next(word for word in words if str(EXAMPLES) in str(word))).name
        self._errors = tempfile.TemporaryFile("w+")
        self._process = subprocess.Popen(list(map(str, words)), text=True, stdout=subprocess.PIPE, stderr=self._errors)
        self.lines = []
        self._reader = threading.Thread(target=lambda: self.lines.extend(iter(self._process.stdout.readline, "")), daemon=True)
        self._reader.start()
        atexit.register(self.kill)  # ends the program if the test fails

    def wait_for(self, text):
        """Waits until the program prints a line with this text, and returns the line."""

        def printed():
            if found := next((line for line in self.lines if text in line), None):
                return found.rstrip("\n")
            if self._process.poll() is not None:
                self.text()
            return None

        return wait_for(f"{self.name} prints `{text}`", printed)

    def kill(self):
        self._process.kill()
        self._process.wait()

    def text(self):
        """Waits for the end of the program and returns its whole output. A failure ends the test."""
        try:
            code = self._process.wait(timeout=WHOLE_GAME)
        except subprocess.TimeoutExpired:
            self.kill()
            code = "the time"
        self._reader.join()
        self._errors.seek(0)
        expect(code == 0, f"{self.name} ended with {code}\n{''.join(self.lines)[-2000:]}\n{self._errors.read()[-4000:]}")
        return "".join(self.lines)


def walk_through(service):
    text = Program(EXAMPLES / "walk_through.sh", service.address).text()
    for line in ["royal-game-of-ur 1.", '"status":"finished"', '{"place":1,"seat":', " player_won", " game_over", '"seed":"']:
        expect(line in text, f"walk_through.sh does not print {line}\n{text}")
    record = text.split("# The record")[1]
    expect("throw" in record and "home" in record, f"walk_through.sh prints no record\n{record}")


def game_for_robots(service, network, **what):
    """Plays a game with a robot at every seat and a watcher; one robot is killed and restarted."""
    created = service.ask("POST", "/v1/games", what)
    game = created["game"]
    path = f"/v1/games/{game['id']}"
    watcher = Program(TOOLS / "node_modules/.bin/tsx", EXAMPLES / "watcher.ts", network + path)
    watcher.wait_for("open:")
    robots = {}
    for seat in (seat["seat"] for seat in game["seats"]):
        robots[seat] = Program("python3", EXAMPLES / "robot.py", network + path, seat)
        robots[seat].wait_for("joined")
    service.ask("POST", f"{path}/start", {}, **bearer(created["token"]))

    seat, first = next(iter(robots.items()))
    first.wait_for("moved")
    first.kill()
    token = first.wait_for("joined").split()[-1]
    robots[seat] = Program("python3", EXAMPLES / "robot.py", network + path, seat, "--token", token)

    texts = [robot.text() for robot in robots.values()]
    seen = watcher.text()
    ended = service.ask("GET", path)
    expect(ended["status"] == "finished", f"the game is {ended['status']}")
    places = "".join(f"place {rank['place']}: {rank['seat']}\n" for rank in ended["ranking"])
    for text in texts:
        expect(places and text.endswith(places), f"robot.py tells another end than\n{places}\n{text[-500:]}")
    ids = [int(line.split()[0]) for line in seen.splitlines() if line[0].isdigit()]
    expect(ids == list(range(2, ended["events"] + 1)), f"watcher.ts missed events, or told some twice: {ids}")
    expect("game_over" in seen, f"watcher.ts does not see the end\n{seen[-500:]}")

    proof = json.dumps(service.ask("GET", f"{path}/dice"))
    command = ["python3", EXAMPLES / "verify_dice.py", game["seed_hash"]]
    checked = subprocess.run(command, input=proof, capture_output=True, text=True, check=False)
    expect(checked.returncode == 0, f"verify_dice.py: {checked.stdout}{checked.stderr}")


def table_for_robots(service, network):
    """Two robots sit down at a table and play two games; one is killed and restarted during the first one."""
    master = service.ask("POST", "/v1/players", {"name": "Asha"})
    options = {"time_per_turn": 0, "stand_in": "none", "competitive": False, "pieces": "five"}
    wish = {"rule_set": "royal-game-of-ur", "options": options}
    table = service.ask("POST", "/v1/tables", wish, **bearer(master["token"]))
    path = f"/v1/tables/{table['id']}"
    seats = [seat["seat"] for seat in table["seats"]]
    own = next(seat["seat"] for seat in table["seats"] if "player" in seat)
    other = next(seat for seat in seats if seat != own)

    def robot(seat, *more):
        return Program("python3", EXAMPLES / "robot.py", "--table", network + path, seat, *more)

    def games(number):
        table = service.ask("GET", path)
        return table["past_games"] if len(table["past_games"]) >= number and "game" not in table else None

    guest = robot(other)
    token = guest.wait_for("joined").split()[-1]
    wait_for("the robot sits down", lambda: all(seat["taken"] for seat in service.ask("GET", path)["seats"]))
    service.ask("POST", f"{path}/games", {}, **bearer(master["token"]))
    masters = robot(own, "--token", master["token"], "--games", "2")
    guest.wait_for("moved")
    guest.kill()
    guest = robot(other, "--token", token)
    wait_for("the first game is over", lambda: games(1), WHOLE_GAME)
    service.ask("POST", f"{path}/votes", {"on": "next_game"}, **bearer(master["token"]))
    wait_for("the second game is over", lambda: games(2), WHOLE_GAME)
    places = ""
    for game in reversed(games(2)):
        ranking = service.ask("GET", f"/v1/games/{game['id']}", **bearer(master["token"]))["ranking"]
        places += "".join(f"place {rank['place']}: {rank['seat']}\n" for rank in ranking)
    masters_text = masters.text()
    told = "".join(line + "\n" for line in masters_text.splitlines() if line.startswith("place"))
    expect(told == places, f"robot.py --table tells other ends than\n{places}\n{told}")
    wait_for("the robot has left", lambda: service.ask("GET", path)["seats"][seats.index(own)]["taken"] is False)
    leave = urllib.request.Request(f"{service.address}{path}/seats/{other}", headers=bearer(token), method="DELETE")
    urllib.request.urlopen(leave, timeout=60).close()
    expect(guest.text().endswith(places[len(places) // 2 :]), "robot.py --table does not go when its seat is freed")


def requests_so_far(service):
    """Reads how many requests to games the service has answered."""
    with urllib.request.urlopen(service.address + "/metrics", timeout=60) as answer:
        lines = answer.read().decode().splitlines()
    counted = (line for line in lines if line.startswith("pagade_http_requests_total") and '"/v1/games' in line)
    return sum(float(line.split()[-1]) for line in counted)


def few_requests(service):
    """Plays a game with two robots and a watcher. They need at most 1.3 requests for each throw or action."""
    created = service.ask("POST", "/v1/games", {"rule_set": "royal-game-of-ur"})
    path = f"/v1/games/{created['game']['id']}"
    before = requests_so_far(service)
    watcher = Program(TOOLS / "node_modules/.bin/tsx", EXAMPLES / "watcher.ts", service.address + path)
    watcher.wait_for("open:")
    seats = [seat["seat"] for seat in created["game"]["seats"]]
    robots = [Program("python3", EXAMPLES / "robot.py", service.address + path, seat) for seat in seats]
    for robot in robots:
        robot.wait_for("joined")
    service.ask("POST", f"{path}/start", {}, **bearer(created["token"]))
    for program in (*robots, watcher):
        program.text()
    requests = requests_so_far(service) - before
    decisions = service.ask("GET", f"{path}/events?limit=500")["events"][-1]["step"]
    expect(0 < requests <= 1.3 * decisions, f"two robots and a watcher sent {requests} requests for {decisions} decisions")
    print(f"robot.py, watcher.ts: {requests / decisions:.2f} requests a throw or action")


def endless_ties():
    """Checks a roll-off with dice of one face, which is always a tie: the first seat begins, as in the service."""
    dice = {"kind": "faces", "count": 2, "faces": [3]}
    proof = {"seed": "a seed", "seed_hash": hashlib.sha256(b"a seed").hexdigest(), "contributions": {}, "dice": dice}
    for first, code in (("red", 0), ("green", 1)):
        told = proof | {"players": ["red", "green"], "begins": "highest", "first": first, "throws": ["3+3"]}
        command = ["python3", EXAMPLES / "verify_dice.py"]
        checked = subprocess.run(command, input=json.dumps(told), capture_output=True, text=True, check=False, timeout=60)
        expect(checked.returncode == code, f"verify_dice.py with {first}: {checked.stdout}{checked.stderr}")


def a_round(service, network):
    """An organiser creates a round over a bad network, and plays all of its games from one stream."""
    names = ["Asha", "Ravi", "Meera", "Kiran"]
    text = Program("python3", EXAMPLES / "organiser.py", network, "royal-game-of-ur", *names, "--play").text()
    results = text.splitlines()[-2:]
    for number, (result, pair) in enumerate(zip(results, (names[:2], names[2:])), 1):
        title, _, ranked = result.partition(": ")
        expect(title == f"Table {number}" and sorted(ranked.split(", ")) == sorted(pair), f"organiser.py tells another result\n{text[-500:]}")
    games = service.ask("GET", "/v1/games?status=finished&limit=2")["games"]
    expect(sorted(game["title"] for game in games) == ["Table 1", "Table 2"], f"the last games are {games}")


def a_tournament(service, network):
    """An organiser has a tournament of two rounds over a bad network. The program computes the points again."""
    names = ["Asha", "Ravi", "Meera", "Kiran", "Leela"]
    text = Program("python3", EXAMPLES / "tournament.py", network, "royal-game-of-ur", "2", *names, "--play").text()
    table = [line.partition(". ")[2].partition(":")[0] for line in text.splitlines()[-5:]]
    expect(sorted(table) == sorted(names), f"tournament.py tells other standings\n{text[-500:]}")
    listed = service.ask("GET", "/v1/tournaments?status=finished")["tournaments"]
    expect(listed and listed[0]["entrants"] == 5, f"the finished tournaments are {listed}")


def the_same_with_curl(service, network):
    """The same tournament by curl and jq."""
    names = ["Asha", "Ravi", "Meera"]
    text = Program(EXAMPLES / "tournament.sh", network, "royal-game-of-ur", "2", *names).text()
    table = [line.partition(". ")[2].partition(":")[0] for line in text.splitlines()[-3:]]
    expect(sorted(table) == sorted(names), f"tournament.sh tells other standings\n{text[-500:]}")
    listed = service.ask("GET", "/v1/tournaments?status=finished")["tournaments"]
    expect(len(listed) == 2, f"the finished tournaments are {listed}")


def by_the_program(service, network):
    """`pagade tournament` runs the example files, each for a shorter time than organisers would."""
    shorter = {"pagade": "royal-game-of-ur", "seconds: 1800": "seconds: 5", "seconds: 20": "seconds: 1", "rounds: 5": "rounds: 2"}
    for path in (EXAMPLES / "tournament-swiss.yaml", EXAMPLES / "tournament-groups.yaml", EXAMPLES / "tournament-arena.yaml"):
        text = path.read_text()
        # Tables of four need a board of four seats.
        for long, short in ({"pagade": "snakes-and-ladders"} if "table: 4" in text else shorter).items():
            text = text.replace(long, short)
        text += "robot_pause_milliseconds: 0\n"
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / path.name
            file.write_text(text)
            command = [PROGRAM, "tournament", "run", file, "--server", network, "--json", "--records", Path(folder) / "records"]
            began = time.monotonic()
            ran = subprocess.run(command, capture_output=True, text=True, check=False, timeout=WHOLE_GAME)
            expect(ran.returncode == 0, f"{path.name}: {ran.stdout[-500:]}{ran.stderr[-1000:]}")
            export = Path(folder) / "export.json"
            export.write_text(ran.stdout)
            checked = subprocess.run([ROOT / "tests" / "standings.py", export, Path(folder) / "records"], capture_output=True, text=True, check=False)
            expect(checked.returncode == 0, f"{path.name}: {checked.stdout}{checked.stderr}")
            print(f"{path.name}, {time.monotonic() - began:.0f} s: {checked.stdout.strip()}")


def main():
    named = (EXAMPLES / "README.md").read_text()
    run = Path(__file__).read_text()
    # Only files are checked, because Python may add the folder `__pycache__`.
    for path in filter(Path.is_file, EXAMPLES.iterdir()):
        expect(f"`{path.name}`" in named or path.name == "README.md", f"openapi/examples/README.md does not name {path.name}")
        expect(f'EXAMPLES / "{path.name}"' in run, f"{path.name} is not run here")
    subprocess.run([TOOLS / "node_modules/.bin/tsc", *TSC.split(), "--typeRoots", TOOLS / "node_modules/@types", EXAMPLES / "watcher.ts"], check=True)
    endless_ties()
    with Service(PROGRAM) as service:
        walk_through(service)
        print("walk_through.sh: a whole game")
        lossy = LossyNetwork(service.address)
        game_for_robots(service, lossy.address, rule_set="royal-game-of-ur")
        print(f"robot.py, watcher.ts, verify_dice.py: a whole game over a network that lost {lossy.lost}")
        table_for_robots(service, lossy.address)
        print("robot.py --table: two games at a table over a network that loses answers")
        expect(all(lossy.lost.values()), "the network lost too little to show anything")
        a_round(service, lossy.address)
        print("organiser.py: a round over a network that loses answers")
        a_tournament(service, lossy.address)
        print("tournament.py: a tournament over a network that loses answers")
        the_same_with_curl(service, service.address)
        print("tournament.sh: the same with curl")
        by_the_program(service, lossy.address)
        few_requests(service)
        game_for_robots(service, service.address, rule_set="chopat", players=["black", "yellow"])
        print("robot.py: a game in which throws are banked")


if __name__ == "__main__":
    TOOLS, PROGRAM = tools_and_program(__doc__)
    main()
