#!/bin/bash
# Limits of runs where the kernel has the controllers for them: a real systemd in User Mode Linux. What happens there is in
# inside-limits.sh. Before that, without any: a job with limits runs, with a warning, or is refused.
. "$(dirname "$0")/lib.sh"
[ -e "$stage/complete" ] || { echo "nothing is built: make build"; exit 1; }
scratch

timelined=$stage/timelined
ctl="$stage/timelinectl --socket $scratch/control.sock"
starts() {
  cat >"$scratch/limits.toml" <<END
[job.small]
plugin = "exec"
schedule = "on-demand"
with = { command = ["/bin/true"] }
run-limits = { memory = "64M", unsupported = "$1" }
END
  "$timelined" --config "$scratch/limits.toml" --state "$scratch/state" --control "$scratch/control.sock" --plugins "$stage/plugins" \
    --host "$stage/timeline-host" >"$scratch/log" 2>&1 &
  daemon=$!
  # Also if the script ends early.
  trap 'kill "$daemon"; wait "$daemon"; rm -rf "$scratch"' EXIT
  must "a daemon without a control group starts with unsupported = \"$1\"" within 20 $ctl status
}
ends() {
  kill "$daemon"
  wait "$daemon"
  trap 'rm -rf "$scratch"' EXIT
}

starts run
check "it warns of limits that it cannot hold" within 10 grep -q '`run-limits` of small cannot be held' "$scratch/log"
check "the job runs without them" $ctl trigger small --wait
check "check does not refuse it" $ctl check "$scratch/limits.toml" --plugins "$stage/plugins" --host "$stage/timeline-host"
ends
starts refuse
check "the job is refused" prints 'run-limits.memory. cannot be set' $ctl trigger small --wait
check "check does not refuse it, for this is no service" $ctl check "$scratch/limits.toml" --plugins "$stage/plugins" --host "$stage/timeline-host"
ends

"$here/with-uml.sh" "$here/inside-limits.sh"
rc=$?
[ "$rc" -ne 77 ] || [ "$failures" -ne 0 ] || skip "what is above held; limits in control groups cannot be tried here"
[ "$rc" -eq 0 ] || failures=$((failures + 1))
finish
