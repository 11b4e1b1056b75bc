#!/usr/bin/env -S python3 -B
"""Generates clients from the description of the interface; those in Python, TypeScript and Kotlin play a whole game.
Apps in Python and TypeScript draw boards, legal moves and events of three games and say why other moves are refused;
organisers in Python and TypeScript run a round of games with a group and its tickets.

    tests/clients.py TOOLS [PROGRAM]     TOOLS is the folder of the tools, see tests/run; PROGRAM is target/release/pagade

The clients stay in target/clients; the programs that play with them are in tests/clients. A model with a bad name, such
as a number, is an error. The Swift client is not compiled, because no package manager that the tests use has a compiler.
"""

import json
import os
import re
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from tools.service import ROOT, Service, tools_and_program

CLIENTS = ROOT / "target/clients"
DOCUMENT = ROOT / "openapi/openapi.json"
GENERATORS = {  # options of the generator, and how the client declares an operation
    "typescript-fetch": ("supportsES6=true", "async {camel}("),
    "python": ("packageName=pagade_client", "def {snake}("),
    "kotlin": ("packageName=pagade.client,serializationLibrary=gson,generateOneOfAnyOfWrappers=true", "fun {camel}("),
    "swift6": ("projectName=PagadeClient", "func {camel}("),
}
STEPS = 150  # the steps of each game that the apps play
# Options for programs that run for some seconds: without a second, slower compilation of hot code, and with the garbage
# collector that needs no threads of its own. A generator takes a third of the time of the processor.
JAVA = ("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC")
LESS = "apiDocs=false,modelDocs=false,apiTests=false,modelTests=false"
TSC = "--noEmit --strict --target es2022 --module es2022 --moduleResolution bundler --lib es2022,dom,dom.iterable --types node"


def run(*words, **more):
    done = subprocess.run(list(map(str, words)), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False, **more)
    if done.returncode:
        raise SystemExit(f"{' '.join(map(str, words[:4]))} ..\n{done.stdout[-6000:]}")
    return done.stdout


def generate(operations):
    """Generates all clients, and checks that each has every operation and no file name that ends with a number."""
    shutil.rmtree(CLIENTS, ignore_errors=True)

    java = {**os.environ, "JAVA_TOOL_OPTIONS": " ".join(JAVA)}

    def one(name, options):
        command = [TOOLS / "python/bin/openapi-generator-cli", "generate", "-i", DOCUMENT, "-g", name, "-o", CLIENTS / name]
        run(*command, "--additional-properties", options, "--global-property", LESS, env=java)

    with ThreadPoolExecutor(max_workers=2) as several:
        list(several.map(one, GENERATORS, (options for options, _ in GENERATORS.values())))
    for name, (_, declared) in GENERATORS.items():
        files = [path for path in (CLIENTS / name).rglob("*.*") if path.suffix in (".ts", ".py", ".kt", ".swift")]
        text = "\n".join(path.read_text() for path in files)
        for operation in operations:
            head, *rest = operation.split("_")
            words = {"snake": operation, "camel": head + "".join(word.capitalize() for word in rest)}
            if declared.format(**words) not in text:
                raise SystemExit(f"the {name} client has no operation {operation}")
        for path in files:
            if re.search(r"(?i)one_?of|any_?of|all_?of|inline|(request|response)_?\d|\d+$", path.stem):
                raise SystemExit(f"the {name} client has a model without a name: {path.relative_to(CLIENTS)}")
        print(f"{name}: {len(operations)} operations in {len(files)} files")


