#!/usr/bin/env -S python3 -B
"""Computes the standings of a tournament again, from the records of its games and without any code of the service.

    standings.py EXPORT [RECORDS]     EXPORT is the answer of GET /v1/tournaments/{id}/export; RECORDS are the records
                                      of all its games in the order of the export, as `pagade tournament run` writes them

With records, the result of every game is read from them first and compared with the export. Then points, knock-out,
tie-breaks and lots are computed from the results, and the places are compared. Only the standard library is used.
"""

import json
import sys
from fractions import Fraction
from itertools import combinations

from tools.service import fail, help_if_asked


def rotated(value, count):
    return ((value << count) | (value >> (32 - count))) & 0xFFFFFFFF


def chacha20(key, counter, stream):
    """One block of ChaCha20 (RFC 8439, with counter and stream of 64 bits each) as sixteen words."""
    constants = [0x61707865, 0x3320646E, 0x79622D32, 0x6B206574]
    words = [int.from_bytes(key[at : at + 4], "little") for at in range(0, 32, 4)]
    start = constants + words + [counter & 0xFFFFFFFF, counter >> 32, stream & 0xFFFFFFFF, stream >> 32]
    state = start[:]
    rounds = [(0, 4, 8, 12), (1, 5, 9, 13), (2, 6, 10, 14), (3, 7, 11, 15), (0, 5, 10, 15), (1, 6, 11, 12), (2, 7, 8, 13), (3, 4, 9, 14)]
    for a, b, c, d in rounds * 10:
        for x, y, z, turn in ((a, b, d, 16), (c, d, b, 12), (a, b, d, 8), (c, d, b, 7)):
            state[x] = (state[x] + state[y]) & 0xFFFFFFFF
            state[z] = rotated(state[z] ^ state[x], turn)
    return [(one + other) & 0xFFFFFFFF for one, other in zip(state, start)]


