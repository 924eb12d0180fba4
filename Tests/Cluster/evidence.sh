#!/bin/sh
# evidence.sh FILE SECONDS: what the plugin of the same name does, for a job of `exec`, without the register.
set -eu
file=$1
testify() {
  read -r boot _ </proc/uptime
  printf '%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n' "$1" "$TIMELINE_JOB" "$TIMELINE_NOMINAL_NS" "$TIMELINE_RUN_KEY" \
    "$TIMELINE_ATTEMPT" "$TIMELINE_FENCING_TOKEN" "$(stat -L -c %i /proc/self/ns/net)" "${boot%.*}${boot#*.}0000000" \
    "$(date +%s%N)" "$2" >>"$file"
  sync -d "$file"
}
testify start -
sleep "$2"
testify end succeeded
