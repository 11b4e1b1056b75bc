#!/usr/bin/env bash
# Checks the published interface with tools of others: the document by a validator and two linters, the live server by a
# fuzzer that reads the document, with games in a directory and, shorter, in a Redis.
#
#   tests/interface TOOLS [PROGRAM]      called by tests/run with the folder of the tools
set -euo pipefail
export PYTHONDONTWRITEBYTECODE=1
cd "$(dirname "$0")/.."
tools=$1
program=${2:-target/release/pagade}
[ -n "${2:-}" ] || cargo build --quiet --release
data=$(mktemp -d)
started=()
finish() {
  for process in "${started[@]}"; do
    kill "$process" 2>/dev/null || true
    wait "$process" 2>/dev/null || true
  done
  rm -rf "$data"
}
trap finish EXIT

"$tools/python/bin/openapi-spec-validator" openapi/openapi.json
"$tools/node_modules/.bin/spectral" lint --ruleset tests/tools/spectral.yaml --fail-severity warn openapi/openapi.json
"$tools/node_modules/.bin/redocly" lint --config tests/tools/redocly.yaml --format summary openapi/openapi.json

# Starts the service on a free port and fuzzes it: fuzz EXAMPLES [options of the service].
fuzz() {
  local examples=$1 address=
  shift
  "$program" serve --listen 127.0.0.1:0 --unlimited "$@" >"$data/log" 2>&1 &
  started+=($!)
  for _ in $(seq 100); do
    address=$(sed -n 's/.* listens at //p' "$data/log")
    [ -z "$address" ] || break
    sleep 0.1
  done
  local fuzzer=("$tools/python/bin/schemathesis" --config-file tests/tools/schemathesis.toml run --url "$address"
    --seed 1 --generation-deterministic --checks all)
  "${fuzzer[@]}" "$address/openapi.json" --max-examples "$examples"
  # And once more from one operation to the next, with the tokens that it is given; that they are needed is shown above.
  PAGADE_PLAYS=1 "${fuzzer[@]}" "$data/narrow.json" --max-examples $((examples * 10)) --phases stateful --exclude-checks ignored_auth
}

jq -f tests/tools/narrow.jq openapi/openapi.json >"$data/narrow.json"
fuzz 20 --data "$data/games"

port=$("$tools/python/bin/python" -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
redis-server --port "$port" --bind 127.0.0.1 --save "" --appendonly yes --appendfsync always --dir "$data" >"$data/redis" &
started+=($!)
for _ in $(seq 100); do
  redis-cli -p "$port" ping >/dev/null 2>&1 && break
  sleep 0.1
done
fuzz 4 --store "redis://127.0.0.1:$port"
