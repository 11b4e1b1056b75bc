# Functions for bash scripts that start the service. They read this file with `.` in the top folder of the project.

started=() # processes to end

# Runs a command again and again until it succeeds. Usage: wait_until SECONDS COMMAND..
wait_until() {
  local end=$((SECONDS + $1))
  shift
  until "$@"; do
    if [ "$SECONDS" -ge "$end" ]; then
      echo "does not succeed in time: $*" >&2
      return 1
    fi
    sleep 0.1
  done
}

# Starts the service on a free port and sets `address`. Usage: start_service PROGRAM LOG [options of the service].
start_service() {
  local program=$1 log=$2
  shift 2
  "$program" serve --listen 127.0.0.1:0 --unlimited "$@" >"$log" 2>&1 &
  started+=($!)
  wait_until 30 grep --quiet ' listens at ' "$log" || { cat "$log" >&2; return 1; }
  address=$(sed -n 's/.* listens at //p' "$log")
}

# Starts a Redis and sets `port`. It writes to disk once a second, so that a slow disk does not make its answers late.
# Usage: start_redis FOLDER.
start_redis() {
  port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
  redis-server --port "$port" --bind 127.0.0.1 --save "" --appendonly yes --appendfsync everysec --dir "$1" >"$1/redis.log" &
  started+=($!)
  wait_until 30 redis_answers
}

redis_answers() { redis-cli -p "$port" ping >/dev/null 2>&1; }

# Ends all processes that the functions of this file have started.
end_processes() {
  local process
  for process in "${started[@]}"; do
    kill "$process" 2>/dev/null || true
    wait "$process" 2>/dev/null || true
  done
}
