#!/usr/bin/env -S python3 -B
"""The table of rare rules in rules/sets/README.md: lines that never fired by chance, and how often robots reach them.

    tests/rare.py             compares the table with the rule sets and prints the first difference
    tests/rare.py --rewrite   writes the table
    tests/rare.py SET..       prints the rows of these sets only

Every table of a set is simulated: every number of players, and every option that brings a further line into the game.
If a line never fires in random games, robots seek it (`pagade simulate SET --robots seek:LINE`). If they do not find
it, they seek other events, too, which may lead to it. A line that no robot reaches must have a row on the set's page in
rules/clauses/, under "Lines that never fire in random games". The row says why, and names the scenarios in which the
line fires. The variable PAGADE names the program (target/release/pagade unless set).
"""

import itertools
import json
import os
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from tools.catalogue_page import PROGRAM, compare_or_rewrite, rule_files
from tools.catalogue_page import table as markdown_table
from tools.service import ROOT, help_if_asked

RANDOM, SOUGHT, FEW = 500, 50, 10
# If robots fired a line less often than this with another option, chance may be the cause, not the option.
LUCK = 5
# Turns after which a random game and a game of robots are cut short. Some games of robots would never end.
LONGEST, WANDERED = 3000, 1000
SECTION = "## Lines that never fire in random games"
FIRING = {"numbers", "spend", "must", "landing", "passing", "on", "choices"}
# Further aims for robots. They may lead to a line that robots do not reach otherwise.
HELP = [",cut", ",home", ",left"]


def simulate(name, table, games, robots="random"):
    """Returns how often every line of a table fired. None: the table cannot be played, or the sought line never fires.

    Games are cut short, because robots that seek a line may keep a game from ending.
    """
    players, options = table
    seated = ["--players", str(players)] if players else []
    chosen = [f"--option={option}={value}" for option, value in options]
    cap = LONGEST if robots == "random" else WANDERED
    # The folder is new and empty, because the program first looks beside the file for the rule set that it extends.
    with tempfile.TemporaryDirectory() as folder:
        shorter = Path(folder) / "shorter.yaml"
        shorter.write_text(f"rules: {name}\nversion: 1.0.0\ntitle: Cut short\nextends: {name}\nturn: {{turn_cap: {cap}}}\n")
        command = [PROGRAM, "simulate", str(shorter), *seated, *chosen, "--games", str(games), "--robots", robots]
        done = subprocess.run([*command, "--seed", "1", "--threads", "1", "--lines", "--json"], text=True, capture_output=True)
    if done.stdout:
        return {use["line"]: use["fired"] for use in json.loads(done.stdout)["lines"]}
    if "cannot be played" in done.stderr:
        raise SystemExit(f"{' '.join(command)}\n{done.stderr}")
    return None


def options_of(name):
    """Lists for every option the pairs of its name and each other value than the default; of a range only the ends."""
    shown = subprocess.run([PROGRAM, "show", name], cwd=ROOT, text=True, capture_output=True, check=True).stdout
    for option, value, values in re.findall(r"^  (\w+) += (\S+) \(([^)]*)\):", shown, re.M):
        span = re.fullmatch(r"(\d+) to (\d+)", values)
        all_values = span.groups() if span else values.split(" | ")
        yield [(option, other) for other in all_values if other != value]


def own_lines(path):
    """Lists the lines of the file itself that can fire. Lines of the file that it extends are left out."""
    section, found = "", []
    for line in path.read_text().splitlines():
        if head := re.match(r"(\w+):", line):
            section = head[1]
        if (item := re.match(r"\s+- \{id: ([\w-]+)", line)) and section in FIRING:
            found.append(f"{section}.{item[1]}")
    return found


def tables_of(name, path):
    """Finds the tables to simulate, with their lines: by number of players, then by options that add lines."""
    known = {}
    for players in range(2, 9):
        fired = simulate(name, (players, ()), 1)
        if fired is not None:
            known[players, ()] = set(fired)
    if len(known) == 1:
        known = {(None, ()): next(iter(known.values()))}
    missing = set(own_lines(path)) - set().union(*known.values())
    options = list(options_of(name))
    alone = [(choice,) for values in options for choice in values]
    pairs = [pair for one, other in itertools.combinations(options, 2) for pair in itertools.product(one, other)]
    for chosen in itertools.chain(alone, pairs):
        if not missing:
            break
        fired = simulate(name, (None, chosen), 1)
        if fired and missing & set(fired):
            known[None, chosen] = missing & set(fired)
            missing -= set(fired)
    return known, sorted(missing)


def sought(name, table, line, beside="", games=SOUGHT):
    """Returns how often the line fired when robots sought it and the aims in `beside`."""
    fired = simulate(name, table, games, f"seek:{line}{beside}")
    return fired.get(line, 0) if fired else 0


def with_help(name, table, line, games=SOUGHT, helps=HELP):
    """Finds further aims with which robots reach the line. Returns the aims and how often the line fired, or None."""
    lines = simulate(name, table, 1)
    pairs = [spend for spend in joint_moves(rule_files()[name]) if spend in (lines or []) and spend != line]
    for beside in ["".join(f",{spend}" for spend in pairs) + ",pair_formed", *helps]:
        if times := sought(name, table, line, beside, games):
            return beside, times
    return None


