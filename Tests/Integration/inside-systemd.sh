#!/bin/bash
# Run by 70-systemd.sh as root of a machine of its own; see there.
. "$(dirname "$0")/lib.sh"

trap '[ "$failures" -eq 0 ] || journalctl -q -u timelined --no-pager -n 60' EXIT

ctl=/usr/local/bin/timelinectl
configuration=/etc/timelined/timelined.toml
marks=/run/marks

property() {
  systemctl show timelined -P "$1"
}
# The daemon's process; never 0, which kill would take for this script and all around it.
main() {
  local pid
  pid=$(property MainPID)
  [ "${pid:-0}" -gt 1 ] && echo "$pid"
}
# entries JOB: the entries of a job that the journal has runs of, one a line, ascending, each with its number of runs.
entries() {
  journalctl -q -o json TIMELINE_JOB="$1" | python3 -c '
import json, sys
runs = {}
for line in sys.stdin:
    fields = json.loads(line)
    if "TIMELINE_ENTRY" in fields and "TIMELINE_RUN" in fields:
        runs.setdefault(fields["TIMELINE_ENTRY"], set()).add((fields["_PID"], fields["TIMELINE_RUN"]))
for entry in sorted(runs):
    print(entry, len(runs[entry]))'
}
at_least() {
  local found
  found=$("${@:2}" | wc -l)
  [ "$found" -ge "$1" ] || { echo "found $found of $1"; return 1; }
}
# in_step JOB SECONDS: no entry of the job is missing between its first and its last, and none ran twice.
in_step() {
  entries "$1" | python3 -c '
import datetime, sys
step = datetime.timedelta(seconds=int(sys.argv[1]))
rows = [line.split() for line in sys.stdin]
times = [datetime.datetime.fromisoformat(entry.replace("Z", "+00:00")) for entry, _ in rows]
for (entry, count), time, before in zip(rows[1:], times[1:], times):
    if time - before != step: sys.exit(f"{entry} comes {time - before} after the entry before it")
twice = [entry for entry, count in rows if count != "1"]
if twice: sys.exit(f"run more than once: {twice}")
if len(rows) < 3: sys.exit(f"only {len(rows)} entries")' "$2"
}

# configure LINE...: the configuration of this test, with further lines at its end.
configure() {
  cat >$configuration <<END
[daemon]
time-zone = "UTC"

[job.tick]
plugin = "exec"
schedule = { periodic = { from = 2026-01-01T00:00:00Z, by = "2s" } }
with = { command = ["/bin/true"] }

[job.long]
plugin = "exec"
schedule = { explicit = [2200-01-01T00:00:00Z] }
timeout = "10m"
with = { command = ["$marks/long"] }
END
  printf '%s\n' "$@" >>$configuration
}
# A run that is under way until it is asked to stop, and says so.
mkdir -p $marks
cat >$marks/long <<END
#!/bin/sh
trap 'echo asked >>$marks/drained; exit 0' TERM
echo \$\$ >$marks/pid
while :; do sleep 0.1; done
END
chmod 755 $marks $marks/long
long_pid() {
  [ -s "$marks/pid" ] && kill -0 "$(cat "$marks/pid")" && cat "$marks/pid"
}

installs() {
  check "no Swift toolchain is in reach" fails command -v swift
  must "make install installs" make --no-print-directory -s -C "$checkout" install
  check "the group exists" getent group timelined
  check "the user for jobs is not in it" is timelined-jobs id -nG timelined
  configure
  check "the configuration holds" "$ctl" check $configuration
}

starts() {
  must "enable --now starts it to READY" systemctl enable --now timelined
  must "it is active" is active systemctl is-active timelined
  check "STATUS shows the next entry" within 60 prints '[Nn]ext.*(tick|[0-9]{2}:[0-9]{2})' property StatusText
  check "runs are in the journal under their job" within 60 at_least 2 entries tick
  check "runs have a message identifier" prints '"MESSAGE_ID"' journalctl -q -o json TIMELINE_JOB=tick
  check "no Swift library is loaded from a toolchain" fails grep -E 'libswift|libFoundation' "/proc/$(main)/maps"
}

