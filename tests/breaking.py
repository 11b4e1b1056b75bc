#!/usr/bin/env -S python3 -B
"""Compares the description of the interface with that of the last release, and finds changes that break clients.

    tests/breaking.py             prints every change that breaks them; exit code 1 if there is one
    tests/breaking.py --release   stores the current description as the one of its version; later runs compare with it

The folder openapi/released has the description of every release, and the newest one is compared. Before the first
release there is nothing to compare with; the program then only tests that it finds every kind of breaking change.
"""

import copy
import json
import sys

from tools.interface_changes import changes
from tools.mutations import BREAKING, HARMLESS
from tools.service import ROOT, help_if_asked

OPENAPI = ROOT / "openapi"


def newest_release():
    """Returns the file of the newest release's description, or None before the first release."""

    def version(path):
        return [int(part) for part in path.stem.split(".")]

    return max((OPENAPI / "released").glob("*.json"), key=version, default=None)


def without_examples(node):
    """Returns a description without its examples, because examples promise nothing to clients."""
    if isinstance(node, list):
        return [without_examples(inner) for inner in node]
    if isinstance(node, dict):
        return {name: without_examples(inner) for name, inner in node.items() if name not in ("example", "examples")}
    return node


def check_the_check(document):
    """Makes one change after another to the document, and checks that `changes` reports exactly the breaking ones."""
    for name, mutate in {**BREAKING, **HARMLESS}.items():
        changed = copy.deepcopy(document)
        mutate(changed)
        if changed == document:
            raise SystemExit(f"tests/tools/mutations.py: `{name}` changes nothing")
        found = changes(document, changed)
        if bool(found) != (name in BREAKING):
            raise SystemExit(f"tests/tools/interface_changes.py: `{name}` was judged wrongly: {found}")


def main():
    help_if_asked(__doc__)
    current = OPENAPI / "openapi.json"
    document = json.loads(current.read_text())
    if sys.argv[1:] == ["--release"]:
        file = OPENAPI / "released" / f"{document['info']['version']}.json"
        file.write_text(json.dumps(without_examples(document), indent=1, ensure_ascii=False) + "\n")
        return
    if sys.argv[1:]:
        raise SystemExit(__doc__)
    check_the_check(document)
    noticed = f"all {len(BREAKING)} kinds of breaking changes are noticed"
    release = newest_release()
    if release is None:
        print(f"nothing was released yet; {noticed}")
        return
    if found := changes(json.loads(release.read_text()), document):
        raise SystemExit("\n".join([f"clients of {release.stem} break:", *found]))
    print(f"nothing breaks clients of {release.stem}; {noticed}")


if __name__ == "__main__":
    main()
