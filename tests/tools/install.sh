# Functions that install what the tests need. Other scripts read this file with `.` in the top folder of the project.

tools="$PWD/target/tools"

# Installs packages of the system: install_packages "NAMES FOR APT" ["NAMES FOR DNF", if they differ].
install_packages() {
  local names=$1 sudo=""
  [ "$(id -u)" = 0 ] || sudo=sudo
  if command -v apt-get >/dev/null; then
    echo "installing by apt-get: $names"
    $sudo apt-get update -qq && $sudo apt-get install -y -qq $names >/dev/null
  elif command -v dnf >/dev/null; then
    names=${2:-$1}
    echo "installing by dnf: $names"
    $sudo dnf install -y -q $names
  else
    echo "please install: $names" >&2
    return 1
  fi
}

# Stops a server that its package has started. The tests start their own servers.
stop_installed() {
  if command -v systemctl >/dev/null && systemctl --quiet is-active "$1" 2>/dev/null; then
    echo "stopping $1, which its installation has started"
    systemctl stop "$1" || echo "$1 cannot be stopped: the tests run beside it" >&2
  fi
}

install_redis() {
  if command -v redis-server >/dev/null && command -v redis-cli >/dev/null; then return; fi
  install_packages redis-server redis
  stop_installed redis-server
}

# Installs nginx, the proxy in front of two replicas.
install_nginx() {
  if command -v nginx >/dev/null || [ -x /usr/sbin/nginx ]; then return; fi
  install_packages nginx-light nginx
  stop_installed nginx
}

# Installs faketime, which gives processes a wrong clock.
install_faketime() {
  if compgen -G "/usr/lib*/*/faketime/libfaketime.so.1" >/dev/null; then return; fi
  if compgen -G "/usr/lib64/faketime/libfaketime.so.1" >/dev/null; then return; fi
  install_packages faketime libfaketime
}

# Installs what `cargo test` needs: servers, certificates, and Python, by which a second program checks the dice.
install_for_cargo_test() {
  install_redis
  install_faketime
  command -v openssl >/dev/null || install_packages openssl
  command -v python3 >/dev/null || install_packages python3
}

# Installs Chromium, in which the page is tested: if possible the part that only tests need, which takes less of the
# processor than the whole browser.
install_chromium() {
  if command -v chromium-headless-shell >/dev/null; then return; fi
  if command -v apt-get >/dev/null && install_packages chromium-headless-shell; then return; fi
  command -v chromium >/dev/null || install_packages chromium
}

# Installs linters, fuzzers and generators of clients. The ones written in Python or JavaScript go into target/tools.
install_tools() {
  python3 -c 'import venv, ensurepip' 2>/dev/null || install_packages "python3 python3-venv" python3
  command -v npm >/dev/null || install_packages "nodejs npm"
  command -v curl >/dev/null || install_packages curl
  command -v jq >/dev/null || install_packages jq
  install_nginx
  command -v java >/dev/null || install_packages default-jre-headless java-21-openjdk-headless
  [ -n "$(find /usr/share/java -name gson.jar 2>/dev/null)" ] || install_packages libgoogle-gson-java google-gson
  mkdir -p "$tools"
  if ! cmp -s tests/tools/requirements.txt "$tools/requirements.txt"; then
    echo "installing into target/tools:" $(cat tests/tools/requirements.txt)
    python3 -m venv "$tools/python"
    "$tools/python/bin/pip" install --quiet --disable-pip-version-check -r tests/tools/requirements.txt
    cp tests/tools/requirements.txt "$tools"
  fi
  if ! cmp -s tests/tools/node.txt "$tools/node.txt"; then
    echo "installing into target/tools:" $(cat tests/tools/node.txt)
    npm install --silent --no-fund --no-audit --prefix "$tools" $(cat tests/tools/node.txt)
    cp tests/tools/node.txt "$tools"
  fi
  if ! command -v cargo-deny >/dev/null; then
    echo "installing by cargo: cargo-deny"
    # Built without optimization: optimizing cargo-deny would take longer than all its checks.
    CARGO_PROFILE_RELEASE_OPT_LEVEL=0 cargo install --quiet --locked cargo-deny
  fi
}
