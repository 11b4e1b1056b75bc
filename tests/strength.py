#!/usr/bin/env -S python3 -B
"""The strength of the robots in rules/sets/README.md: how often `learned` beats every other one at every table, and how
the robots of the Royal Game of Ur compare with figures from elsewhere and with perfect play.

    tests/strength.py                     compares the tables with new games and prints the first difference
    tests/strength.py --rewrite           plays the games and writes the tables
    tests/strength.py ur                  the same for the Royal Game of Ur alone
    tests/strength.py ur --rewrite
    tests/strength.py whole               the same for the Royal Game of Ur with all its pieces, which the commands
    tests/strength.py whole --rewrite     above leave out
    tests/strength.py budget              the same for robots with greater budgets, also left out above
    tests/strength.py budget --rewrite

The games of expectimax take three hours of processor time.
To solve the whole Royal Game of Ur takes 40 minutes of processor time and 4 GB of memory. The file
target/royal-game-of-ur.solution keeps the values (1.2 GB), so that this is done once for the same rules; if it is
stopped, the next run goes on.

The games come from `pagade simulate --robots` with a fixed seed, so the same rules and robots give the same tables. The
variable PAGADE names the program (target/release/pagade unless set). A run that was interrupted goes on where it
ended, as long as the program is the same (target/strength.json).
"""

import hashlib
import json
import subprocess
import sys
import tempfile
from pathlib import Path

from tools.catalogue_page import PROGRAM, compare_or_rewrite, rule_files, table
from tools.service import ROOT, help_if_asked

OTHERS = ["random", "runner", "hunter", "thinker"]
PLAYERS = range(2, 9)  # the numbers of players at a table
GAMES = 2000  # of each pair of robots at each table
SMALL = [2, 3]  # numbers of pieces with which the Royal Game of Ur is solved each time
WHOLE = ROOT / "target/royal-game-of-ur.solution"
BEATEN = ["random", "hunter", "thinker", "expectimax-3", "learned"]
SOLVED_HEAD = ["pieces", "positions", "first, %", "perfect against random", *BEATEN[1:]]

# Robots, the number of their games, and how many games in a hundred the first one wins according to RoyalUr-Analysis
# (docs/Agents.md and docs/Insights.md), or None. A game of `expectimax-5` takes a second, one of `expectimax-7` takes
# 20 to 60.
UR = [
    ("runner,random", GAMES, 89.7),
    ("hunter,runner", GAMES, 62.9),
    ("expectimax-3,hunter", GAMES, 83.2),
    ("expectimax-3,random", GAMES, None),
    ("expectimax-5,random", 500, 99.5),
    ("expectimax-7,expectimax-3", 60, 77),
    ("expectimax-7,hunter", 100, 92),
    ("thinker,hunter", GAMES, None),
    ("learned,random", GAMES, None),
    ("learned,runner", GAMES, None),
    ("learned,hunter", GAMES, None),
    ("learned,thinker", GAMES, None),
    ("learned,expectimax-3", GAMES, None),
    ("learned,expectimax-5", 100, None),
    ("learned,expectimax-7", 60, None),
]

# Games of a robot with a greater budget (`thinker-8`: 8 times the work) against the same robot without it: rule set,
# number of players, both robots, number of games.
BUDGETS = [
    ("royal-game-of-ur", 2, "thinker-8,thinker", 400),
    ("royal-game-of-ur", 2, "thinker-64,thinker", 100),
    ("royal-game-of-ur", 2, "learned-8,learned", 400),
]


class Played:
    """The results of the games that this program has played, kept in a file."""

    def __init__(self, file, program):
        self.file, self.program = file, hashlib.sha256(Path(program).read_bytes()).hexdigest()
        known = json.loads(file.read_text()) if file.exists() else {}
        self.results = known["results"] if known.get("program") == self.program else {}

    def add(self, key, result):
        self.results[key] = result
        self.file.write_text(json.dumps({"program": self.program, "results": self.results}))


def won(name, players, robots, games):
    """Returns the share of the games that the first robot wins, or None if the set does not seat so many players."""
    key = f"{name} {players} {robots} {games}"
    if key not in PLAYED.results:
        PLAYED.add(key, simulate(name, players, robots, games))
    return PLAYED.results[key]


def simulate(name, players, robots, games, *more):
    """Plays games. Returns the share that the first robot wins, or None if the set does not seat so many players."""
    args = ["--players", str(players), "--robots", robots, "--games", str(games), "--seed", "1", "--count-only", *more]
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
            # With an odd number of players the two robots cannot have the same number of seats: `learned` has one seat.
            others = players - 1 if players % 2 else 1
            shares = [won(name, players, ",".join(["learned", *[other] * others]), GAMES) for other in OTHERS]
            if None not in shares:
                yield [f"`{name}`", str(players), *shares]


