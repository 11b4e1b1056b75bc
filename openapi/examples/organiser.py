#!/usr/bin/env python3
"""An organiser of a round: all tables are created in one request, followed in one stream, and listed in one answer.

    organiser.py API RULE_SET NAME NAME [NAME NAME ..]            API is an address, such as http://127.0.0.1:8080
    organiser.py API RULE_SET NAME NAME [NAME NAME ..] --play     plays every seat itself, one request a decision

Two players sit at each table, in the order of their names. Needs nothing but Python 3.10 and robot.py beside it, which
repeats requests whose answers got lost.
"""

import argparse

from robot import Client, Refused, decide


def create_round(api, rule_set, names, seats):
    """Creates a group and its games. Returns the client of the group, and the games with their tokens."""
    created, _ = Client(f"{api}/v1/groups").command("", {"title": f"A round of {rule_set}"})
    group = Client(f"{api}/v1/groups/{created['group']['id']}", created["token"])
    tables = []
    for number, pair in enumerate(zip(names[::2], names[1::2]), 1):
        players = {seat: {"name": name} for seat, name in zip(seats, pair)}
        tables.append({"rule_set": rule_set, "players": seats, "title": f"Table {number}", "seats": players, "start": True})
    added, _ = group.command("/games", {"games": tables})
    group.command("/complete", {})
    return group, added["games"]


def follow(api, group, tables, plays):
    """Follows all games until the last one ends. If `plays` is true, also plays every seat."""
    tokens = {table["id"]: table["seats"] for table in tables}
    known = {}
    for game in group.states("0"):
        # The stream begins with the earlier events. A state that is older than one seen before is skipped.
        if game["id"] not in tokens or known.get(game["id"], 0) >= game["version"]:
            continue
        known[game["id"]] = game["version"]
        if game["status"] == "playing" and plays:
            token = tokens[game["id"]][game.get("asked", game["turn"])]
            decide(Client(f"{api}/v1/games/{game['id']}", token), game)


def results(group):
    """Lists the finished games of the group by one request. Yields the title of each game and its players, the winner
    first."""
    listed, _ = group.read("/games?status=finished&limit=1000")
    for game in listed["games"]:
        names = {seat["seat"]: seat["name"] for seat in game["seats"]}
        ranked = [rank["seat"] for rank in game["ranking"]]
        # If the rules end a game when the first seat finishes, the ranking has only this seat. The others are added.
        yield game["title"], [names[seat] for seat in (*ranked, *(seat for seat in names if seat not in ranked))]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("api")
    parser.add_argument("rule_set")
    parser.add_argument("names", nargs="+")
    parser.add_argument("--seats", nargs=2, metavar="SEAT", help="which two seats play, where the rule set has more")
    parser.add_argument("--play", action="store_true")
    arguments = parser.parse_args()
    if len(arguments.names) % 2:
        parser.error("the number of players is odd: somebody would sit alone")
    api = arguments.api.rstrip("/")
    try:
        rules, _ = Client(f"{api}/v1/rule-sets/{arguments.rule_set}").read()
        seats = arguments.seats or rules["seats"]
        if len(seats) != 2:
            parser.error(f"name two seats with --seats: {', '.join(seats)}")
        group, tables = create_round(api, arguments.rule_set, arguments.names, seats)
        for table in tables:
            for seat, token in table["seats"].items():
                print(f"{table['title']}: {api}/v1/games/{table['id']} {seat} {token}", flush=True)
        follow(api, group, tables, arguments.play)
        for title, ranking in results(group):
            print(f"{title}: {', '.join(ranking)}")
    except Refused as refused:
        raise SystemExit(str(refused)) from None


if __name__ == "__main__":
    main()
