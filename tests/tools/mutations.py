"""Single changes to the description of the interface: some break clients, some do not."""


def _operation(document, path, method="post"):
    return document["paths"][path][method]


def _schema(document, name):
    return document["components"]["schemas"][name]


def _shared(document, part):
    """Returns a part of the document. If the part is a reference, returns the part under `components` to which it
    refers."""
    if "$ref" not in part:
        return part
    _, kind, name = part["$ref"].rsplit("/", 2)
    return document["components"][kind][name]


def _answer(document, path, status, method="post"):
    return _shared(document, _operation(document, path, method)["responses"][status])


def _parameter(document, path, method, name):
    parameters = (_shared(document, one) for one in _operation(document, path, method)["parameters"])
    return next(one for one in parameters if one["name"] == name)


BREAKING = {
    "an operation is gone": lambda d: d["paths"]["/v1/games/{id}/legal"].pop("get"),
    "a path is renamed": lambda d: d["paths"].update({"/v1/lists": d["paths"].pop("/v1/games")}),
    "an operation has another id": lambda d: _operation(d, "/v1/games").update(operationId="make_game"),
    "an operation has another tag": lambda d: _operation(d, "/v1/games").update(tags=["tables"]),
    "a token is needed to read": lambda d: _operation(d, "/v1/games/{id}", "get").update(security=[{"token": []}]),
    "a token is needed where none was known": lambda d: _operation(d, "/v1/games").update(security=[{"token": []}]),
    "a parameter is gone": lambda d: _operation(d, "/v1/games", "get")["parameters"].pop(),
    "a parameter is required": lambda d: _parameter(d, "/v1/games", "get", "limit").update(required=True),
    "a required parameter is new": lambda d: _operation(d, "/v1/games", "get")["parameters"].append(
        {"name": "league", "in": "query", "required": True, "schema": {"type": "string"}}
    ),
    "a parameter has another type": lambda d: _parameter(d, "/v1/games", "get", "limit")["schema"].update(type="string"),
    "a parameter takes less": lambda d: _parameter(d, "/v1/games", "get", "limit")["schema"].update(maximum=50),
    "a parameter does not take a value": lambda d: _parameter(d, "/v1/games", "get", "status")["schema"]["enum"].pop(),
    "a body is required": lambda d: _operation(d, "/v1/games/{id}/throws")["requestBody"].update(required=True),
    "a media type is not taken": lambda d: _operation(d, "/v1/records")["requestBody"]["content"].pop("text/plain"),
    "a field of a request is gone": lambda d: _schema(d, "CreateGame")["properties"].pop("title"),
    "a field of a request is required": lambda d: _schema(d, "CreateGame")["required"].append("title"),
    "a field of a request is shorter": lambda d: _schema(d, "CreateGame")["properties"]["title"].update(maxLength=10),
    "a field of a request has a pattern": lambda d: _schema(d, "CreateGame")["properties"]["title"].update(pattern="^a"),
    "a field of a request has another type": lambda d: _schema(d, "CreateGame")["properties"]["private"].update(type="string"),
    "a value of a request is gone": lambda d: _schema(d, "WhenLate")["enum"].pop(),
    "an alternative of a request is gone": lambda d: _schema(d, "OptionValue")["oneOf"].pop(),
    "an answer is gone": lambda d: _operation(d, "/v1/games/{id}", "get")["responses"].pop("304"),
    "an answer is new": lambda d: _operation(d, "/v1/games")["responses"].update({"202": {"description": "Later"}}),
    "a media type is not offered": lambda d: _answer(d, "/v1/games/{id}/events", "200", "get")["content"].pop(
        "text/event-stream"
    ),
    "a header of an answer is gone": lambda d: _answer(d, "/v1/games", "201")["headers"].pop("ETag"),
    "a field of an answer is gone": lambda d: _schema(d, "GameView")["properties"].pop("hand"),
    "a field of an answer may be absent": lambda d: _schema(d, "GameView")["required"].remove("legal"),
    "a field of an answer has another type": lambda d: _schema(d, "GameView")["properties"]["version"].update(type="string"),
    "a field of an answer may be null": lambda d: _schema(d, "GameView")["properties"]["hand"].update(type=["array", "null"]),
    "a list of an answer holds something else": lambda d: _schema(d, "GameView")["properties"]["hand"].update(items={"type": "integer"}),
    "a map of an answer holds something else": lambda d: _schema(d, "GameView")["properties"]["position"].update(
        additionalProperties={"type": "string"}
    ),
    "a value of an answer is new": lambda d: _schema(d, "GameStatus")["enum"].append("abandoned"),
    "an alternative of an answer is new": lambda d: _schema(d, "DiceShape")["oneOf"].append({"type": "string"}),
    "a field of a problem is gone": lambda d: _schema(d, "ProblemBody")["properties"].pop("code"),
    "a schema has another name": lambda d: d["components"]["schemas"].update(Game=d["components"]["schemas"]["GameView"])
    or d["components"]["schemas"].pop("GameView")
    and _rename(d, "GameView", "Game"),
}

HARMLESS = {
    "an operation is new": lambda d: d["paths"].update({"/v1/leagues": {"get": _operation(d, "/v1/games", "get")}}),
    "words are others": lambda d: _operation(d, "/v1/games").update(summary="Make a game", description="Anyone may"),
    "a parameter is new": lambda d: _operation(d, "/v1/games", "get")["parameters"].append(
        {"name": "league", "in": "query", "schema": {"type": "string"}}
    ),
    "a parameter takes more": lambda d: _parameter(d, "/v1/games", "get", "limit")["schema"].update(maximum=500),
    "a field of a request is new": lambda d: _schema(d, "CreateGame")["properties"].update(league={"type": "string"}),
    "a field of a request may be left out": lambda d: _schema(d, "CreateGame")["required"].remove("rule_set"),
    "a value of a request is new": lambda d: _parameter(d, "/v1/games", "get", "status")["schema"]["enum"].append("abandoned"),
    "a field of an answer is new": lambda d: _schema(d, "GameView")["properties"].update(league={"type": "string"}),
    "a field of an answer is always there": lambda d: _schema(d, "GameView")["required"].append("turn"),
    "a header of an answer is new": lambda d: _answer(d, "/v1/games", "201")["headers"].update({"X-New": {}}),
    "a problem is new": lambda d: _operation(d, "/v1/games")["responses"].update({"423": {"description": "Locked"}}),
    "a token may be left out": lambda d: _operation(d, "/v1/games/{id}/throws").update(security=[{}, {"token": []}]),
}


def _rename(node, old, new):
    """Renames every reference to a schema."""
    if isinstance(node, dict):
        if node.get("$ref") == f"#/components/schemas/{old}":
            node["$ref"] = f"#/components/schemas/{new}"
        node = node.values()
    if not isinstance(node, str) and hasattr(node, "__iter__"):
        for inner in node:
            _rename(inner, old, new)
