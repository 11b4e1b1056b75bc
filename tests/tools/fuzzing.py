"""What the fuzzer does not know by itself; named in tests/tools/schemathesis.toml."""

import schemathesis


@schemathesis.serializer("application/x-ndjson")
def lines(_, value):
    return value if isinstance(value, bytes) else str(value).encode()
