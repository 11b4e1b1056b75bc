"""The page rules/sets/README.md. Programs write parts of it, each between two marks."""

import os
from itertools import zip_longest

from tools.service import ROOT

SETS = ROOT / "rules/sets"
PAGE = SETS / "README.md"
PROGRAM = os.environ.get("PAGADE", str(ROOT / "target/release/pagade"))


def rule_files():
    """Returns the files of all rule sets by the names of the sets. Games come first, then variants."""
    return {path.stem: path for folder in (SETS, SETS / "variants") for path in sorted(folder.glob("*.yaml"))}


def table(head, rows):
    lines = [head, ["---"] * len(head), *rows]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def compare_or_rewrite(mark, text, command, rewrite):
    """Compares a part of the page with `text` and reports the first difference, or writes `text` into the page."""
    begin, end = f"<!-- {mark} -->\n", f"<!-- /{mark} -->"
    before, rest = PAGE.read_text().split(begin)
    old, after = rest.split(end)
    if rewrite:
        PAGE.write_text(before + begin + text + end + after)
        return
    for line, (now, right) in enumerate(zip_longest(old.splitlines(), text.splitlines(), fillvalue=""), 1):
        if now != right:
            raise SystemExit(f"{PAGE}, line {line} of `{mark}`\nnow     {now}\nshould  {right}\nto write it: {command}")