def joint_moves(path):
    """Lists the lines by which pairs move, in the file and in the file that it extends."""
    text = "".join(rule_files()[name].read_text() for name in [path.stem, *extended(path)] if name in rule_files())
    return [f"spend.{line}" for line in re.findall(r"\{id: ([\w-]+), +move: (?:pair|group)", text)]


def extended(path):
    return re.findall(r"^extends: (\S+)", path.read_text(), re.M)


def elsewhere(name, table, line):
    """Finds an option with which robots reach the line. Returns the table, the aims and the count, or None."""
    players, options = table
    for choice in (choice for values in options_of(name) for choice in values):
        other = (players, (*options, choice))
        found = [""] if sought(name, other, line, games=FEW) else with_help(name, other, line, FEW, [])
        if found and (times := sought(name, other, line, found[0])) >= LUCK:
            return other, (found[0], times)
    return None


def told(tables):
    """Describes tables in words: `2, 3 players; OPTION: VALUE`."""
    sizes = ", ".join(str(players) for players, options in tables if players and not options)
    chosen = [" ".join([f"{players} players"] * bool(players) + [with_options(options)]) for players, options in tables if options]
    return "; ".join([f"{sizes} players"] * bool(sizes) + chosen) or "the only table"


def with_options(options):
    return ", ".join(f"`{option}: {value}`" for option, value in options)


def met(times, beside=""):
    if not beside:
        return str(times)
    names = "pairs" if "pair_formed" in beside else " and ".join(f"`{help}`" for help in beside.split(",") if help)
    return f"{times}, seeking {names} too"


def rare(name, path):
    """Lists the rows of a rule set: a line, the tables where it never fired by chance, how often robots reached it."""
    known, missing = tables_of(name, path)
    rows = [[f"`{name}`", f"`{line}`", "all", "never: no table has it"] for line in missing]
    silent, by_chance = {}, set()
    for table, lines in known.items():
        fired = simulate(name, table, RANDOM)
        by_chance |= {line for line in lines if fired[line]}
        for line in fired:
            if line in lines and not fired[line]:
                silent.setdefault(line, []).append(table)
    for line, tables in silent.items():
        found = {table: met(times) for table in tables if (times := sought(name, table, line))}
        for table in tables:
            helps = [] if line in by_chance else HELP
            if table not in found and (helped := with_help(name, table, line, helps=helps)):
                found[table] = met(helped[1], helped[0])
        other = None if found or line in by_chance else elsewhere(name, tables[-1], line)
        for how, group in itertools.groupby(tables, lambda table: found.get(table, "never")):
            if other and how == "never":
                how += f"; with {with_options(other[0][1][-1:])} {met(other[1][1], other[1][0])}"
            rows.append([f"`{name}`", f"`{line}`", told(list(group)), how])
    return rows


def rows_of(names):
    paths = rule_files()
    with ThreadPoolExecutor(os.cpu_count()) as crew:
        found = list(crew.map(lambda name: rare(name, paths[name]), names))
    unexplained = [row for name, rows in zip(names, found) for row in rows if "never" in row[3] and not explained(paths[name], row[1])]
    if unexplained:
        lines = "\n".join(" ".join(row) for row in unexplained)
        raise SystemExit(f"these have no row under `{SECTION}` in rules/clauses/:\n{lines}")
    return [row for rows in found for row in rows]


def explained(path, line):
    """Tells whether the page of the set, or of the set that it extends, explains why the line never fires."""
    pages = [path.stem, *extended(path)]
    texts = [page.read_text() for page in (ROOT / f"rules/clauses/{page}.md" for page in pages) if page.exists()]
    return any(f"\n| {line} |" in text.partition(SECTION)[2] for text in texts)


def table():
    head = ["set", "line", "never by chance at tables of", f"met by robots in {SOUGHT} games"]
    return f"""## Rules that chance seldom comes to
These rule lines never fired in {RANDOM} games by chance. All lines of all sets were played, at every number of players,
and with every option that brings a line into the game. The last column says how often robots met a line that they
sought (`pagade simulate SET --robots seek:LINE`). "With" names an option with which they met it. "Seeking pairs too"
means that they also sought joint moves and the event `pair_formed`. The pages of the sets in
[`../clauses/`](../clauses/) explain the lines that nobody met, and name the scenarios in which they fire.

""" + markdown_table(head, rows_of(list(rule_files())))


if __name__ == "__main__":
    help_if_asked(__doc__)
    match sys.argv[1:]:
        case [] | ["--rewrite"]:
            compare_or_rewrite("rare", table(), "tests/rare.py --rewrite", "--rewrite" in sys.argv)
        case names:
            unknown = [name for name in names if name not in rule_files()]
            if unknown:
                raise SystemExit(f"no set is called {', '.join(unknown)}\n\n{__doc__}")
            for name in names:
                for row in rare(name, rule_files()[name]):
                    print("| " + " | ".join(row) + " |", flush=True)
