#!/usr/bin/env -S python3 -B
"""The strength of the robots in rules/sets/README.md: how often `learned` beats every other one at every table, and how
the robots of the Royal Game of Ur compare with figures from elsewhere and with perfect play.

    tests/strength.py             compares the tables with new games and prints the first difference
    tests/strength.py --rewrite   plays the games and writes the tables

The games come from `pagade simulate --robots` with a fixed seed, so the same rules and robots give the same tables. The
variable PAGADE names the program (target/release/pagade unless set). All games take about an hour of two cores; a run
that was interrupted goes on where it ended, as long as the program is the same (target/strength.json).
"""

import hashlib
import json
import subprocess
import sys
import tempfile
from pathlib import Path

from tools.catalogue_page import PROGRAM, compare_or_rewrite, rule_files, table
from tools.service import ROOT

OTHERS = ["random", "runner", "hunter", "thinker"]
PLAYERS = [2, 3, 4, 6, 8]
GAMES = 2000  # of each table and pair of robots
SMALL = [2, 3]  # numbers of pieces with which the Royal Game of Ur is solved here

# The same pairing by RoyalUr-Analysis (docs/Agents.md and docs/Insights.md), in per cent; None if it has none.
UR = [
    ("runner,random", 89.7),
    ("hunter,runner", 62.9),
    ("expectimax-3,hunter", 83.2),
    ("expectimax-3,random", None),
    ("thinker,hunter", None),
    ("learned,random", None),
    ("learned,runner", None),
    ("learned,hunter", None),
    ("learned,thinker", None),
    ("learned,expectimax-3", None),
]


class Played:
    """What was played by this program, in a file."""

    def __init__(self, file, program):
        self.file, self.program = file, hashlib.sha256(Path(program).read_bytes()).hexdigest()
        known = json.loads(file.read_text()) if file.exists() else {}
        self.results = known["results"] if known.get("program") == self.program else {}

    def add(self, key, result):
        self.results[key] = result
        self.file.write_text(json.dumps({"program": self.program, "results": self.results}))


PLAYED = Played(ROOT / "target/strength.json", PROGRAM)


def won(name, players, robots):
    """Returns the share of the games that the first robot wins, or None if the set does not seat so many."""
    key = f"{name} {players} {robots}"
    if key not in PLAYED.results:
        PLAYED.add(key, simulate(name, players, robots))
    return PLAYED.results[key]


def simulate(name, players, robots, *more):
    """Plays games, and returns the share of them that the first robot wins; None if the set does not seat so many."""
    args = ["--players", str(players), "--robots", robots, "--games", str(GAMES), "--seed", "1", "--count-only", *more]
    done = subprocess.run([PROGRAM, "simulate", name, *args, "--json"], cwd=ROOT, text=True, capture_output=True)
    if "has no table of" in done.stderr:
        return None
    if done.returncode not in (0, 1):
        raise SystemExit(f"pagade simulate {name} {' '.join(args)}\n{done.stdout}{done.stderr}")
    first = json.loads(done.stdout)["robot_wins"][0]
    low, high = first["interval"]
    return f"{100 * first['rate']:.1f} ({100 * low:.1f}–{100 * high:.1f})"


def rows():
    for name in rule_files():
        for players in PLAYERS:
            # Three players cannot share the seats evenly: one of them is the learned robot.
            lineups = [f"learned,{other},{other}" if players == 3 else f"learned,{other}" for other in OTHERS]
            shares = [won(name, players, robots) for robots in lineups]
            if None not in shares:
                yield [f"`{name}`", str(players), *shares]


def page():
    head = ["set", "players", *(f"against {other}" for other in OTHERS)]
    return f"""
## How strong the robots are
How many games in a hundred `learned` wins against every other robot, of {GAMES} games each, with the interval of 95 %
certainty. The robots change seats after every game (`pagade simulate SET --players N --robots learned,hunter`). With
an even number of players, half of the seats are `learned`, and 50 is equal strength. With three players, one seat is, and 33 is equal strength. In games that luck decides, no
robot can win many more; in Snakes and ladders nobody decides anything.

""" + table(head, list(rows()))


def small_ur(pieces):
    out = ", ".join(["out"] * pieces)
    return (
        f"rules: ur-of-{pieces}\nversion: 1.0.0\ntitle: Royal Game of Ur with {pieces} pieces\n"
        "extends: royal-game-of-ur\nremove: {options: [pieces]}\n"
        f"pawns: {{each: {pieces}, start: [{{pawns: [{out}]}}]}}\n"
    )


def solved(pieces, folder):
    """Solves the game with few pieces. Returns the row of the table."""
    rules, solution = folder / f"ur-of-{pieces}.yaml", folder / f"ur-of-{pieces}.solution"
    rules.write_text(small_ur(pieces))
    done = subprocess.run(
        [PROGRAM, "solve", rules, "--out", solution, "--json"], cwd=ROOT, text=True, capture_output=True, check=True
    )
    result = json.loads(done.stdout)
    play = [
        simulate(str(rules), 2, f"perfect,{robot}", "--solution", str(solution))
        for robot in ("random", "hunter", "thinker", "expectimax-3", "learned")
    ]
    return [str(pieces), f"{result['positions']:,}", f"{100 * result['wins'][0]['wins']:.2f}", *play]


def ur_page():
    published = lambda figure: "" if figure is None else f"{figure}"
    against = lambda robots: robots.replace(",", " against ")
    figures = [
        [against(robots), won("royal-game-of-ur", 2, robots), published(figure)] for robots, figure in UR
    ]
    with tempfile.TemporaryDirectory() as folder:
        small = [solved(pieces, Path(folder)) for pieces in SMALL]
    return f"""
### The Royal Game of Ur beside other figures
Of {GAMES} games, how many in a hundred the first robot wins, and how many its like wins by
[RoyalUr-Analysis](https://github.com/RoyalUr/RoyalUr-Analysis). Its "last move" is `runner`, its "greedy" is `hunter`
(in this game, who captures the pawn that loses most steps moves the most advanced pawn that can capture), and its
"expectimax" of depth 3 is `expectimax-3`, which may choose otherwise among actions of equal value.

{table(["robots", "wins, %", "published, %"], figures)}
The game with fewer pieces is solved by `pagade solve`: the positions, how many games in a hundred the player who begins
wins if both play perfectly, and how many `perfect` wins against each robot ({GAMES} games). `learned` plays them
by the weights of the whole game. With more pieces the table of values outgrows this comparison.

{table(["pieces", "positions", "first, %", "perfect against random", "hunter", "thinker", "expectimax-3", "learned"], small)}"""


if __name__ == "__main__":
    if sys.argv[1:] not in ([], ["--rewrite"]):
        raise SystemExit(__doc__)
    rewrite = bool(sys.argv[1:])
    compare_or_rewrite("ur-strength", ur_page(), "tests/strength.py --rewrite", rewrite)
    compare_or_rewrite("strength", page(), "tests/strength.py --rewrite", rewrite)
