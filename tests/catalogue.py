#!/usr/bin/env -S python3 -B
"""The catalogue in rules/sets/README.md: the head of every rule set, and how its games go at random.

    tests/catalogue.py             compares the catalogue with the rule sets and prints the first difference
    tests/catalogue.py --rewrite   writes the catalogue

The facts come from `pagade show` and from `pagade simulate` with a fixed seed, so the same rules give the same table. The variable PAGADE
names the program (target/release/pagade unless set).
"""

import json
import re
import subprocess
import sys

from tools.catalogue_page import PROGRAM, compare_or_rewrite, rule_files, table
from tools.service import ROOT

GAMES = 1000


def pagade(*args):
    """What the program prints, or None where it refuses."""
    done = subprocess.run([PROGRAM, *args], cwd=ROOT, text=True, capture_output=True)
    if done.returncode not in (0, 2):
        raise SystemExit(f"pagade {' '.join(args)}\n{done.stdout}{done.stderr}")
    return done.stdout if done.returncode == 0 else None


def facts(name):
    """The head of a rule set as `pagade show` tells it, by its first words."""
    lines = pagade("show", name).split("\n\n")[0].splitlines()
    told = dict(re.match(r"(\S+)\s+(.*)", line).groups() for line in lines[1:])
    told["title"] = re.match(r"\S+ (.*), version ", lines[0]).group(1).strip()
    return told


def simulations(name):
    """How games go, for every number of players that may sit down."""
    for players in (2, 3, 4):
        printed = pagade(
            "simulate", name, "--players", str(players), "--games", str(GAMES), "--seed", "1", "--threads", "1", "--json"
        )
        if printed:
            yield players, json.loads(printed)


def points(part):
    return f"{100 * part:+.1f}"


def statistics_row(name, players, told):
    turns, study = told["turns"], told["study"]
    first = study["first_mover"]
    low, high = first["interval"]
    return [
        f"`{name}`",
        str(players),
        f"{turns['mean']:.0f}",
        str(turns["median"]),
        f"{turns['p5']} to {turns['p95']}",
        f"{told['turns_to_first']:.0f}",
        f"{told['cuts']:.1f}",
        f"{told['passes']:.1f}",
        f"{study['decisions_a_turn']:.2f}",
        f"{study['legal_actions']:.1f}",
        f"{points(first['advantage'])} ({points(low)} to {points(high)})",
    ]


def set_row(name, folder):
    told = facts(name)
    about = told.get("about", "").split(". ")[0].rstrip(".")
    return [f"[`{name}`]({folder}{name}.yaml)", told["title"], told.get("from", ""), told["dice"], about]


def catalogue():
    files = rule_files()
    variants = [name for name, file in files.items() if file.parent.name == "variants"]
    games = [name for name in files if name not in variants]
    head = ["set", "title", "from", "dice", "about"]
    text = "## Games\n" + table(head, [set_row(name, "") for name in games])
    text += "\n## Variants\n" + table(head, [set_row(name, "variants/") for name in variants])
    rows = [statistics_row(name, *told) for name in games + variants for told in simulations(name)]
    text += f"""
## How long they last
{GAMES} games of each, every decision by chance among the legal actions (`pagade simulate SET --players N --games {GAMES}`). Turns are
those of all players together, to the last place that is played for; a pass is a throw that moved nothing; a decision is a point with
more than one legal action. The last column is what it is worth to begin: how many games in a hundred whoever begins (or their team) wins
beyond the fair part, with the interval in which that lies with 95 % certainty.

"""
    head = ["set", "players", "turns", "median", "in 9 of 10 games", "to the first home", "cuts a game", "passes a game"]
    head += ["decisions a turn", "actions to choose from", "worth of beginning, %"]
    return text + table(head, rows)


if __name__ == "__main__":
    if sys.argv[1:] not in ([], ["--rewrite"]):
        raise SystemExit(__doc__)
    compare_or_rewrite("catalogue", catalogue(), "tests/catalogue.py --rewrite", bool(sys.argv[1:]))