def draw_lots(seed, count):
    """The lot of each entrant: 64 bits of the stream 0, the lower word first."""
    words = [word for block in range(count // 8 + 1) for word in chacha20(bytes.fromhex(seed), block, 0)]
    return [words[2 * at] | words[2 * at + 1] << 32 for at in range(count)]


def places(keys):
    """The place of each key, where a larger key is better. Equal keys share a place."""
    return [1 + sum(other > key for other in keys) for key in keys]


def games_of_records(path):
    """Reads records one after the other. Yields for each game the seats in the order in which they finished, the number
    of each seat's pawns that are home at the end, and the number of all its pawns. Yields None for a game that did not
    end by its rules, such as a forfeited one, because its record does not say who won."""
    players, won, home, last = None, [], {}, None

    def ended():
        if last is None or "game_over" not in last.get("events", []):
            return None
        return won, home, {seat: len(pawns) for seat, pawns in last["position"].items()}

    for line in open(path, encoding="utf-8"):
        entry = json.loads(line)
        if "ruleset" in entry:
            if players is not None:
                yield ended()
            players, won, home, last = entry["players"], [], {}, None
            continue
        last = entry
        home = {seat: pawns.count("home") for seat, pawns in last["position"].items()}
        events = last.get("events", [])
        # A seat whose pawns are all home moves the pawns of its partner, who sits opposite.
        helped = players[(players.index(last["turn"]) + len(players) // 2) % len(players)]
        for _ in range(events.count("home")):
            is_done = home[last["turn"]] == len(last["position"][last["turn"]])
            home[helped if is_done else last["turn"]] += 1
        won += [last["turn"]] * (events.count("player_won") + events.count("player_finished"))
    if players is not None:
        yield ended()


def check_records(export, path):
    """Compares the results of games with their records. Returns the number of games that their records decide."""
    games = [game for played in export["rounds"] for table in played["tables"] for game in table["games"] if game["status"] == "finished"]
    records = list(games_of_records(path))
    if len(records) != len(games):
        fail(f"{len(records)} records for {len(games)} games")
    for game, record in zip(games, records):
        if record is None:
            continue
        won, home, pawns = record
        entrant = {seat["seat"]: seat["entrant"] for seat in game["seats"]}
        found = {}
        for number in set(entrant.values()):
            own = [seat for seat in entrant if entrant[seat] == number]
            if len(own) > 1:
                # A team has won if all pawns of both its seats are home, even if another seat was the first to finish.
                place = 1 if all(home[seat] == pawns[seat] for seat in own) else 2
            else:
                place = won.index(own[0]) if own[0] in won else len(won)
            found[number] = (place, sum(home[seat] for seat in own))
        ranks = {number: 1 + sum(other[0] < own[0] for other in found.values()) for number, own in found.items()}
        for seat in game["result"]:
            number = seat["entrant"]
            if (ranks[number], found[number][1]) != (seat["place"], seat["score"]):
                fail(f"game {game['id']}, entrant {number}: the record says {ranks[number], found[number][1]}, the export {seat}")
    check_tables(export)
    return sum(record is not None for record in records)


def check_tables(export):
    """Checks that every table with one game has the result of this game."""
    for played in export["rounds"]:
        for table in played["tables"]:
            decided = table["result"]
            if decided["by"] == "games" and len(table["games"]) == 1 and decided["seats"] != table["games"][0]["result"]:
                fail(f"round {played['round']}, table {table['table']} has another result than its game")


class Field:
    """The entrants of an export, and its rounds."""

    def __init__(self, export):
        self.tournament = export["tournament"]
        self.rounds = export["rounds"]
        self.entrants = [entrant for entrant in self.tournament["entrants"] if not entrant["waiting"]]
        self.numbers = [entrant["number"] for entrant in self.entrants]
        lots = draw_lots(self.tournament["seed"], len(self.numbers))
        self.lots = dict(zip(self.numbers, lots))
        self.worth = self.tournament["points"]

    def lines(self, upto):
        """Returns for each entrant one tuple a round: the points; the opponents, each with the points against them in
        halves; the difference to the mean score of the opponents; whether the entrant has won."""
        by_seats = {2: self.worth["two"], 3: self.worth["three"], 4: self.worth["four"]}
        lines = {number: [] for number in self.numbers}
        for played in self.rounds[:upto]:
            here = {}
            for entrant in self.entrants:
                left, entered = entrant.get("left_before_round"), entrant.get("from_round", 1)
                is_there = entered <= played["round"] and (left is None or played["round"] < left)
                if is_there and played["round"] in entrant.get("absent_in_rounds", []):
                    here[entrant["number"]] = (Fraction(self.worth["absent"]), [], Fraction(0), False)
            for bye in played["byes"]:
                if bye["counts"]:
                    here[bye["entrant"]] = (Fraction(self.worth["bye"]), [], Fraction(0), False)
            for table in played["tables"]:
                if "result" not in table:
                    continue
                seats = table["result"]["seats"]
                came = [seat for seat in seats if not seat["no_show"]]
                for seat in seats:
                    sharers = sum(other["place"] == seat["place"] for other in seats)
                    taken = by_seats[len(seats)][seat["place"] - 1 : seat["place"] - 1 + sharers]
                    points = Fraction(self.worth["no_show"]) if seat["no_show"] else Fraction(sum(taken), sharers)
                    others = [other for other in came if other is not seat]
                    if seat["no_show"] or not others:
                        here[seat["entrant"]] = (points, [], Fraction(0), False)
                        continue
                    halves = [(other["entrant"], 2 if seat["place"] < other["place"] else int(seat["place"] == other["place"])) for other in others]
                    difference = seat["score"] - Fraction(sum(other["score"] for other in others), len(others))
                    here[seat["entrant"]] = (points, halves, difference, all(half == 2 for _, half in halves))
            for number, line in here.items():
                lines[number].append(line)
        return lines

    def ranked(self, entrants, upto, reached):
        """Returns groups of equal entrants, the best first; the points; and the values of the tie-breaks."""
        lines = self.lines(upto)
        points = {number: sum((line[0] for line in lines[number]), Fraction(0)) for number in self.numbers}
        values = {number: [] for number in entrants}
        groups = self.split([entrants], lambda number: (reached.get(number, 0), points[number]))
        for tie_break in self.tournament["tie_breaks"]:
            for group in groups:
                for number in group:
                    values[number].append(self.value(tie_break, number, group, lines, points))
            groups = self.split(groups, lambda number: values[number][-1])
        return groups, points, values

    @staticmethod
    def split(groups, value):
        found = []
        for group in groups:
            for key in sorted({value(number) for number in group}, reverse=True):
                found.append([number for number in group if value(number) == key])
        return found

    def value(self, tie_break, number, equals, lines, points):
        own = lines[number]
        mean = lambda opponents: sum((points[other] for other, _ in opponents), Fraction(0)) / len(opponents)
        buchholz = [mean(opponents) if opponents else points[number] for _, opponents, _, _ in own]
        if tie_break == "buchholz":
            return sum(buchholz, Fraction(0))
        if tie_break == "buchholz_cut1":
            return sum(buchholz, Fraction(0)) - min(buchholz, default=Fraction(0))
        if tie_break == "sonneborn_berger":
            return sum((sum(points[other] * half for other, half in opponents) / (2 * max(len(opponents), 1)) for _, opponents, _, _ in own), Fraction(0))
        if tie_break == "wins":
            return Fraction(sum(won for *_, won in own))
        if tie_break == "score_difference":
            return sum((difference for _, _, difference, _ in own), Fraction(0))
        if tie_break == "lots":
            return Fraction(sum(lot > self.lots[number] for lot in self.lots.values()))
        met = {one: {other for _, opponents, _, _ in lines[one] for other, _ in opponents} for one in equals}
        if not all(other in met[one] for one, other in combinations(equals, 2)):
            return Fraction(0)
        return sum((Fraction(half, 2) for _, opponents, _, _ in own for other, half in opponents if other in equals), Fraction(0))

    def reached(self):
        """How far each entrant came in the knock-out: 4 for each round from which the entrant went on, and in the final
        3, 2 and 1 for the first three places; after a stage of groups, 1 for an entrant that goes on to the
        knock-out."""
        form, reached = self.tournament["format"], {}
        if form["kind"] not in ("knock_out", "groups"):
            return reached
        first, size = 0, form.get("table", 2)
        if form["kind"] == "groups":
            size = form.get("knock_out_table", 2)
            first = self.group_rounds(form)
            for number in self.of_round(self.rounds[first]) if first < len(self.rounds) else []:
                reached[number] = 1
            if first < len(self.rounds):
                self.check_groups(first, form["advance"], set(reached))
        go_on, losers = size // 2, []
        for played in self.rounds[first:]:
            tables = [table for table in played["tables"] if set(table["entrants"]) != set(losers) or not losers]
            third = [table for table in played["tables"] if table not in tables]
            is_final = len(tables) == 1 and len(played["byes"]) == 0
            losers = []
            for table in tables:
                for at, number in enumerate(self.order(table)):
                    if is_final:
                        reached[number] = reached.get(number, 0) + max(3 - at, 0)
                    elif at < go_on:
                        reached[number] = reached.get(number, 0) + 4
                    else:
                        losers.append(number)
            for bye in played["byes"]:
                reached[bye["entrant"]] = reached.get(bye["entrant"], 0) + 4
            for table in third:
                number = self.order(table)[0]
                reached[number] = reached.get(number, 0) + 1
        return reached

    def order(self, table):
        """The entrants of a table, the best first. Among equal places the higher score comes first, then the lot."""
        seats = table["result"]["seats"]
        return [seat["entrant"] for seat in sorted(seats, key=lambda seat: (seat["place"], -seat["score"], self.lots[seat["entrant"]]))]

    @staticmethod
    def of_round(played):
        seated = [number for table in played["tables"] for number in table["entrants"]]
        return seated + [bye["entrant"] for bye in played["byes"]]

    def group_rounds(self, form):
        """Returns the number of rounds in groups: those before the first round that has only as many entrants as go on
        from the groups."""
        go_on = form["groups"] * form["advance"]
        return next((at for at, played in enumerate(self.rounds) if len(self.of_round(played)) <= go_on), len(self.rounds))

    def check_groups(self, rounds, advance, qualified):
        """Checks that the best of each group go on. Entrants that are connected by tables of the first rounds are one
        group."""
        groups = {number: {number} for number in self.numbers}
        for played in self.rounds[:rounds]:
            for table in played["tables"]:
                joined = set().union(*(groups[number] for number in table["entrants"]))
                for number in joined:
                    groups[number] = joined
        left = {entrant["number"]: entrant.get("left_before_round") for entrant in self.entrants}
        is_there = lambda number: left[number] is None or left[number] > rounds + 1
        for group in {frozenset(group) for group in groups.values()}:
            ordered, _, _ = self.ranked([number for number in self.numbers if number in group], rounds, {})
            best = [number for equal in ordered for number in equal if is_there(number)][:advance]
            if set(best) != group & qualified:
                fail(f"of the group {sorted(group)} {sorted(group & qualified)} go on, not {best}")


def main():
    help_if_asked(__doc__)
    if len(sys.argv) not in (2, 3):
        raise SystemExit(__doc__)
    with open(sys.argv[1], encoding="utf-8") as file:
        export = json.load(file)
    games = check_records(export, sys.argv[2]) if len(sys.argv) == 3 else 0
    field = Field(export)
    groups, points, values = field.ranked(field.numbers, len(field.rounds), field.reached())
    place = {number: 1 + sum(len(before) for before in groups[:at]) for at, group in enumerate(groups) for number in group}
    told = export["standings"]
    if len(told) != len(place):
        fail(f"{len(told)} entrants are ranked, not {len(place)}")
    for row in told:
        number = row["entrant"]
        if row["place"] != place[number]:
            fail(f"{row['name']} has place {row['place']}, computed again {place[number]}")
        if abs(float(points[number]) - row["points"]) > 1e-9:
            fail(f"{row['name']} has {row['points']} points, computed again {points[number]}")
        # The service computes with whole parts of a point (1/144) and rounds means to them, so values may differ a
        # little.
        for tie_break, value in zip(row["tie_breaks"], values[number]):
            if abs(float(value) - tie_break["value"]) > 0.02:
                fail(f"{row['name']}: {tie_break['tie_break']} is {tie_break['value']}, computed again {value}")
    print(f"{len(told)} entrants, {len(field.rounds)} rounds, {games} records: the same places, points and tie-breaks")


if __name__ == "__main__":
    main()
