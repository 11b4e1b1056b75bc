#!/usr/bin/env -S python3 -B
"""Follows a guide literally: writes its files, runs its commands, and compares their output with what the guide shows.

    tests/guide.py FILE              prints the first difference
    tests/guide.py FILE --rewrite    writes the output under the commands

A block ```yaml NAME is a file; a block ```bash is typed into one shell, in order; the block ```text after it is the
output. The folders that the guide makes are removed at the end. If the variable PAGADE names a program, the guide is
followed with it: its `cargo build` is left out, and the program's folder stands for target/quick.
"""

import os
import re
import subprocess
import sys
from pathlib import Path

from tools.service import ROOT, help_if_asked

BLOCK = re.compile(r"^```(\w+)(?: (\S+))?\n(.*?)^```$", re.M | re.S)
END = "-- end of a block --"


def with_program(commands, program):
    """Returns commands that use a program which is built already."""
    folder = str(Path(program).resolve().parent)
    return re.sub(r"^cargo build .*\n", "", commands, flags=re.M).replace("$PWD/target/quick", folder)


def typed(shell, commands):
    """Types commands into the shell and returns what they print, errors included."""
    shell.stdin.write(f"{commands}\necho '{END}'\n")
    shell.stdin.flush()
    lines = []
    for line in shell.stdout:
        if line.rstrip("\n").endswith(END):
            return "".join(lines) + line.rstrip("\n")[: -len(END)]
        lines.append(line)
    raise SystemExit(f"the shell ended in:\n{commands}\n{''.join(lines)}")


def main(file, rewrite):
    path = ROOT / file
    guide = path.read_text()
    program = os.environ.get("PAGADE")
    shell = subprocess.Popen(
        ["bash", "--norc"], cwd=ROOT, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    )
    made, printed, wrong, result, at = set(), "", [], [], 0
    for block in BLOCK.finditer(guide):
        kind, name, text = block.groups()
        result.append(guide[at : block.start(3)])
        at = block.start(3)
        if kind == "yaml" and name:
            target = ROOT / name
            made.add(target.parent)
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(text)
        elif kind == "bash":
            printed = typed(shell, with_program(text, program) if program else text)
        elif kind == "text":
            if text != printed and not wrong:
                wrong.append(f"{file} shows\n{text}\nbut the output is\n{printed}")
            result.append(printed)
            at = block.end(3)
    result.append(guide[at:])
    shell.stdin.close()
    shell.wait(timeout=30)
    for folder in made - {ROOT}:
        subprocess.run(["rm", "-r", str(folder)], check=False)
    if rewrite:
        path.write_text("".join(result))
    elif wrong:
        raise SystemExit(wrong[0])


if __name__ == "__main__":
    help_if_asked(__doc__)
    if not sys.argv[1:]:
        raise SystemExit(__doc__)
    main(sys.argv[1], "--rewrite" in sys.argv[2:])
