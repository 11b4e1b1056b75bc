#!/usr/bin/env -S python3 -B
"""The strength of the robots in rules/sets/README.md: how often each beats another in every rule set.

    tests/strength.py             compares the table with new games and prints the first difference
    tests/strength.py --rewrite   plays the games and writes the table

The games come from `pagade simulate --robots` with a fixed seed, so the same rules and robots give the same table. The
variable PAGADE names the program (target/release/pagade unless set).
"""

import json
import subprocess
import sys

from tools.catalogue_page import PROGRAM, compare_or_rewrite, rule_files, table
from tools.service import ROOT

GAMES = 300
PAIRS = ["runner,random", "hunter,runner", "thinker,hunter"]


def strength(name, robots):
    """Returns the share of the games that the first robot wins, or None if the set does not seat two."""
    args = ["--players", "2", "--robots", robots, "--games", str(GAMES), "--seed", "1", "--count-only"]
    done = subprocess.run([PROGRAM, "simulate", name, *args, "--json"], cwd=ROOT, text=True, capture_output=True)
    if done.returncode == 2:
        return None
    if done.returncode not in (0, 1):
        raise SystemExit(f"pagade simulate {name}\n{done.stdout}{done.stderr}")
    first = json.loads(done.stdout)["robot_wins"][0]
    low, high = first["interval"]
    return f"{100 * first['rate']:.1f} ({100 * low:.1f} to {100 * high:.1f})"


def rows():
    for name in rule_files():
        won = [strength(name, robots) for robots in PAIRS]
        if None not in won:
            yield [f"`{name}`", *won]


def page():
    head = ["set", *(robots.replace(",", " against ") for robots in PAIRS)]
    return f"""
## How strong the robots are
Of {GAMES} games of two players, how many in a hundred the first robot wins, with the interval of 95 % certainty. The
robots change seats after every game (`pagade simulate SET --players 2 --robots A,B`). 50 is equal strength: in games
that luck decides, such as Ludo of two, no robot can win many more.

""" + table(head, list(rows()))


if __name__ == "__main__":
    if sys.argv[1:] not in ([], ["--rewrite"]):
        raise SystemExit(__doc__)
    compare_or_rewrite("strength", page(), "tests/strength.py --rewrite", bool(sys.argv[1:]))
