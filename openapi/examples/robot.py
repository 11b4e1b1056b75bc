#!/usr/bin/env python3
"""A robot that joins a seat and plays it to the end of the game. It knows no rules: the server lists what is legal.

    robot.py GAME SEAT                 GAME is its address, such as http://127.0.0.1:8080/v1/games/01992b3e-...
    robot.py GAME SEAT --token TOKEN   goes on with a seat that it, or you, joined before
    robot.py GAME SEAT --invitation T  joins a private game

Needs nothing but Python 3.10. Any rule set whose dice the server throws. Answers may get lost, the server may be away for
minutes: the robot asks again, and plays nothing twice. Exit code 0: the game is over; 1: the robot had to give up.
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

PATIENCE = 300  # seconds without an answer, then it gives up
BUSY = (429, 502, 503, 504)  # "not now"
BRIEF = "application/vnd.pagade.brief+json"  # what happened and what is legal, without the board


class Refused(Exception):
    """A problem document: the server has understood, and says no."""

    def __init__(self, problem):
        super().__init__(f"{problem['title']}: {problem['detail']}")
        self.code = problem.get("code")


class Client:
    """Asks until there is an answer."""

    def __init__(self, game, token=None):
        self.game = game.rstrip("/")
        self.token = token

    def read(self, path="", wait=0):
        """With `wait`, the answer comes when it is the turn of the seat in the path, after so many seconds at the latest."""
        return self._ask("GET", path, {"Prefer": f"wait={wait}"} if wait else None)

    def command(self, path, body, etag=None):
        # Drawn once for each command, not for each attempt: that is what makes asking again harmless.
        headers = {"Idempotency-Key": str(uuid.uuid4()), "Accept": f"{BRIEF}, application/json;q=0.9"}
        if etag:
            headers["If-Match"] = etag
        return self._ask("POST", path, headers, body)

    def _ask(self, method, path, headers=None, body=None):
        """The body of the answer, and the ETag: the version of the game that it shows."""
        headers = {"Accept": "application/json", **(headers or {})}
        if self.token:
            headers["Authorization"] = f"Bearer {self.token}"
        if body is not None:
            headers["Content-Type"] = "application/json"
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.game + path, data, headers, method=method)
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
                reason = error  # no answer, or half of one
            if time.monotonic() > end:
                raise SystemExit(f"no answer for {PATIENCE} seconds: {reason}")
            print(f"asking again: {reason}", file=sys.stderr)
            time.sleep(float(wait) if wait and wait.isdecimal() else pause * random.uniform(0.5, 1.5))
            pause = min(2 * pause, 20)


def choose(game):
    """Which of the legal actions to play. Make it cleverer here."""
    # Chance would do as well, if it left out what `/legal` calls voluntary: where pawns may leave home again, a game hardly
    # ends otherwise.
    return game["legal"][0]


def play(client, seat):
    """Plays the seat until the game is over; the game as it ended."""
    game, etag = client.read()
    while game["status"] != "finished":
        if game["status"] == "open" or game["turn"] != seat:
            game, etag = client.read(f"?turn={seat}", wait=30)
            continue
        try:
            if game["awaits"] == "throw":
                answer, etag = client.command("/throws", {}, etag)
            else:
                answer, etag = client.command("/actions", {"actions": [choose(game)]}, etag)
        except Refused as refused:
            # Something else was played meanwhile, by a turn timer or by another who has the token.
            if refused.code not in ("version_conflict", "not_your_turn", "game_over"):
                raise
            game, etag = client.read()
            continue
        for event in answer["events"]:
            tell(event)
        game = answer["game"]
    return client.read()[0]


def tell(event):
    said = [str(event[field]) for field in ("seat", "throw", "action", "pawn", "to") if field in event]
    print(f"{event['id']:>5} {event['event']}: {' '.join(said)}")


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
            joined, _ = client.command(f"/seats/{arguments.seat}", {"name": f"Robot, {arguments.seat}", "contribution": uuid.uuid4().hex})
            client.token = joined["token"]
            print(f"joined; the seat's token is {client.token}", flush=True)
        game = play(client, arguments.seat)
    except Refused as refused:
        raise SystemExit(str(refused)) from None
    for rank in game["ranking"]:
        print(f"place {rank['place']}: {rank['seat']}")


if __name__ == "__main__":
    main()
