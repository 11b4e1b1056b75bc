#!/usr/bin/env -S python3 -B
"""Compares the description of the interface with that of the last release: would its clients still work?

    tests/breaking.py             prints every change that breaks them; exit code 1 if there is one
    tests/breaking.py --release   stores the current description as that of its version, to compare with from then on

openapi/released holds the description of every release; the newest counts. Before the first release it holds the 0.1.0 to
come: a change that breaks it is made on purpose, by `tests/breaking.py --release`.
"""

import copy
import json
import sys

from tools.interface_changes import changes
from tools.mutations import BREAKING, HARMLESS
from tools.service import ROOT

OPENAPI = ROOT / "openapi"


def released():
    def version(path):
        return [int(part) for part in path.stem.split(".")]

    return max((OPENAPI / "released").glob("*.json"), key=version)


def without_examples(node):
    """A description without its examples: they are for people, and no part of the promise."""
    if isinstance(node, list):
        return [without_examples(inner) for inner in node]
    if isinstance(node, dict):
        return {name: without_examples(inner) for name, inner in node.items() if name not in ("example", "examples")}
    return node


def check_the_check(document):
    """Changes the document in one way after another: `changes` finds those that break clients, and no others."""
    for name, mutate in {**BREAKING, **HARMLESS}.items():
        changed = copy.deepcopy(document)
        mutate(changed)
        if changed == document:
            raise SystemExit(f"tests/tools/mutations.py: `{name}` changes nothing")
        found = changes(document, changed)
        if bool(found) != (name in BREAKING):
            raise SystemExit(f"tests/tools/interface_changes.py: `{name}` was judged wrongly: {found}")


def main():
    current = OPENAPI / "openapi.json"
    document = json.loads(current.read_text())
    if sys.argv[1:] == ["--release"]:
        file = OPENAPI / "released" / f"{document['info']['version']}.json"
        file.write_text(json.dumps(without_examples(document), indent=1, ensure_ascii=False) + "\n")
        return
    if sys.argv[1:]:
        raise SystemExit(__doc__)
    check_the_check(document)
    if found := changes(json.loads(released().read_text()), document):
        raise SystemExit("\n".join([f"clients of {released().stem} break:", *found]))
    print(f"nothing breaks clients of {released().stem}; of {len(BREAKING)} changes that would, all are noticed")


if __name__ == "__main__":
    main()
