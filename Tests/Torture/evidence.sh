#!/bin/sh
# evidence.sh FILE SECONDS FAIL-EVERY: what the plugin of the same name does, for jobs of `exec`. It lasts SECONDS, and fails when
# the nominal second is a multiple of FAIL-EVERY (0: never). The process that it names is its plugin host, as there: what is done to
# that concerns the run.
set -eu
testify() {
  printf '%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n' "$1" "$TIMELINE_JOB" "$TIMELINE_NOMINAL_NS" "$TIMELINE_RUN_KEY" \
    "$TIMELINE_ATTEMPT" "$PPID" "$2" "$TIMELINE_ACTUAL" "$(date +%s%N)" >>"$file"
  sync -d "$file"
}
file=$1
testify start "$TIMELINE_ENTRY_COUNT"
sleep "$2"
if [ "$3" -gt 0 ] && [ $((TIMELINE_NOMINAL_NS / 1000000000 % $3)) -eq 0 ]; then
  testify end failed
  exit 1
fi
testify end succeeded
