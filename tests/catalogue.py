#!/usr/bin/env -S python3 -B
"""The catalogue in rules/sets/README.md: the head of every rule set, and how its games go at random.

    tests/catalogue.py             compares the catalogue with the rule sets and prints the first difference
    tests/catalogue.py --rewrite   writes the catalogue

The facts come from `pagade show` and from `pagade simulate` with a fixed seed, so the same rules give the same table.
The variable PAGADE names the program (target/release/pagade unless set).
"""

import json
import re
import subprocess
import sys
import textwrap

from tools.catalogue_page import PROGRAM, compare_or_rewrite, rule_files, table
from tools.service import ROOT, help_if_asked

GAMES = 1000
COLUMNS = 118


def pagade(*args):
    """Runs the program and returns its output, or None if the program refuses the arguments."""
    done = subprocess.run([PROGRAM, *args], cwd=ROOT, text=True, capture_output=True)
    if done.returncode not in (0, 2):
        raise SystemExit(f"pagade {' '.join(args)}\n{done.stdout}{done.stderr}")
    return done.stdout if done.returncode == 0 else None


def facts(name):
    """Returns the head of a rule set in the output of `pagade show`, by the first word of each line."""
    lines = pagade("show", name).split("\n\n")[0].splitlines()
    told = dict(re.match(r"(\S+)\s+(.*)", line).groups() for line in lines[1:])
    told["title"] = re.match(r"\S+ (.*), version ", lines[0]).group(1).strip()
    return told


def simulations(name):
    """Yields the statistics for every possible number of players."""
    for players in range(2, 9):
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
        name,
        str(players),
        f"{turns['mean']:.0f}",
        str(turns["median"]),
        f"{turns['p5']}–{turns['p95']}",
        f"{told['turns_to_first']:.0f}",
        f"{told['cuts']:.1f}",
        f"{told['passes']:.1f}",
        f"{study['decisions_a_turn']:.2f}",
        f"{study['legal_actions']:.1f}",
        f"{points(first['advantage'])} ({points(low)}..{points(high)})",
    ]


def entry(name, folder):
    """Writes a rule set as an item of a list."""
    told = facts(name)
    about = told.get("about", "").split(". ")[0].rstrip(".")
    parts = [told["title"], told.get("from", ""), f"Dice: {told['dice']}", about]
    text = f"[`{name}`]({folder}{name}.yaml): " + " ".join(f"{part}." for part in parts if part)
    return textwrap.fill(text, COLUMNS, initial_indent="- ", subsequent_indent="  ", break_on_hyphens=False) + "\n"


def catalogue():
    files = rule_files()
    variants = [name for name, file in files.items() if file.parent.name == "variants"]
    games = [name for name in files if name not in variants]
    text = "## Games\n" + "".join(entry(name, "") for name in games)
    text += "\n## Variants\n" + "".join(entry(name, "variants/") for name in variants)
    text += f"""
## How long they last
{GAMES} games of each, with every decision by chance among the legal actions
(`pagade simulate SET --players N --games {GAMES}`):

- **turns**: the mean number of turns of all players together, until the last rank is decided;
- **median**, **9 of 10**: half of the games are shorter than the median; nine of ten games lie in the range;
- **first**: the mean number of turns until the first seat finishes;
- **cuts**, **passes**: captures a game; throws a game that moved nothing;
- **decisions**: points a turn with more than one legal action; **actions**: the number of legal actions there;
- **start, %**: the advantage of the seat (or team) that begins: games that it wins in a hundred, beyond its fair
  share, with the interval of 95 % certainty.

"""
    head = ["set", "players", "turns", "median", "9 of 10", "first", "cuts", "passes", "decisions", "actions", "start, %"]
    rows = [statistics_row(name, *told) for name in games + variants for told in simulations(name)]
    return text + table(head, rows)


if __name__ == "__main__":
    help_if_asked(__doc__)
    if sys.argv[1:] not in ([], ["--rewrite"]):
        raise SystemExit(__doc__)
    compare_or_rewrite("catalogue", catalogue(), "tests/catalogue.py --rewrite", bool(sys.argv[1:]))
