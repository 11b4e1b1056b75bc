"""Functions that the fuzzer calls. They supply values that the description of the interface does not contain.

The file tests/tools/schemathesis.toml names this module. If the variable PAGADE_PLAYS is set, the fuzzer uses values of
earlier answers: the token of a game that it created, a seat of that game, a legal action. Made-up values would hardly
ever be accepted.
"""

import os
import urllib.error
import urllib.request
from itertools import count
from json import load

import schemathesis

PLAYS = "PAGADE_PLAYS" in os.environ
known = {}  # the owner's token, by game
calls = count()


@schemathesis.serializer("application/x-ndjson")
def lines(_, value):
    return value if isinstance(value, bytes) else str(value).encode()


@schemathesis.hook
def after_call(_, case, response):
    if not PLAYS or response.status_code != 201:
        return
    if case.operation.label in ("POST /v1/games", "POST /v1/records"):
        created = response.json()
        known[created["game"]["id"]] = created["token"]
    elif case.operation.label == "POST /v1/games/{id}/token":
        known[str(case.path_parameters["id"])] = response.json()["token"]


@schemathesis.hook
def before_call(_, case, kwargs):
    # The fuzzer reads games without a token. It would not find a private game, and would report the game as lost.
    if not PLAYS and case.operation.label == "POST /v1/games" and isinstance(case.body, dict) and case.body.get("private") is True:
        case.body["private"] = False
    game = str(case.path_parameters.get("id", ""))
    if not PLAYS or game not in known or next(calls) % 5 == 0:
        return
    case.headers["Authorization"] = f"Bearer {known[game]}"
    address = f"{kwargs.get('base_url') or case.operation.base_url}/v1/games/{game}".replace("//v1", "/v1")
    request = urllib.request.Request(address, headers={"Authorization": f"Bearer {known[game]}"})
    try:
        with urllib.request.urlopen(request, timeout=10) as answer:
            state = load(answer)
    except urllib.error.HTTPError as error:
        if error.code != 401:
            raise
        # The token was renewed by an answer that no hook has seen, such as one to an id in upper case.
        del known[game]
        return
    if "seat" in case.path_parameters:
        case.path_parameters["seat"] = state["seats"][0]["seat"]
    if case.operation.label.endswith("/actions") and state["legal"]:
        case.body = {"actions": state["legal"][:1]}
