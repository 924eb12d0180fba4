#!/bin/bash
# part.sh NAME SECONDS COMMAND...: runs one part of `make test` for so many seconds at most; what hangs has failed. The output is in
# .build/logs/NAME.log; a failure is printed. A line has the result, the time and the processor time. run.sh names the directory of the
# results in TIMELINED_RESULTS.
set -uo pipefail
cd "$(dirname "$0")/.." || exit 1
name=$1
. Tests/environment.sh
limit=$(patience "$2")
shift 2
mkdir -p .build/logs
log=.build/logs/$name.log

begin=$SECONDS
timeout -k 20 "$limit" "$@" </dev/null >"$log" 2>&1 &
running=$!
# timeout has a process group of its own, and ends all that is in it.
trap 'kill "$running" 2>/dev/null; wait "$running"; exit 130' INT TERM
wait "$running"
status=$?
trap - INT TERM
case $status in
  0) result=passed ;;
  77) result=skipped ;;
  124 | 137) result=FAILED && echo "error: $name did not end within $limit s, after: $(tail -n 1 "$log")" >>"$log" ;;
  *) result=FAILED ;;
esac
echo "$result" >"$TIMELINED_RESULTS/$name"
# Of this shell's children that have ended, which a subshell would not see.
times >"$TIMELINED_RESULTS/$name.times"
processor=$(awk 'NR == 2 { gsub(/[ms]/, " "); print int($1 * 60 + $2 + $3 * 60 + $4 + 0.5) }' "$TIMELINED_RESULTS/$name.times")
{
  # Without the lines of what held.
  [ "$result" != FAILED ] || grep -avE '^(ok |◇|↳|✔ (Test|Suite) )' "$log" | tail -n 60
  echo "== $name: $result, $((SECONDS - begin)) s, $processor s of processor"
} | flock "$TIMELINED_RESULTS/lock" cat
[ "$result" != FAILED ]