is_asked() {
  check "root may ask" "$ctl" status
  check "the group may ask" setpriv --reuid nobody --regid timelined --clear-groups "$ctl" status
  check "a stranger may not" fails setpriv --reuid nobody --regid nogroup --clear-groups "$ctl" status
  check "the group may not trigger" fails setpriv --reuid nobody --regid timelined --clear-groups "$ctl" trigger long
  check "check says what the unit denies to jobs of root" prints 'timelined.service denies its [0-9]+ jobs of root' "$ctl" check $configuration
  check "root may trigger" "$ctl" trigger long
  must "the triggered run is under way" within 60 long_pid
}

reloads() {
  local before run
  before=$(main)
  run=$(cat $marks/pid)
  configure '[job.other]' 'plugin = "exec"' 'schedule = "every-minute"' 'with = { command = ["/bin/true"] }'
  check "systemctl reload takes up a new configuration" systemctl reload timelined
  check "the new job is there" prints other "$ctl" list
  check "the daemon is the same" is "$before" main
  check "the run under way goes on" is "$run" long_pid
  configure '[job.broken]' 'plugin = "exec"' 'schedule = { perodic = { by = "2s" } }'
  check "a broken file makes the reload fail" fails systemctl reload timelined
  check "the reason is in the journal, with its place" within 60 prints 'timelined\.toml:[0-9]+:[0-9]+' \
    journalctl -q -u timelined --no-pager
  check "nothing has changed" prints other "$ctl" list
  chmod 600 "$configuration"
  configure '[job.broken]' 'plugin = "exec"' 'schedule = { hidden = { by = "2s" } }'
  check "root is shown a line of a private file" prints hidden fails "$ctl" reload
  check "the journal has its place" within 60 prints 'timelined\.toml:[0-9]+:[0-9]+: error: the fault is not shown' \
    journalctl -q -u timelined --no-pager
  check "the journal has nothing else of it" fails eval 'journalctl -q -u timelined --no-pager | grep hidden'
  chmod 644 "$configuration"
  check "it is still active" is active systemctl is-active timelined
  check "the daemon is the same as before" is "$before" main
  check "the run under way still goes on" is "$run" long_pid
  configure
  check "a whole file is taken up again" systemctl reload timelined
  check "tick kept its phase: no entry missing, none twice" within 60 in_step tick 2
}

# What the unit leaves of system calls is enough for a host to put itself under a sandbox.
boxes() {
  python3 -c 'import ctypes, sys; sys.exit(ctypes.CDLL(None).syscall(444, None, 0, 1) < 1)' \
    || { echo "   the kernel has no Landlock: sandboxes are not tried"; return 0; }
  mkdir -p $marks/box
  configure '[job.boxed]' 'plugin = "exec"' 'schedule = "on-demand"' \
    "with = { command = 'echo in >$marks/box/in; echo out >$marks/out', shell = true }" \
    "sandbox = { system-calls = \"strict\", writable = [\"$marks/box\"] }"
  check "a job with a sandbox is taken up" systemctl reload timelined
  check "its run may not write outside" prints 'failed' "$ctl" trigger boxed --wait
  check "it has written inside" is in cat $marks/box/in
  check "and nothing outside" fails test -e $marks/out
  configure
  check "without it all goes on" systemctl reload timelined
}

# groups: the control groups of plugin hosts that have processes, one a line.
groups() {
  local directory
  for directory in /sys/fs/cgroup/system.slice/timelined.service/host-*; do
    grep -q . "$directory/cgroup.procs" 2>/dev/null && echo "$directory"
  done
  return 0
}
# last JOB KEY: that of its last entry in the history; empty where it is not known.
last() {
  "$ctl" history "$1" -n 1 --json | python3 -c '
import json, sys
print(json.loads(sys.stdin.readline()).get(sys.argv[1], ""))' "$2"
}
# used JOB MILLISECONDS: its last run has used that much processor time or more, and not a minute.
used() {
  local time
  time=$(last "$1" processorTimeNanoseconds)
  [ "${time:-0}" -ge $(($2 * 1000000)) ] && [ "$time" -lt 60000000000 ] || { echo "$1 used '$time' ns"; return 1; }
}

