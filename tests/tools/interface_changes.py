"""Finds the changes between two descriptions of the interface that break clients of the older one."""

BOUNDS = {  # limits of requests: the keyword, and whether the new value still allows everything that the old one allowed
    "minimum": lambda old, new: old is not None and new <= old,
    "minLength": lambda old, new: new <= (old or 0),
    "minItems": lambda old, new: new <= (old or 0),
    "maximum": lambda old, new: old is not None and new >= old,
    "maxLength": lambda old, new: old is not None and new >= old,
    "maxItems": lambda old, new: old is not None and new >= old,
    "pattern": lambda old, new: new == old,
    "format": lambda old, new: new == old,
}
METHODS = ("get", "post", "put", "patch", "delete")


def changes(old, new):
    """Returns a sentence for each breaking change."""
    return sorted(set(_Comparison(old, new).run()))


class _Comparison:
    def __init__(self, old, new):
        self.old, self.new = old, new
        self.seen = set()

    def run(self):
        for name in self.old["components"]["schemas"].keys() - self.new["components"]["schemas"].keys():
            yield f"schema {name} is gone: generated clients name it"
        for path, item in self.old["paths"].items():
            for method in METHODS:
                if method in item:
                    after = self.new["paths"].get(path, {}).get(method)
                    yield from self.operation(f"{method.upper()} {path}", item[method], after)

    def operation(self, at, old, new):
        if new is None:
            yield f"{at} is gone"
            return
        for field in ("operationId", "tags"):
            if old.get(field) != new.get(field):
                yield f"{at}: {field} was {old.get(field)} and is {new.get(field)}: generated clients are named by it"
        if {} in old.get("security", [{}]) + [{}] * (not old.get("security")) and new.get("security") and {} not in new["security"]:
            yield f"{at}: a token is needed"
        yield from self.parameters(at, old.get("parameters", []), new.get("parameters", []))
        yield from self.body(at, old.get("requestBody"), new.get("requestBody"))
        for status, answer in old["responses"].items():
            after = new["responses"].get(status)
            if after is None:
                if status < "400":
                    yield f"{at}: the answer {status} is gone"
                continue
            yield from self.answer(f"{at}: answer {status}", answer, after)
        for status in new["responses"].keys() - old["responses"].keys():
            if status < "400":
                yield f"{at}: the answer {status} is new: clients do not expect it"

    def parameters(self, at, old, new):
        before = {(one["in"], one["name"]): one for one in (_follow(self.old, one) for one in old)}
        after = {(one["in"], one["name"]): one for one in (_follow(self.new, one) for one in new)}
        for key, one in before.items():
            where = f"{at}: parameter {key[1]} ({key[0]})"
            if key not in after:
                yield f"{where} is gone"
                continue
            if after[key].get("required") and not one.get("required"):
                yield f"{where} is required"
            yield from self.sent(where, one["schema"], after[key]["schema"])
        for key, one in after.items():
            if key not in before and one.get("required"):
                yield f"{at}: parameter {key[1]} ({key[0]}) is new and required"

    def body(self, at, old, new):
        if old is None:
            if new is not None and new.get("required"):
                yield f"{at}: a body is required"
            return
        if new is None:
            yield f"{at}: the body is gone"
            return
        if new.get("required") and not old.get("required"):
            yield f"{at}: the body is required"
        for media, content in old["content"].items():
            if media not in new["content"]:
                yield f"{at}: a body of {media} is not taken"
            else:
                yield from self.sent(f"{at}: body", content.get("schema", {}), new["content"][media].get("schema", {}))

    def answer(self, at, old, new):
        old, new = _follow(self.old, old), _follow(self.new, new)
        for header in old.get("headers", {}).keys() - new.get("headers", {}).keys():
            yield f"{at}: the header {header} is gone"
        for media, content in old.get("content", {}).items():
            after = new.get("content", {}).get(media)
            if after is None:
                yield f"{at}: {media} is not offered"
            else:
                yield from self.told(at, content.get("schema", {}), after.get("schema", {}))

    def sent(self, at, old, new):
        """Compares schemas of requests. The new one has to allow everything that the old one allowed."""
        old, new, known = self.resolve("sent", old, new)
        if known:
            return
        for kind in _kinds(old) - _kinds(new):
            yield f"{at}: {kind} is not taken"
        for value in _values(old) - _values(new) if _values(new) else ():
            yield f"{at}: the value {value} is not taken"
        if _values(new) and not _values(old):
            yield f"{at}: only some values are taken"
        for word, takes in BOUNDS.items():
            if word in new and not takes(old.get(word), new[word]):
                yield f"{at}: {word} was {old.get(word)} and is {new[word]}"
        for name in set(new.get("required", [])) - set(old.get("required", [])):
            yield f"{at}: {name} is required"
        before, after = old.get("properties", {}), new.get("properties", {})
        for name, schema in before.items():
            if name in after:
                yield from self.sent(f"{at}/{name}", schema, after[name])
            elif new.get("additionalProperties", True) is False:
                yield f"{at}: {name} is not taken"
        if old.get("additionalProperties", True) is not False and new.get("additionalProperties", True) is False:
            yield f"{at}: other fields are not taken"
        yield from self.inner(self.sent, at, old, new)
        for one in _alternatives(old):
            if not any(not list(_Comparison(self.old, self.new).sent(at, one, other)) for other in _alternatives(new)):
                yield f"{at}: an alternative is not taken: {_name(one)}"

    def told(self, at, old, new):
        """Compares schemas of answers. The new one has to keep everything that the old one promised."""
        old, new, known = self.resolve("told", old, new)
        if known:
            return
        for kind in _kinds(new) - _kinds(old):
            yield f"{at}: may be {kind}"
        for value in _values(new) - _values(old) if _values(old) else ():
            yield f"{at}: may be {value}: generated clients know all values"
        if _values(old) and not _values(new):
            yield f"{at}: may be any value"
        if old.get("format") != new.get("format"):
            yield f"{at}: format was {old.get('format')} and is {new.get('format')}"
        for name in set(old.get("required", [])) - set(new.get("required", [])):
            if name in new.get("properties", {}):
                yield f"{at}: {name} may be absent"
        before, after = old.get("properties", {}), new.get("properties", {})
        for name, schema in before.items():
            if name in after:
                yield from self.told(f"{at}/{name}", schema, after[name])
            else:
                yield f"{at}: {name} is gone"
        yield from self.inner(self.told, at, old, new)
        for one in _alternatives(new):
            if not any(not list(_Comparison(self.old, self.new).told(at, other, one)) for other in _alternatives(old)):
                yield f"{at}: may be something new: {_name(one)}"

    def inner(self, compare, at, old, new):
        for word, place in (("items", "[]"), ("additionalProperties", "{}")):
            if isinstance(old.get(word), dict) and isinstance(new.get(word), dict):
                yield from compare(f"{at}{place}", old[word], new[word])

    def resolve(self, direction, old, new):
        """Returns both schemas without `$ref`, and whether this pair was compared before."""
        key = (direction, old.get("$ref"), new.get("$ref"))
        known = key in self.seen
        if all(key):
            self.seen.add(key)
        return _follow(self.old, old), _follow(self.new, new), known


def _follow(document, part):
    while "$ref" in part:
        _, kind, name = part["$ref"].rsplit("/", 2)
        part = document["components"][kind][name]
    return part


def _kinds(schema):
    """The types that a schema allows."""
    kinds = schema.get("type", ["array", "boolean", "integer", "null", "number", "object", "string"])
    if isinstance(kinds, str):
        kinds = [kinds]
    return set(kinds) | ({"integer"} if "number" in kinds else set())


def _values(schema):
    """Returns the values that a schema allows. An empty set means that all are allowed."""
    return {schema["const"]} if "const" in schema else set(schema.get("enum", []))


def _alternatives(schema):
    return schema.get("oneOf", schema.get("anyOf", []))


def _name(schema):
    return schema.get("$ref", "").rsplit("/", 1)[-1] or schema.get("type") or sorted(schema)
