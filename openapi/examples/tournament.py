#!/usr/bin/env python3
"""A whole Swiss tournament: entrants, rounds, games, standings; and the points computed again from the export.

    tournament.py API RULE_SET ROUNDS NAME NAME [NAME ..]             waits until the games of each round are played
    tournament.py API RULE_SET ROUNDS NAME NAME [NAME ..] --play      plays every seat itself

API is an address, such as http://127.0.0.1:8080. Needs nothing but Python 3.10 and robot.py beside it, which repeats
requests whose answers got lost.
"""

import argparse
import time
from collections import Counter
from fractions import Fraction

from robot import Client, decide


def create(api, rule_set, rounds, names):
    """Creates a tournament with its entrants. Returns the organiser's client, and the entrants' tokens by number."""
    form = {"kind": "swiss", "rounds": rounds}
    created, _ = Client(f"{api}/v1/tournaments").command("", {"rule_set": rule_set, "format": form, "registration": "list"})
    cup = Client(f"{api}/v1/tournaments/{created['tournament']['id']}", created["token"])
    entered, _ = cup.command("/entrants", {"entrants": [{"name": name} for name in names]})
    cup.command("/start", {})
    return cup, {entrant["number"]: entrant["tokens"][0] for entrant in entered["entrants"]}


def play(api, cup, number, tokens):
    """Plays every seat of a round, from one stream of events."""
    tables = cup.read(f"/rounds/{number}")[0]["tables"]
    seats = {game["id"]: {seat["seat"]: seat["entrant"] for seat in game["seats"]} for table in tables for game in table["games"]}
    group = cup.read(f"/rounds/{number}")[0]["group"]
    known = {}
    for game in Client(f"{api}/v1/groups/{group}").states("0"):
        # The stream begins with the earlier events. A state that is older than one seen before is skipped.
        if game["id"] not in seats or known.get(game["id"], 0) >= game["version"]:
            continue
        known[game["id"]] = game["version"]
        if game["status"] == "playing":
            token = tokens[seats[game["id"]][game.get("asked", game["turn"])]]
            decide(Client(f"{api}/v1/games/{game['id']}", token), game)


def results(cup, number):
    """Waits until all tables of a round have results. Returns the round."""
    while True:
        read, _ = cup.read(f"/rounds/{number}")
        if all("result" in table for table in read["tables"]):
            return read
        time.sleep(1)


def points_again(export):
    """Computes the points of all entrants from the results alone."""
    worth, points = export["tournament"]["points"], Counter()
    by_seats = {2: worth["two"], 3: worth["three"], 4: worth["four"]}
    for number, played in enumerate(export["rounds"], 1):
        for bye in played["byes"]:
            points[bye["entrant"]] += worth["bye"] if bye["counts"] else 0
        for table in played["tables"]:
            seats = table["result"]["seats"]
            for seat in seats:
                # Entrants who share a place share the points of the places that they take.
                sharers = sum(other["place"] == seat["place"] for other in seats)
                taken = by_seats[len(seats)][seat["place"] - 1 : seat["place"] - 1 + sharers]
                points[seat["entrant"]] += worth["no_show"] if seat["no_show"] else Fraction(sum(taken), sharers)
        for entrant in export["tournament"]["entrants"]:
            points[entrant["number"]] += worth["absent"] if number in entrant.get("absent_in_rounds", []) else 0
    return points


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("api")
    parser.add_argument("rule_set")
    parser.add_argument("rounds", type=int)
    parser.add_argument("names", nargs="+")
    parser.add_argument("--play", action="store_true")
    arguments = parser.parse_args()
    api = arguments.api.rstrip("/")
    cup, tokens = create(api, arguments.rule_set, arguments.rounds, arguments.names)
    for number in range(1, arguments.rounds + 1):
        paired, _ = cup.command("/rounds", {"round": number})
        print(f"Round {number}: {len(paired['round']['tables'])} tables, {len(paired['round']['byes'])} byes")
        if arguments.play:
            play(api, cup, number, tokens)
        results(cup, number)
    cup.command("/finish", {})
    export, _ = cup.read("/export")
    again = points_again(export)
    for row in export["standings"]:
        if abs(float(again[row["entrant"]]) - row["points"]) > 1e-9:
            raise SystemExit(f"{row['name']} has {row['points']} points, computed again: {again[row['entrant']]}")
        print(f"{row['place']}. {row['name']}: {row['points']:g}")


if __name__ == "__main__":
    main()
