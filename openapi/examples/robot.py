#!/usr/bin/env python3
"""A robot that joins a seat and plays it to the end of the game. It contains no rules: the server lists the legal
actions.

    robot.py GAME SEAT                 GAME is its address, such as http://127.0.0.1:8080/v1/games/01992b3e-...
    robot.py GAME SEAT --token TOKEN   goes on with a seat that it, or you, joined before
    robot.py GAME SEAT --invitation T  joins a private game

Needs nothing but Python 3.10. Works with every rule set whose dice the server throws. If an answer is lost, or the
server is down for minutes, the robot repeats the request, and no action is played twice. Exit code 0: the game is over;
1: the robot had to give up.
"""

import argparse
import http.client
import json
import random
import sys
import time
import urllib.error
import urllib.request
import uuid

PATIENCE = 300  # seconds without an answer, after which the robot gives up
BUSY = (429, 502, 503, 504)  # statuses of a service that is busy or away: the robot asks again
BRIEF = "application/vnd.pagade.brief+json"  # media type of brief answers: events and legal actions, no board


class Refused(Exception):
    """An error answer of the service, with its problem document. The same request would fail again."""

    def __init__(self, problem):
        super().__init__(f"{problem['title']}: {problem['detail']}")
        self.code = problem.get("code")


class Client:
    """Sends requests for one game. Repeats a request until an answer arrives, for at most `PATIENCE` seconds."""

    def __init__(self, game, token=None):
        self.game = game.rstrip("/")
        self.token = token

    def read(self, path=""):
        """Reads the game, or the resource of the game at `path`. Returns the JSON and the ETag."""
        return self._ask("GET", path)

    def command(self, path, body, etag=None):
        # The key is drawn once for each command, not for each attempt. So a repeated request has no second effect.
        headers = {"Idempotency-Key": str(uuid.uuid4()), "Accept": f"{BRIEF}, application/json;q=0.9"}
        if etag:
            headers["If-Match"] = etag
        return self._ask("POST", path, headers, body)

    def states(self, last=None):
        """Yields the state of the game at the beginning and after every change, from the event stream. With `last`,
        begins after the event with this number."""
        end, pause = time.monotonic() + PATIENCE, 0.1
        while time.monotonic() < end:
            headers = {"Accept": "text/event-stream", **({"Last-Event-ID": last} if last else {})}
            try:
                with urllib.request.urlopen(self._request("GET", "/events", headers), timeout=60) as stream:
                    for word, number, data in messages(stream):
                        if word == "snapshot":
                            yield data
                        elif "game" in data:  # the newest event has the state of the game after it
                            yield data["game"]
                        elif word == "end":
                            return
                        last, end, pause = number or last, time.monotonic() + PATIENCE, 0.1
                    if stream.status == 204:  # the game is over, and the robot has all its events
                        return
            except urllib.error.HTTPError as error:
                if error.code not in BUSY:
                    raise Refused(json.load(error)) from None
            except (OSError, http.client.HTTPException, json.JSONDecodeError) as error:
                print(f"following again: {error}", file=sys.stderr)
            time.sleep(pause * random.uniform(0.5, 1.5))
            pause = min(2 * pause, 20)
        raise SystemExit(f"no news for {PATIENCE} seconds")

    def _request(self, method, path, headers, data=None):
        token = {"Authorization": f"Bearer {self.token}"} if self.token else {}
        return urllib.request.Request(self.game + path, data, {**headers, **token}, method=method)

    def _ask(self, method, path, headers=None, body=None):
        """Sends a request. Returns the JSON of the answer and its ETag, which is the version of the game."""
        headers = {"Accept": "application/json", **(headers or {})}
        if body is not None:
            headers["Content-Type"] = "application/json"
        request = self._request(method, path, headers, None if body is None else json.dumps(body).encode())
        end, pause = time.monotonic() + PATIENCE, 0.1
        while True:
            wait = None
            try:
                with urllib.request.urlopen(request, timeout=60) as answer:
                    return json.load(answer), answer.headers["ETag"]
            except urllib.error.HTTPError as error:
                reason, wait = error, error.headers["Retry-After"]
                if error.code not in BUSY:
                    raise Refused(json.load(error)) from None
            except (OSError, http.client.HTTPException, json.JSONDecodeError) as error:
                reason = error  # no answer, or an incomplete one
            if time.monotonic() > end:
                raise SystemExit(f"no answer for {PATIENCE} seconds: {reason}")
            print(f"asking again: {reason}", file=sys.stderr)
            time.sleep(float(wait) if wait and wait.isdecimal() else pause * random.uniform(0.5, 1.5))
            pause = min(2 * pause, 20)


def messages(stream):
    """Yields the messages of a stream: the kind of message, the number of the event, and the data."""
    word = number = None
    for line in stream:
        field, _, text = line.decode().rstrip("\n").partition(": ")
        if field == "id":
            number = text
        elif field == "event":
            word = text
        elif field == "data":
            yield word, number, json.loads(text)
            word = number = None


def choose(game):
    """Chooses the legal action to play. A better robot replaces this function."""
    # A random choice works too, but it must leave out the actions that `/legal` marks as voluntary. Otherwise, games in
    # which pawns can leave home again may not end.
    return game["legal"][0]


def play(client, seat):
    """Plays the seat until the game is over. Returns the final state of the game."""
    known = 0  # the newest version that was seen: the stream may be behind the answers to commands
    for game in client.states():
        while game["version"] > known:
            known = game["version"]
            if game["status"] == "playing" and game["turn"] == seat:
                game = decide(client, game)
        if game["status"] == "finished":
            break
    return client.read()[0]


def decide(client, game):
    """Throws or plays an action. Returns the new state of the game."""
    etag = f'"{game["version"]}"'
    try:
        if game["awaits"] == "throw":
            answer, _ = client.command("/throws", {}, etag)
        else:
            answer, _ = client.command("/actions", {"actions": [choose(game)]}, etag)
    except Refused as refused:
        # The game has changed since it was read: the turn timer expired, or another client used the token.
        if refused.code not in ("version_conflict", "not_your_turn", "game_over"):
            raise
        return client.read()[0]
    for event in answer["events"]:
        tell(event)
    return answer["game"]


def tell(event):
    said = [str(event[field]) for field in ("seat", "throw", "action", "pawn", "to") if field in event]
    print(f"{event['id']:>5} {event['event']}: {' '.join(said)}", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game")
    parser.add_argument("seat")
    parser.add_argument("--token")
    parser.add_argument("--invitation")
    arguments = parser.parse_args()
    client = Client(arguments.game, arguments.token or arguments.invitation)
    try:
        if not arguments.token:
            joined, _ = client.command(f"/seats/{arguments.seat}", {"name": f"Robot {arguments.seat}", "contribution": uuid.uuid4().hex})
            client.token = joined["token"]
            print(f"joined; the seat's token is {client.token}", flush=True)
        game = play(client, arguments.seat)
    except Refused as refused:
        raise SystemExit(str(refused)) from None
    for rank in game["ranking"]:
        print(f"place {rank['place']}: {rank['seat']}")


if __name__ == "__main__":
    main()
