#!/usr/bin/env -S python3 -B
"""How long the robots take for a decision: 99 of 100 decisions take less than 5 ms of one core, at every table.

    tests/decision_times.py           measures every rule set with every number of players
    tests/decision_times.py SET..     measures these sets only

Prints a row for each table and robot: the median, the time that 99 of 100 decisions do not exceed, and the longest
time, all in milliseconds of processor time, over the decisions among several legal actions. Ends with exit code 1 if a
robot takes longer at a table. The times come from `pagade simulate --robots ROBOT --times`. The variable PAGADE names
the program (target/release/pagade unless set).
"""

import json
import subprocess
import sys

from tools.catalogue_page import PROGRAM, rule_files
from tools.service import ROOT, help_if_asked

ROBOTS = ["runner", "hunter", "thinker", "learned"]
PLAYERS = range(2, 9)  # the numbers of players at a table
GAMES = 10
MOST = 5  # milliseconds that 99 of 100 decisions may take


def measured(name, players, robot):
    """Returns the times of a robot, {} if nobody decides anything, or None if the set does not seat so many players."""
    args = ["--players", str(players), "--robots", robot, "--games", str(GAMES), "--times", "--count-only", "--json"]
    done = subprocess.run([PROGRAM, "simulate", name, *args], cwd=ROOT, text=True, capture_output=True)
    if "has no table of" in done.stderr:
        return None
    if done.returncode not in (0, 1):
        raise SystemExit(f"pagade simulate {name} {' '.join(args)}\n{done.stdout}{done.stderr}")
    (times,) = json.loads(done.stdout)["decision_times"]
    return times if times["decisions"] else {}


def row(*cells):
    print("{:28} {:>7} {:8} {:>9} {:>8} {:>8} {:>8}".format(*cells), flush=True)


if __name__ == "__main__":
    help_if_asked(__doc__)
    known = list(rule_files())
    if unknown := set(sys.argv[1:]) - set(known):
        raise SystemExit(f"no rule set is named {', '.join(sorted(unknown))}")
    row("set", "players", "robot", "decisions", "median", "99 %", "longest")
    tables, slow = 0, []
    for name in sys.argv[1:] or known:
        for players in PLAYERS:
            all_times = {robot: measured(name, players, robot) for robot in ROBOTS}
            tables += None not in all_times.values()
            for robot, times in all_times.items():
                if times:
                    shown = [f"{times[key]:.3f}" for key in ("p50_ms", "p99_ms", "longest_ms")]
                    row(name, players, robot, times["decisions"], *shown)
                    if times["p99_ms"] >= MOST:
                        slow.append(f"{name}, {players} players, {robot}: {shown[1]} ms")
    if slow:
        raise SystemExit(f"99 of 100 decisions take {MOST} ms or longer:\n" + "\n".join(slow))
    print(f"at {tables} tables, 99 of 100 decisions of every robot take less than {MOST} ms")
