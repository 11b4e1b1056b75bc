#!/usr/bin/env python3
"""A robot that joins a seat and plays it to the end of the game, or sits down at a table and plays one game after
another. It contains no rules: the server lists the legal actions.

    robot.py GAME SEAT                 GAME is its address, such as http://127.0.0.1:8080/v1/games/01992b3e-...
    robot.py GAME SEAT --token TOKEN   goes on with a seat that it, or you, joined before
    robot.py GAME SEAT --invitation T  joins a private game

    robot.py --table TABLE SEAT        TABLE is its address, such as http://127.0.0.1:8080/v1/tables/01992b3e-...
    robot.py --table TABLE SEAT --token TOKEN    sits down as this player, or goes on with the player's seat
    robot.py --table TABLE SEAT --invitation T   sits down at a private table by the token of its link
    robot.py --table TABLE SEAT --games N        leaves the table after N games

At a table, the robot is a guest if it gets no token. The stream of the table wakes it when a game begins; it agrees to
every vote on the next game, and goes when the table is closed or its seat is freed.

Needs nothing but Python 3.10. Works with every rule set whose dice the server throws. If an answer is lost, or the
server is down for minutes, the robot repeats the request, and no action is played twice. Exit code 0: the game is
over, or the table was left; 1: the robot had to give up.
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
BUSY = (429, 502, 503, 504)  # statuses of a service that is busy or away: the robot sends the request again
BROKEN = (OSError, http.client.HTTPException, ValueError)  # no answer, an error answer, or an incomplete one
BRIEF = "application/vnd.pagade.brief+json"  # media type of brief answers: events and legal actions, no board


class Refused(Exception):
    """An error answer of the service, with its problem document. The same request would fail again."""

    def __init__(self, problem):
        super().__init__(f"{problem['title']}: {problem['detail']}")
        self.code = problem.get("code")


class Client:
    """Sends requests for one game or table. Repeats a request until an answer arrives, for at most `PATIENCE` seconds."""

    def __init__(self, address, token=None, kind="game"):
        self.address = address.rstrip("/")
        self.token = token
        self.kind = kind  # the field of an event that has the state

    def read(self, path=""):
        """Reads the game or table, or its resource at `path`. Returns the JSON and the ETag."""
        return self._ask("GET", path)

    def command(self, path, body, etag=None):
        # The key is drawn once for each command, not for each attempt. So a repeated request has no second effect.
        headers = {"Idempotency-Key": str(uuid.uuid4()), "Accept": f"{BRIEF}, application/json;q=0.9"}
        if etag:
            headers["If-Match"] = etag
        return self._ask("POST", path, headers, body)

    def remove(self, path):
        """Deletes the resource at `path`. It may be deleted already, if the answer to the first request was lost."""
        try:
            self._ask("DELETE", path)
        except Refused as refused:
            print(refused, file=sys.stderr)

    def states(self, last=None):
        """Yields the state of the game or table at the beginning and after every change, from the event stream. With
        `last`, begins after the event with this number."""
        end, pause = time.monotonic() + PATIENCE, 0.1
        while time.monotonic() < end:
            headers = {"Accept": "text/event-stream", **({"Last-Event-ID": last} if last else {})}
            try:
                with urllib.request.urlopen(self._request("GET", "/events", headers), timeout=60) as stream:
                    end = time.monotonic() + PATIENCE
                    for word, number, data in messages(stream):
                        if word == "snapshot":
                            yield data
                        elif self.kind in data:  # the newest event has the state after it
                            yield data[self.kind]
                        elif word == "end":
                            return
                        last, end, pause = number or last, time.monotonic() + PATIENCE, 0.1
                    if stream.status == 204:  # the game is over or the table closed, and the robot has all events
                        return
            except BROKEN as error:
                if refused := refusal(error):
                    raise refused from None
                print(f"following again: {error}", file=sys.stderr)
            time.sleep(pause * random.uniform(0.5, 1.5))
            pause = min(2 * pause, 20)
        raise SystemExit(f"no news for {PATIENCE} seconds")

    def _request(self, method, path, headers, data=None):
        token = {"Authorization": f"Bearer {self.token}"} if self.token else {}
        return urllib.request.Request(self.address + path, data, {**headers, **token}, method=method)

    def _ask(self, method, path, headers=None, body=None):
        """Sends a request. Returns the JSON of the answer and its ETag, which is the version of the game or table."""
        headers = {"Accept": "application/json", **(headers or {})}
        if body is not None:
            headers["Content-Type"] = "application/json"
        request = self._request(method, path, headers, None if body is None else json.dumps(body).encode())
        end, pause = time.monotonic() + PATIENCE, 0.1
        while True:
            try:
                with urllib.request.urlopen(request, timeout=60) as answer:
                    return json.load(answer) if answer.status != 204 else None, answer.headers["ETag"]
            except BROKEN as error:
                if refused := refusal(error):
                    raise refused from None
                reason = error  # no answer, an incomplete one, or an answer with a status of BUSY
                wait = error.headers["Retry-After"] if isinstance(error, urllib.error.HTTPError) else None
            if time.monotonic() > end:
                raise SystemExit(f"no answer for {PATIENCE} seconds: {reason}")
            print(f"asking again: {reason}", file=sys.stderr)
            time.sleep(float(wait) if wait and wait.isdecimal() else pause * random.uniform(0.5, 1.5))
            pause = min(2 * pause, 20)


def refusal(error):
    """Returns the refusal of the service, or None if the same request may succeed later and should be repeated."""
    if not isinstance(error, urllib.error.HTTPError) or error.code in BUSY:
        return None
    try:
        return Refused(json.load(error))
    except BROKEN:
        return None  # the answer is incomplete


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
            if game["status"] == "playing" and game.get("asked", game["turn"]) == seat:
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


def play_at_table(table, seat, link, most):
    """Sits down, and plays the games of the table until it is closed, the seat is freed, or `most` games are over."""
    api = table.address.rpartition("/v1/tables/")[0]
    player = Client(f"{api}/v1/me", table.token).read()[0]["player"]["id"]
    try:
        table.command(f"/seats/{seat}", {"name": f"Robot {seat}", **({"link": link} if link else {})})
    except Refused as refused:
        if refused.code != "seated_already":
            raise
    played = set()
    for state in table.states():
        seat = next((known["seat"] for known in state["seats"] if known.get("player") == player), None)
        if seat is None or state["status"] == "closed":
            return
        vote, game = state.get("vote"), state.get("game")
        if vote and vote["on"] == "next_game" and player not in vote["agreed"]:
            agree(table)
        if not game or game["id"] in played or not any(known.get("player") == player for known in game["players"]):
            continue
        played.add(game["id"])
        tell_ranking(play_when_created(Client(f"{api}/v1/games/{game['id']}", table.token), seat))
        if len(played) == most:
            table.remove(f"/seats/{seat}")
            return


def agree(table):
    try:
        table.command("/votes/current", {"agree": True})
    except Refused as refused:
        print(refused, file=sys.stderr)  # the vote is over already


def play_when_created(client, seat):
    """Plays a game of a table. The table shows the id of its next game a moment before the game exists."""
    end = time.monotonic() + 30
    while True:
        try:
            return play(client, seat)
        except Refused as refused:
            if refused.code != "game_not_found" or time.monotonic() > end:
                raise
        time.sleep(0.2)


def tell_ranking(game):
    for rank in game.get("ranking", []):
        print(f"place {rank['place']}: {rank['seat']}", flush=True)


def tell(event):
    said = [str(event[field]) for field in ("seat", "throw", "action", "pawn", "to") if field in event]
    print(f"{event['id']:>5} {event['event']}: {' '.join(said)}", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("address")
    parser.add_argument("seat")
    parser.add_argument("--table", action="store_true")
    parser.add_argument("--token")
    parser.add_argument("--invitation")
    parser.add_argument("--games", type=int)
    arguments = parser.parse_args()
    try:
        if arguments.table:
            at_table(arguments)
        else:
            in_game(arguments)
    except Refused as refused:
        raise SystemExit(str(refused)) from None


def in_game(arguments):
    client = Client(arguments.address, arguments.token or arguments.invitation)
    if not arguments.token:
        joined, _ = client.command(f"/seats/{arguments.seat}", {"name": f"Robot {arguments.seat}", "contribution": uuid.uuid4().hex})
        client.token = joined["token"]
        print(f"joined; the seat's token is {client.token}", flush=True)
    tell_ranking(play(client, arguments.seat))


def at_table(arguments):
    table = Client(arguments.address, arguments.token, kind="table")
    if not arguments.token:
        players = Client(table.address.rpartition("/tables/")[0])
        table.token = players.command("/players", {"name": f"Robot {arguments.seat}"})[0]["token"]
        print(f"joined; the player's token is {table.token}", flush=True)
    play_at_table(table, arguments.seat, arguments.invitation, arguments.games)


if __name__ == "__main__":
    main()
