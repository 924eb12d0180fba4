#!/bin/bash
# `timelined --demo`: shows each kind of outcome, ends by itself and by Ctrl-C, and leaves nothing behind, for root and others.
. "$(dirname "$0")/lib.sh"
[ -e "$stage/complete" ] || { echo "nothing is built: make build"; exit 1; }
scratch
chmod 755 "$scratch"
mkdir -m 1777 "$scratch/tmp"
export TMPDIR=$scratch/tmp

shows() {
  local line
  for line in "$@"; do grep -Eq -- "$line" "$scratch/output" || { echo "no line has: $line"; cat "$scratch/output"; return 1; }; done
}
nothing_left() {
  [ -z "$(ls -A "$TMPDIR")" ] || { ls -A "$TMPDIR"; return 1; }
}
# Copied to where any user can reach it.
cp -RL "$stage" "$scratch/stage"
chmod -R go+rX-w "$scratch/stage"
as_nobody=()
[ "$(id -u)" != 0 ] || as_nobody=(setpriv --reuid nobody --regid nogroup --clear-groups)

runs_for() {
  "${as_nobody[@]}" timeout "$(patience 60)" "$scratch/stage/timelined" --demo --demo-length "$1" >"$scratch/output" 2>&1
}
check "it ends well by itself" runs_for 13s
check "it explains itself before" shows 'Demonstration of timelined, 13s. Ctrl-C ends it sooner' '/timelinectl --socket /.*/control.sock why slow'
check "runs of each job are seen" shows 'line +a line for the entry 20' 'command +hello from a command' 'command +succeeded'
check "and an entry that is dropped, and a failure with its reaction" shows 'slow +.*overlapped' 'flaky +.*failed' 'alarm +warning: flaky failed: '
check "and what comes next" shows 'has ended, and its directory is removed' '/timelinectl next'
check "its directory is gone" nothing_left

# What is waited for is not to be found in the output of before. With job control, without which a shell has its background ignore Ctrl-C.
rm "$scratch/output"
set -m
"$stage/timelined" --demo >"$scratch/output" 2>&1 &
pid=$!
set +m
check "it is under way" within 60 shows ' jobs from .*demo.toml'
kill -INT $pid
wait $pid
check "Ctrl-C ends it well" test $? -eq 0
check "and its directory is gone then, too" nothing_left
check "a length that is none is refused" prints "demo-length" fails "$stage/timelined" --demo --demo-length soon
check "and one beyond its limits" prints "expected a length from 1s to 1h" fails "$stage/timelined" --demo --demo-length 2h
check "and options that it has no use for" prints "other options have no effect" fails "$stage/timelined" --demo --state /var/lib
check "and a directory that cannot be written is named" prints "error: $scratch/none: no such file or directory: set TMPDIR" env TMPDIR="$scratch/none" "$stage/timelined" --demo
finish
