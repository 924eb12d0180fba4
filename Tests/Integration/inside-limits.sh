#!/bin/bash
# Run by 88-limits.sh as root of a machine of its own; see there.
. "$(dirname "$0")/lib.sh"

trap '[ "$failures" -eq 0 ] || journalctl -q -u timelined --no-pager -n 60' EXIT

ctl=/usr/local/bin/timelinectl
configuration=/etc/timelined/timelined.toml
unit=/sys/fs/cgroup/system.slice/timelined.service
marks=/run/marks
# Runs of any user leave marks.
mkdir -pm 777 $marks

main() {
  local pid
  pid=$(systemctl show timelined -P MainPID)
  [ "${pid:-0}" -gt 1 ] && echo "$pid"
}
# group PROCESS: the directory of its control group.
group() {
  sed 's|^0::|/sys/fs/cgroup|' "/proc/$1/cgroup"
}
# last JOB KEY: that of its last entry in the history; empty where it is not known.
last() {
  "$ctl" history "$1" -n 1 --json | python3 -c '
import json, sys
print(json.loads(sys.stdin.readline()).get(sys.argv[1], ""))' "$2"
}
# between LOW HIGH JOB KEY: that number is from LOW to HIGH.
between() {
  local found
  found=$(last "$3" "$4")
  [ "${found:-0}" -ge "$1" ] && [ "$found" -le "$2" ] || { echo "$4 of $3 is '$found', not from $1 to $2"; return 1; }
}

