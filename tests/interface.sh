#!/usr/bin/env bash
# Checks the published interface with tools of other makers: a validator and two linters check the document, and a
# fuzzer that reads the document tests a running server, first on the embedded store and then, for a shorter time, on
# Redis.
#
#   tests/interface.sh TOOLS [PROGRAM]     TOOLS is the folder of the tools, see tests/run; without PROGRAM,
#                                          target/release/pagade is tested
set -euo pipefail
export PYTHONDONTWRITEBYTECODE=1
cd "$(dirname "$0")/.."
case "${1:-}" in
  -h | --help) sed -n '2,7s/^# \{0,1\}//p' tests/interface.sh; exit ;;
  "") sed -n '2,7s/^# \{0,1\}//p' tests/interface.sh >&2; exit 2 ;;
esac
. tests/tools/service.sh
tools=$1
program=${2:-target/release/pagade}
data=$(mktemp -d)
trap finish EXIT

# Ends all processes. After a failure, shows what the service has logged last.
finish() {
  local code=$?
  end_processes
  if [ "$code" != 0 ] && [ -f "$data/log" ]; then
    echo "the last lines that the service has logged:"
    tail -n 20 "$data/log"
  fi
  rm -rf "$data"
}

"$tools/python/bin/openapi-spec-validator" openapi/openapi.json
"$tools/node_modules/.bin/spectral" lint --ruleset tests/tools/spectral.yaml --fail-severity warn openapi/openapi.json
"$tools/node_modules/.bin/redocly" lint --config tests/tools/redocly.yaml --format summary openapi/openapi.json

# Starts the service and fuzzes it. Usage: fuzz EXAMPLES [options of the service].
fuzz() {
  local examples=$1
  shift
  start_service "$program" "$data/log" "$@"
  local fuzzer=("$tools/python/bin/schemathesis" --config-file tests/tools/schemathesis.toml run --url "$address"
    --seed 1 --generation-deterministic --checks all)
  # The fuzzer would wait for the document for ten seconds only.
  curl --silent --show-error --fail --max-time 120 --output "$data/served.json" "$address/openapi.json"
  "${fuzzer[@]}" "$data/served.json" --max-examples "$examples"
  # The second run follows links from one operation to the next and uses the tokens of the answers. It does not check
  # that tokens are required, because the first run checks that.
  PAGADE_PLAYS=1 "${fuzzer[@]}" "$data/narrow.json" --max-examples $((examples * 10)) --phases stateful --exclude-checks ignored_auth
}

jq -f tests/tools/narrow.jq openapi/openapi.json >"$data/narrow.json"
fuzz 20 --data "$data/games"
start_redis "$data"
fuzz 4 --store "redis://127.0.0.1:$port?durability=everysec"