def generate_by_others(operations):
    """Generates clients with two further generators, and the types of openapi-typescript, and checks that they leave out
    no operation.

    hey-api declares only the first media type of an answer, so callers cast brief answers to the type `BriefAnswer`.
    """
    one, other = CLIENTS / "openapi-python-client", CLIENTS / "hey-api"
    run(TOOLS / "python/bin/openapi-python-client", "generate", "--path", DOCUMENT, "--output-path", one)
    run(TOOLS / "node_modules/.bin/openapi-ts", "-i", DOCUMENT, "-o", other, "-c", "@hey-api/client-fetch")
    modules = {path.stem for path in one.glob("*/api/*/*.py")}
    declared = (other / "sdk.gen.ts").read_text()
    camel = lambda operation: re.sub("_(.)", lambda found: found[1].upper(), operation)
    for operation in operations:
        if operation not in modules or f"export const {camel(operation)} " not in declared:
            raise SystemExit(f"openapi-python-client or hey-api has no operation {operation}")
    if "export type BriefAnswer = " not in (other / "types.gen.ts").read_text():
        raise SystemExit("hey-api has no type for brief answers")
    run(TOOLS / "node_modules/.bin/openapi-typescript", DOCUMENT, "-o", CLIENTS / "openapi-typescript/schema.d.ts")
    types = (CLIENTS / "openapi-typescript/schema.d.ts").read_text()
    missing = [operation for operation in operations if f"\n    {operation}: {{\n" not in types]
    if missing:
        raise SystemExit(f"openapi-typescript has no types for {', '.join(missing)}")
    print(f"openapi-python-client, hey-api, openapi-typescript: {len(operations)} operations")


def main():
    document = json.loads(DOCUMENT.read_text())
    operations = [operation["operationId"] for item in document["paths"].values() for operation in item.values()]
    generate(operations)
    generate_by_others(operations)
    with ThreadPoolExecutor(max_workers=2) as several:
        players = [several.submit(prepare) for prepare in (kotlin, python, typescript)]
    with Service(PROGRAM) as service:
        for player in players:
            name, *command = player.result()
            print(name, "plays:", *run(*command, service.address).split("\n"))
        for command in ROUNDS:
            print("a round:", command()[-1].name, *run(*command(), service.address).split("\n"))
        for command in APPS:
            for rule_set in ("pagade", "chopat", "parchesi-us"):
                shown = run(*command(), service.address, rule_set, STEPS)
                print("an app:", command()[-1].name, shown.rstrip().split("\n")[-1])


def python():
    own = TOOLS / "clients/bin/python"
    if not own.exists():
        run(sys.executable, "-m", "venv", TOOLS / "clients")
    run(own, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", CLIENTS / "python")
    return "python", own, ROOT / "tests/clients/play.py"


def typescript():
    node, play = TOOLS / "node_modules", ROOT / "tests/clients/play.ts"
    run(node / ".bin/tsc", *TSC.split(), "--typeRoots", node / "@types", play, *(ROOT / "tests/clients" / name for name in ("app.ts", "round.ts", "types.ts")))
    return "typescript", node / ".bin/tsx", play


def kotlin():
    compiler, jar = TOOLS / "node_modules/kotlin-compiler", CLIENTS / "kotlin/play.jar"
    gson = next(Path("/usr/share/java").rglob("gson.jar"))
    sources = [ROOT / "tests/clients/okhttp.kt", ROOT / "tests/clients/play.kt", CLIENTS / "kotlin/src/main/kotlin"]
    run("bash", compiler / "bin/kotlinc", "-nowarn", *(f"-J{option}" for option in JAVA), "-cp", gson, "-d", jar, *sources)
    libraries = [jar, gson, compiler / "lib/kotlin-stdlib.jar", compiler / "lib/kotlin-reflect.jar"]
    return "kotlin", "java", *JAVA, "-cp", ":".join(map(str, libraries)), "PlayKt"


ROUNDS = (
    lambda: (TOOLS / "clients/bin/python", ROOT / "tests/clients/round.py"),
    lambda: (TOOLS / "node_modules/.bin/tsx", ROOT / "tests/clients/round.ts"),
)
APPS = (
    lambda: (TOOLS / "clients/bin/python", ROOT / "tests/clients/app.py"),
    lambda: (TOOLS / "node_modules/.bin/tsx", ROOT / "tests/clients/app.ts"),
)


if __name__ == "__main__":
    TOOLS, PROGRAM = tools_and_program(__doc__)
    main()
