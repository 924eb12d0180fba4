# What the integration scripts share; sourced by each. A script prints one line for each thing it checks and exits 0 when
# all held, 1 when one did not, 77 with the reason when this machine cannot try it. Scripts wait for a condition with a
# limit, never for a length of time, and run in the environment of Tests/environment.sh.
# shellcheck shell=bash

set -uo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
checkout=$(cd "$here/../.." && pwd)
# shellcheck source=Tests/environment.sh
. "$checkout/Tests/environment.sh"
# shellcheck disable=SC2034 # for the scripts
stage=$checkout/.build/stage
failures=0

# skip REASON: this machine cannot try it.
skip() {
  echo "skipped: $1"
  exit 77
}

# check SENTENCE COMMAND...: the sentence holds when the command succeeds; what it printed is shown when it does not.
check() {
  local sentence=$1 output
  shift
  if output=$("$@" 2>&1); then
    echo "ok - $sentence"
  else
    echo "NOT OK - $sentence"
    printf '%s\n' "$output" | tail -n 40 | sed 's/^/    /'
    failures=$((failures + 1))
  fi
}

# must SENTENCE COMMAND...: a check without which the rest of the script has no sense; ends it when it does not hold.
must() {
  local before=$failures
  check "$@"
  if [ "$failures" -gt "$before" ]; then
    echo "the rest was not tried"
    exit 1
  fi
}

# fails COMMAND...: succeeds when the command does not.
fails() {
  ! "$@"
}

# prints TEXT COMMAND...: succeeds when the command, however it ends, prints the extended regular expression.
prints() {
  local wanted=$1 output
  shift
  output=$("$@" 2>&1)
  printf '%s\n' "$output"
  grep -Eq -- "$wanted" <<<"$output"
}

# within SECONDS COMMAND...: tries the command until it succeeds; fails with its last output when the time is up, which is longer on a
# slow machine.
within() {
  local limit output
  limit=$((SECONDS + $(patience "$1")))
  shift
  until output=$("$@" 2>&1); do
    if [ "$SECONDS" -ge "$limit" ]; then
      printf '%s\n' "$output"
      return 1
    fi
    sleep 0.1
  done
}

# is VALUE COMMAND...: succeeds when the command prints exactly the value.
is() {
  local wanted=$1 output
  shift
  output=$("$@" 2>&1)
  [ "$output" = "$wanted" ] || { echo "expected '$wanted', found '$output'"; return 1; }
}

# finish: the script's last line.
finish() {
  [ "$failures" -eq 0 ]
  exit
}

# scratch: makes a directory that goes when the script ends, with the jobs of the script, and sets $scratch to it.
scratch() {
  scratch=$(mktemp -d)
  trap end_scratch EXIT
}
end_scratch() {
  local job
  for job in $(jobs -pr); do kill "$job" && wait "$job"; done 2>/dev/null
  rm -rf "$scratch"
}