def page():
    head = ["set", "players", *(f"against {other}" for other in OTHERS)]
    return f"""
## How strong the robots are
How many games in a hundred `learned` wins against every other robot, with the interval of 95 % certainty: of {GAMES}
games. The robots change seats after every game (`pagade simulate SET --players N --robots learned,hunter`). With an
even number of players, half of the seats are `learned`, and 50 is equal strength. With an odd number, one seat is, and
equal strength is 33 with three players, 20 with five and 14 with seven. In games that luck decides, no robot can win
many more; in Snakes and ladders nobody decides anything.

""" + table(head, list(rows()))


def small_ur(pieces):
    out = ", ".join(["out"] * pieces)
    return (
        f"rules: ur-of-{pieces}\nversion: 1.0.0\ntitle: Royal Game of Ur with {pieces} pieces\n"
        "extends: royal-game-of-ur\nremove: {options: [pieces]}\n"
        f"pawns: {{each: {pieces}, start: [{{pawns: [{out}]}}]}}\n"
    )


def solved(pieces, rules, solution, *more):
    """Solves the game. Returns the row of the table."""
    args = ["solve", rules, "--out", solution, "--json", *more]
    done = subprocess.run([PROGRAM, *args], cwd=ROOT, text=True, stdout=subprocess.PIPE, check=True)
    result = json.loads(done.stdout)
    positions = result["positions"] * (2 if result["mirrored"] else 1)
    play = [
        simulate(str(rules), 2, f"perfect,{robot}", GAMES, "--solution", str(solution))
        for robot in BEATEN
    ]
    return [str(pieces), f"{positions:,}", f"{100 * result['wins'][0]['wins']:.2f}", *play]


def solved_small(pieces, folder):
    rules = folder / f"ur-of-{pieces}.yaml"
    rules.write_text(small_ur(pieces))
    return solved(pieces, rules, folder / f"ur-of-{pieces}.solution")


def ur_page():
    published = lambda figure: "" if figure is None else f"{figure}"
    against = lambda robots: robots.replace(",", " against ")
    figures = [
        [against(robots), str(games), won("royal-game-of-ur", 2, robots, games), published(figure)]
        for robots, games, figure in UR
    ]
    with tempfile.TemporaryDirectory() as folder:
        small = [solved_small(pieces, Path(folder)) for pieces in SMALL]
    return f"""
### The Royal Game of Ur beside other figures
How many games in a hundred the first robot wins, and how many its like wins by
[RoyalUr-Analysis](https://github.com/RoyalUr/RoyalUr-Analysis). Its "last move" is `runner`, its "greedy" is `hunter`
(in this game, who captures the pawn that loses most steps moves the most advanced pawn that can capture), and its
"expectimax" of depth 3, 5 or 7 is `expectimax-3`, `-5` or `-7`; among actions of equal value, both choose the piece
that is least far.

{table(["robots", "games", "wins, %", "published, %"], figures)}
The game with fewer pieces is solved by `pagade solve`: the positions (what stands where, and whose turn it is), how
many games in a hundred the player who begins wins if both play perfectly, and how many `perfect` wins against each
robot ({GAMES} games). `learned` plays them by the weights of the whole game.

{table(SOLVED_HEAD, small)}"""


def whole_page():
    row = solved(7, "royal-game-of-ur", WHOLE, "--memory", "6000")
    return f"""
The whole game, with seven pieces, is solved as well, by `pagade solve royal-game-of-ur --memory 6000` in about 40
minutes of processor time and 4 GB of memory. These are 2 x 137,870,097 positions. RoyalUr counts 2 x 137,913,936: the
difference are the 43,839 ways in which the pieces can stand when all of one player, or of both, are home.

{table(SOLVED_HEAD[1:], [row[1:]])}"""


def budget_page():
    rows = [
        [name, str(players), robots.replace(",", " against "), str(games), won(name, players, robots, games)]
        for name, players, robots, games in BUDGETS
    ]
    return f"""
### More work for a decision
`thinker-8` may do 8 times the work of `thinker` for each decision, up to `thinker-1000`; `learned-8` likewise. They
play the next turns on, with all throws, for as many turns as the work allows
(`pagade simulate royal-game-of-ur --robots thinker-8,thinker --games 400 --count-only`). Robots of the service play
at the level of `thinker` and `learned`: 99 of 100 decisions take less than 5 ms of one core (`--times`). How many games
in a hundred the first robot wins:

{table(["set", "players", "robots", "games", "wins, %"], rows)}"""


if __name__ == "__main__":
    help_if_asked(__doc__)
    arguments = sys.argv[1:]
    rewrite, parts = "--rewrite" in arguments, [argument for argument in arguments if argument != "--rewrite"]
    if parts not in ([], ["ur"], ["whole"], ["budget"]):
        raise SystemExit(__doc__)
    PLAYED = Played(ROOT / "target/strength.json", PROGRAM)
    if parts == ["whole"]:
        compare_or_rewrite("ur-whole", whole_page(), "tests/strength.py whole --rewrite", rewrite)
    elif parts == ["budget"]:
        compare_or_rewrite("budget", budget_page(), "tests/strength.py budget --rewrite", rewrite)
    else:
        compare_or_rewrite("ur-strength", ur_page(), "tests/strength.py ur --rewrite", rewrite)
        if not parts:
            compare_or_rewrite("strength", page(), "tests/strength.py --rewrite", rewrite)