# One that takes 150 MB in one process, tail, whose end is the end of the pipeline.
cat >$marks/hog <<'END'
#!/bin/sh
head -c 150000000 /dev/zero | tail -c 150000000 >/dev/null
END
cat >$marks/many <<'END'
#!/bin/sh
i=0; while [ $i -lt 10 ]; do sleep 1 & i=$((i + 1)); done
END
cat >$marks/busy <<'END'
#!/bin/sh
timeout 2 sh -c 'while :; do :; done'
true
END
# One that takes as much when it is told to.
cat >$marks/late <<END
#!/bin/sh
while [ ! -e $marks/go ]; do sleep 0.2; done
exec $marks/hog
END
cat >$marks/long <<END
#!/bin/sh
trap 'exit 0' TERM
echo \$\$ >$marks/pid
while :; do sleep 0.2; done
END
chmod 755 $marks/*
long_pid() {
  [ -s $marks/pid ] && kill -0 "$(cat $marks/pid)" && cat $marks/pid
}

job() {
  printf '[job.%s]\nplugin = "exec"\nschedule = "on-demand"\nwith = { command = ["%s"] }\n%s\n' "$1" "$2" "${3:+run-limits = { $3 \}}"
}
configure() {
  mkdir -p /etc/timelined
  {
    job free /bin/true
    job small /bin/true 'memory = "64M"'
    job hog $marks/hog 'memory = "64M"'
    job careless "$marks/careless" 'memory = "64M"'
    job late $marks/late 'memory = "64M"'
    job many $marks/many 'tasks = 5'
    job busy $marks/busy 'cpu = "20%"'
    job long $marks/long 'memory = "64M", tasks = 5'
    printf '%s\n' "$@"
  } >$configuration
}
printf '#!/bin/sh\n%s/hog\ntrue\n' $marks >$marks/careless
chmod 755 $marks/careless

begins() {
  must "make install installs" make --no-print-directory -s -C "$checkout" install
  configure
  check "check names the limit that the service cannot hold" prints '`run-limits.cpu` of busy cannot be held' "$ctl" check $configuration
  must "the service starts" systemctl start timelined
  check "the daemon has a group beside its runs" is "$unit/daemon" group "$(main)"
  check "it warns as well" within 60 prints '`run-limits.cpu` of busy cannot be held' journalctl -q -u timelined --no-pager
  check "such a job runs all the same" "$ctl" trigger busy --wait
}

# A run in a plugin host that had a larger one before it: a bound, or its own peak where the kernel can set peaks back.
bounded() {
  "$ctl" trigger small --wait || return 1
  between 1 67108864 small memoryPeakBoundBytes || between 1 67108864 small memoryPeakBytes
}

# wrote JOB: the output of its last run.
wrote() {
  "$ctl" why "$1" "$(last "$1" entry)" | sed -n '/^It wrote/,$p'
}

limits_memory() {
  check "a small run succeeds" "$ctl" trigger small --wait
  check "its peak memory is known" between 10000 67108864 small memoryPeakBytes
  check "a run over its limit fails" fails "$ctl" trigger hog --wait
  check "its reason names the limit" prints 'used more than its limit of 64 MiB, and the kernel killed a process of it' last hog reason
  check "its peak is the limit, and not more" between 60000000 67108864 hog memoryPeakBytes
  check "why tells the peak" prints 'peak memory +6[0-9]\.[0-9] MiB' "$ctl" why hog "$(last hog entry)"
  check "history has a column" prints 'MEMORY' "$ctl" history
  check "its output is what it wrote, and no more" is $'It wrote:\n  | Killed' wrote hog
  check "a run that goes on after its process was killed succeeds" "$ctl" trigger careless --wait
  check "its log tells of the process" prints 'used more than its limit' journalctl -q -u timelined --no-pager TIMELINE_JOB=careless
  check "the next run in the same plugin host has a reason of its own" is '' last careless reason
  check "a run without limits has a peak too" "$ctl" trigger free --wait
  check "and no more than a plugin host and /bin/true take" between 1 67108864 free memoryPeakBytes
  check "a second run in one plugin host has a peak or a bound" bounded
}

limits_tasks() {
  check "a run with too many processes fails" fails "$ctl" trigger many --wait
  check "it could not fork" prints '[Cc]annot fork|Resource temporarily' "$ctl" why many "$(last many entry)"
}

holds() {
  [ "$(cat "$(group "$(long_pid)")/memory.max")" = 67108864 ] && [ "$(cat "$(group "$(long_pid)")/pids.max")" = 7 ] \
    || { echo "of $(group "$(long_pid)")"; cat $unit/cgroup.subtree_control; return 1; }
}
another() {
  local pid
  pid=$(main) && [ "$pid" != "$1" ] && "$ctl" status && systemctl is-active timelined
}
outlives() {
  local before run
  check "a long run begins" "$ctl" trigger long
  must "it is under way" within 60 long_pid
  run=$(long_pid)
  check "its limits hold" holds
  check "and one that will take too much" "$ctl" trigger late
  before=$(main)
  check "the service restarts beside them" systemctl restart timelined
  check "by another daemon" another "$before"
  check "the run goes on" is "$run" long_pid
  check "its limits hold again" holds
  before=$(main)
  kill -KILL "$before"
  check "a daemon that was killed is followed by another" within 60 another "$before"
  check "the run goes on" is "$run" long_pid
  check "its limits hold again" holds
  check "a reload works, in a group of its own" systemctl reload timelined
  touch $marks/go
  check "a run that began two daemons before has the reason of its end" within 60 prints 'used more than its limit of 64 MiB' last late reason
  "$ctl" cancel long
  check "the run ends" within 60 fails long_pid
  check "its usage is not known, for two daemons saw it" is '' last long memoryPeakBytes
}

limits_processor() {
  mkdir -p /etc/systemd/system/timelined.service.d
  configure '[job.strict]' 'plugin = "exec"' 'schedule = "on-demand"' 'with = { command = ["/bin/true"] }' \
    'run-limits = { cpu = "50%", unsupported = "refuse" }'
  check "a job that must have a limit is refused without the drop-in" fails systemctl reload timelined
  cp /usr/local/share/timelined/drop-ins/cpu-limits.conf /etc/systemd/system/timelined.service.d/
  systemctl daemon-reload
  check "the service restarts with the drop-in" systemctl restart timelined
  check "check has nothing to tell of limits" fails prints 'cannot be held' "$ctl" check $configuration
  check "the job that must have its limit runs" "$ctl" trigger strict --wait
  check "a busy run goes on" "$ctl" trigger busy --wait
  check "it had a fifth of a processor, or little more" between 200000000 900000000 busy processorTimeNanoseconds
}

# As the user of the service, without rights of root.
hardens() {
  local run
  cp /usr/local/share/timelined/drop-ins/hardened.conf /etc/systemd/system/timelined.service.d/
  systemctl daemon-reload
  check "the service restarts hardened" systemctl restart timelined
  check "it is in its group" is "$unit/daemon" group "$(main)"
  check "a run over its limit fails" fails "$ctl" trigger hog --wait
  check "its reason names the limit" prints 'used more than its limit of 64 MiB' last hog reason
  rm -f $marks/pid
  check "a long run begins" "$ctl" trigger long
  must "it is under way" within 60 long_pid
  run=$(long_pid)
  check "its limits hold" holds
  check "the hardened service restarts beside it" systemctl restart timelined
  check "the run goes on" is "$run" long_pid
  check "its limits hold again" holds
}

ends() {
  check "it stops" systemctl stop timelined
  check "and leaves no group" within 60 fails test -e $unit
  check "no program of the unit has failed" fails journalctl -q -u timelined --no-pager --grep 'timelined: error|status=219'
}

begins
limits_memory
limits_tasks
outlives
limits_processor
hardens
ends
finish
