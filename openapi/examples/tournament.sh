#!/usr/bin/env bash
# Runs a whole Swiss tournament over HTTP with nothing but curl and jq: entrants, rounds, games, standings.
#
#   tournament.sh API RULE_SET ROUNDS NAME NAME [NAME ..]     such as http://127.0.0.1:8080 royal-game-of-ur 2 Asha Ravi
#
# The script also plays every seat, always the first legal action: the token of an entrant plays all games of the
# entrant. Exit code 0: the tournament is over.
set -euo pipefail
[ $# -ge 5 ] || { sed -n '2,7s/^# \{0,1\}//p' "$0"; exit 2; }
api=${1%/}
rule_set=$2
rounds=$3
shift 3
kept=$(mktemp -d)
trap 'rm -r "$kept"' EXIT
answer=$kept/answer # the body of the last answer
run=$(head -c 16 /dev/urandom | od -An -tx1 | tr -d ' \n') # random, so nobody guesses the idempotency keys
sent=0

# Sends a request: ask METHOD PATH [options of curl]. A problem (4xx, 5xx) is shown and ends the program. A command is
# sent again under the same key if its answer was lost or the service is busy, so it has one effect.
ask() {
  local method=$1 path=$2 pause code
  shift 2
  sent=$((sent + 1))
  [ "$method" = GET ] || set -- -H "Idempotency-Key: $run-$sent" -H 'Content-Type: application/json' "$@"
  for pause in 0 1 2 4 8; do
    sleep "$pause"
    code=0
    curl --silent --show-error --fail-with-body --retry 5 --max-time 40 --output "$answer" \
      --request "$method" "$api$path" "$@" || code=$?
    case $code in
      0) return ;;
      22) break ;; # an answer, but a problem
    esac
  done
  cat "$answer" >&2 || true
  exit 1
}

# Create the tournament. The answer has the organiser's token, which no other answer shows.
ask POST /v1/tournaments -d "$(jq -n --arg rules "$rule_set" --argjson rounds "$rounds" \
  '{rule_set: $rules, format: {kind: "swiss", rounds: $rounds}, registration: "list"}')"
cup=/v1/tournaments/$(jq -r .tournament.id "$answer")
organiser=$(jq -r .token "$answer")

# Enter everybody in one request. The answer has a token for each of them.
ask POST "$cup/entrants" -H "Authorization: Bearer $organiser" \
  -d "$(jq -n '{entrants: [$ARGS.positional[] | {name: .}]}' --args "$@")"
jq -c '.entrants' "$answer" >"$kept/entrants"
ask POST "$cup/start" -H "Authorization: Bearer $organiser" -d '{}'

# Plays a game to its end: play GAME. The first legal action is always taken.
play() {
  local game=$1 seat token status turn awaits version first
  jq -r --arg game "$game" --slurpfile entrants "$kept/entrants" '.tables[].games[] | select(.id == $game) | .seats[]
    | .entrant as $number | "\(.seat) \($entrants[0][] | select(.number == $number) | .tokens[0])"' \
    "$kept/round" >"$kept/tokens"
  ask GET "/v1/games/$game"
  while :; do
    # The answer to a command has the game after it.
    read -r status turn awaits version first \
      < <(jq -r '.game // . | "\(.status) \(.asked // .turn) \(.awaits) \(.version) \(.legal[0])"' "$answer")
    [ "$status" = playing ] || return 0
    while read -r seat token; do [ "$seat" != "$turn" ] || break; done <"$kept/tokens"
    set -- throws '{}'
    [ "$awaits" = throw ] || set -- actions "{\"actions\": [\"$first\"]}"
    ask POST "/v1/games/$game/$1" -H "Authorization: Bearer $token" -H "If-Match: \"$version\"" -d "$2"
  done
}

for number in $(seq "$rounds"); do
  # Pair the round. The request has the number of the round, so no round is paired twice by mistake.
  ask POST "$cup/rounds" -H "Authorization: Bearer $organiser" -d "{\"round\": $number}"
  echo "Round $number: $(jq -r '.round | "\(.tables | length) tables, \(.byes | length) byes"' "$answer")"
  ask GET "$cup/rounds/$number"
  cp "$answer" "$kept/round"
  for game in $(jq -r '.tables[].games[].id' "$kept/round"); do play "$game"; done
  # Wait for the results, which come a moment after the games. A request waits for the next event.
  while :; do
    ask GET "$cup"
    read -r events results tables < <(jq -r '"\(.events) \(.rounds[-1].results) \(.rounds[-1].tables)"' "$answer")
    [ "$results" -lt "$tables" ] || break
    ask GET "$cup/events?after=$events&wait=10"
  done
done

ask POST "$cup/finish" -H "Authorization: Bearer $organiser" -d '{}'
ask GET "$cup/standings"
jq -r '.standings[] | "\(.place). \(.name): \(.points)"' "$answer"
