#!/usr/bin/env bash
# Plays a whole game over HTTP, from the first request to the last, with nothing but curl and jq.
#
#   walk_through.sh [ADDRESS [RULE_SET]]      http://127.0.0.1:8080 and royal-game-of-ur unless given
#
# The script plays every seat, always the first legal action. Exit code 0: the game was played to its end.
set -euo pipefail
api=${1:-http://127.0.0.1:8080}
rule_set=${2:-royal-game-of-ur}
kept=$(mktemp -d)
trap 'rm -r "$kept"' EXIT
answer=$kept/answer # the body of the last answer
run=$(head -c 16 /dev/urandom | od -An -tx1 | tr -d ' \n') # random, so nobody guesses the idempotency keys
sent=0

say() { printf '\n# %s\n' "$*"; }

# Sends a request: ask METHOD PATH [options of curl]. A problem (4xx, 5xx) is shown and ends the program.
# Every command has its own idempotency key. So the script can send a command again without doing anything twice: if its
# answer was lost, or if the service is busy (429, 503). Then curl waits as long as `Retry-After` says.
ask() {
  local method=$1 path=$2 pause code
  shift 2
  sent=$((sent + 1))
  [ "$method" = GET ] || set -- -H "Idempotency-Key: $run-$sent" "$@"
  for pause in 0 1 2 4 8; do
    sleep "$pause"
    code=0
    curl --silent --show-error --fail-with-body --retry 5 --max-time 40 --dump-header "$kept/headers" --output "$answer" \
      --request "$method" "$api$path" "$@" || code=$?
    case $code in
      0) return ;;
      22) break ;; # an answer, but a problem
    esac
  done
  cat "$answer" >&2 || true
  exit 1
}

# Prints a header of the last answer: header NAME.
header() { grep -i "^$1:" "$kept/headers" | tail -n 1 | tr -d '\r' | cut -d ' ' -f 2-; }

json='Content-Type: application/json'

say "Which games are there?"
ask GET /v1/rule-sets
jq -r '.rule_sets[] | "\(.id) \(.version): \(.title)"' "$answer"

say "Create one. The answer holds the owner's token, which is shown only here."
ask POST /v1/games -H "$json" -d "{\"rule_set\": \"$rule_set\", \"title\": \"A walk-through\"}"
game=$(header Location)
owner=$(jq -r .token "$answer")
seats=$(jq -r '.game.seats[].seat' "$answer")
jq -c '.game | {id, status, seats: [.seats[] | {seat, taken}], seed_hash}' "$answer"

say "Join every seat. Each has a token of its own; a contribution is mixed into the dice."
for seat in $seats; do
  ask POST "$game/seats/$seat" -H "$json" -d "{\"name\": \"Player of $seat\", \"contribution\": \"seeds of $seat\"}"
  jq -r .token "$answer" >"$kept/token-$seat"
  jq -c --arg seat "$seat" '.game.seats[] | select(.seat == $seat) | {seat, taken, name, contribution}' "$answer"
done

say "The owner starts it."
ask POST "$game/start" -H "Authorization: Bearer $owner"
jq -c '{status, turn, awaits, position}' "$answer"
turn=$(jq -r .turn "$answer")
etag=$(header ETag)

# Throws or plays for the seat whose turn it is: play PATH BODY. `If-Match` names the version that the script has seen,
# so the service refuses the command if the game has changed since. Then stores the next turn and its first action.
play() {
  ask POST "$game/$1" -H "Authorization: Bearer $(cat "$kept/token-$turn")" -H "If-Match: $etag" -H "$json" -d "$2"
  etag=$(header ETag)
  read -r status turn awaits first < <(jq -r '.game | "\(.status) \(.turn) \(.awaits) \(.legal[0])"' "$answer")
}

say "Throw."
play throws '{}'
jq -c '.events[]' "$answer"
jq -c '.game | {turn, awaits, throw, hand, legal}' "$answer"

if [ "$awaits" = action ]; then
  say "The legal actions, taken apart for those who draw them."
  ask GET "$game/legal"
  jq -c '.legal[] | {action, pawns, from, to, spends}' "$answer"

  say "Play the first of them."
  play actions "{\"actions\": [\"$first\"]}"
  jq -c '.events[]' "$answer"
fi

say "And so on, to the end."
while [ "$status" = playing ]; do
  case $awaits in
    throw) play throws '{}' ;;
    action) play actions "{\"actions\": [\"$first\"]}" ;;
  esac
done
jq -c '.game | {status, steps, events}' "$answer"
jq -c '.game.ranking[]' "$answer"

say "What happened, in pages."
after=0
complete=false
while [ "$complete" = false ]; do
  ask GET "$game/events?after=$after&limit=200"
  jq -r '.events[].event' "$answer" >>"$kept/events"
  read -r after complete < <(jq -r '"\(.next_after) \(.complete)"' "$answer")
done
sort "$kept/events" | uniq -c | sort -rn

say "The record: a line for every turn."
ask GET "$game/record" -H 'Accept: text/plain'
tail -n 5 "$answer"

say "The seed, which nobody knew: with it everyone can draw the dice again."
ask GET "$game/dice"
jq -c '{seed, seed_hash, contributions, throws: (.throws | length)}' "$answer"