# leads GROUP: the number of the plugin host whose group that is.
leads() {
  local number=${1##*/host-}
  echo "${number%%-*}"
}
# no_group DIRECTORY: whether it is gone once a plugin host has ended.
no_group() {
  local host
  [ -e "$1" ] || return 0
  host=$(groups | head -n 1)
  [ -z "$host" ] || kill -KILL "$(leads "$host")"
  return 1
}
# group PROCESS: the directory of its control group.
group() {
  sed 's|^0::|/sys/fs/cgroup|' "/proc/$1/cgroup"
}

has_groups() {
  local kept
  # What uses time is a process of the run that has a session of its own and has ended before it.
  cat >$marks/busy <<'END'
#!/bin/sh
setsid sh -c 'i=0; while [ $i -lt 200000 ]; do i=$((i + 1)); done'
END
  # A process in a session of its own, and a run that obeys nobody.
  cat >$marks/deaf <<END
#!/bin/sh
trap '' TERM
setsid sh -c 'trap "" TERM; echo \$\$ >$marks/escaped; while :; do sleep 0.1; done' &
i=0; while [ \$i -lt 200000 ]; do i=\$((i + 1)); done
while :; do sleep 0.1; done
END
  # A process that runs on after its run.
  cat >$marks/keeps <<END
#!/bin/sh
setsid sleep 1000 >/dev/null 2>&1 &
echo \$! >$marks/kept
END
  chmod 755 $marks/busy $marks/deaf $marks/keeps
  configure '[job.busy]' 'plugin = "exec"' 'schedule = "on-demand"' "with = { command = [\"$marks/busy\"] }" \
    '[job.deaf]' 'plugin = "exec"' 'schedule = "on-demand"' 'timeout = "3s"' 'grace = "100ms"' \
    "with = { command = [\"$marks/deaf\"] }" \
    '[job.keeper]' 'plugin = "exec"' 'schedule = "on-demand"' 'leftovers = "keep"' \
    "with = { command = [\"$marks/keeps\"] }"
  must "systemctl reload takes up jobs that use something" systemctl reload timelined
  check "the daemon is in the unit's own group, or in one in it" grep -Eqx '0::/system.slice/timelined.service(/daemon)?' "/proc/$(main)/cgroup"
  check "a job can be run for its use" prints 'succeeded' "$ctl" trigger busy --wait
  check "its processor time is in the history" used busy 20
  check "why shows it too" prints 'processor time +[0-9]' "$ctl" why busy "$(last busy entry)"
  check "a plugin host has a group of its own" prints 'host-[0-9]+-[0-9]+' groups
  check "a run that obeys nobody times out" prints 'timed-out' "$ctl" trigger deaf --wait
  check "its processor time is known although it was killed" used deaf 20
  check "a process of it that went to a session of its own is gone" within 60 fails kill -0 "$(cat $marks/escaped)"
  check "a job can be run that leaves a process" prints 'succeeded' "$ctl" trigger keeper --wait
  kept=$(group "$(cat $marks/kept)")
  check "which stays in the group of its run" prints 'host-[0-9]+-[0-9]+$' echo "$kept"
  configure
  check "systemctl reload gives them up" systemctl reload timelined
  check "what was to stay stays" kill -0 "$(cat $marks/kept)"
  kill "$(cat $marks/kept)"
  check "an empty group is removed when a plugin host ends" within 60 no_group "$kept"
}

drains() {
  check "systemctl stop drains" systemctl stop timelined
  check "the run under way was asked to stop" grep -q asked $marks/drained
  check "it ended well" is success property Result
  check "and with 0" is 0 property ExecMainStatus
  check "no process is left behind" fails long_pid
  check "the control socket is closed" fails "$ctl" status
  check "a question does not start it again" fails systemctl is-active --quiet timelined
}

refuses() {
  configure '[job.broken]' 'plugin = "exec"' 'schedule = { perodic = { by = "2s" } }'
  check "a broken file is not started on" fails systemctl start timelined
  check "and not tried again" is 0 property NRestarts
  check "it has failed" is failed property ActiveState
  check "with the status for a wrong configuration" is 78 property ExecMainStatus
  configure
}

# restarted SINCE: systemd has restarted the daemon since there had been so many restarts.
restarted() {
  [ "$(property NRestarts)" -gt "$1" ]
}
comes_back() {
  local before restarts
  mkdir -p /run/systemd/system/timelined.service.d
  printf '[Service]\nWatchdogSec=3s\nRestartSec=100ms\n' >/run/systemd/system/timelined.service.d/watchdog.conf
  systemctl daemon-reload
  must "it starts again" systemctl start timelined
  restarts=$(property NRestarts)
  before=$(main) || return
  # The loop stands still: a stopped process is what a deadlocked one looks like from outside.
  kill -STOP "$before"
  must "a loop that hangs is killed by the watchdog" within 60 restarted "$restarts"
  must "and comes back" within 60 is active systemctl is-active timelined
  check "as a new process" fails is "$before" main
  check "systemd names the watchdog" prints 'Watchdog timeout' journalctl -q -u timelined --no-pager
  check "it answers" within 60 "$ctl" status
  rm -r /run/systemd/system/timelined.service.d
  systemctl daemon-reload
  restarts=$(property NRestarts)
  before=$(main) || return
  kill -KILL "$before"
  check "a crash is survived" within 60 restarted "$restarts"
  check "and it answers after it" within 60 "$ctl" status
  check "nothing else of it is left running" within 60 fails long_pid
}

reaches_orphans() {
  local place restarts
  rm -f $marks/escaped
  configure '[job.slow]' 'plugin = "exec"' 'schedule = "on-demand"' "with = { command = [\"$marks/deaf\"] }"
  must "systemctl reload takes up a job that outlives a daemon" systemctl reload timelined
  check "root may trigger it" "$ctl" trigger slow
  must "it is under way" within 60 test -s $marks/escaped
  restarts=$(property NRestarts)
  kill -KILL "$(main)"
  must "the daemon comes back" within 60 restarted "$restarts"
  must "and answers" within 60 "$ctl" status
  check "the run has stayed" kill -0 "$(cat $marks/escaped)"
  place=$(group "$(cat $marks/escaped)")
  # Only the former daemon was the parent of all: what this host leaves goes to process 1, and is found by its group alone.
  kill -KILL "$(leads "$place")"
  check "a plugin host that dies after that leaves nothing" within 60 fails kill -0 "$(cat $marks/escaped)"
  check "its group is removed" within 60 fails test -e "$place"
  check "the run has ended" within 60 prints 'failed|unknown' last slow outcome
  check "nothing is said of the use of a run that two daemons saw" is '' last slow processorTimeNanoseconds
  configure
  check "systemctl reload gives it up" systemctl reload timelined
}

is_hardened() {
  local before
  mkdir -p /etc/systemd/system/timelined.service.d
  cp /usr/local/share/timelined/drop-ins/hardened.conf /etc/systemd/system/timelined.service.d/
  systemctl daemon-reload
  journalctl -q --rotate --vacuum-time=1s >/dev/null 2>&1
  printf secret >/etc/timelined/secret
  chgrp timelined /etc/timelined/secret
  chmod 640 /etc/timelined/secret
  configure '[job.atboot]' 'plugin = "exec"' 'schedule = { cron = "@reboot" }' 'with = { command = ["/bin/true"] }' \
    '[job.holder]' 'plugin = "exec"' 'schedule = "on-demand"' 'credentials = { key = "/etc/timelined/secret" }' \
    'with = { command = ["/bin/sh", "-c", "cat $CREDENTIALS_DIRECTORY/key"] }'
  must "it starts under hardened.conf" systemctl restart timelined
  check "as the user timelined" is timelined stat -c %U "/proc/$(main)"
  check "its jobs run" within 60 at_least 1 entries tick
  check "its plugin hosts have groups of their own" within 60 prints 'host-[0-9]+-[0-9]+' groups
  check "a job has its credentials" prints 'succeeded.*secret' "$ctl" trigger holder --wait
  before=$(entries tick | wc -l)
  check "a restart" systemctl restart timelined
  check "its jobs run after it" within 60 at_least $((before + 1)) entries tick
  check "it was no start of the machine, which was before the job came" is 0 eval 'entries atboot | wc -l'
  check "it drains" systemctl stop timelined
  check "it ended well under hardened.conf" is success property Result
  configure
  rm -r /etc/systemd/system/timelined.service.d
  systemctl daemon-reload
}

uninstalls() {
  check "make uninstall uninstalls" make --no-print-directory -s -C "$checkout" uninstall
  check "the unit is gone" fails systemctl cat timelined
  check "the configuration is left" test -s $configuration
}

installs
starts
is_asked
reloads
boxes
has_groups
drains
refuses
comes_back
reaches_orphans
is_hardened
uninstalls
finish
