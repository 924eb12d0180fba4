#!/bin/bash
# An active run on a real systemd: over `systemctl restart`, over a daemon that is killed, and at a stop that is one. What
# the job saw is in its own evidence, what the daemon made of it in the journal.
. "$(dirname "$0")/lib.sh"
[ -e "$stage/complete" ] || { echo "nothing is built: make build"; exit 1; }
[ "${1:-}" = inside ] || exec "$here/with-systemd.sh" "$here/75-restart.sh" inside

trap '[ "$failures" -eq 0 ] || journalctl -q -u timelined --no-pager -n 80' EXIT
ctl=/usr/local/bin/timelinectl
marks=/run/marks

property() {
  systemctl show timelined -P "$1"
}
# Each run of the job writes when it begins and when it has come to its end, which is when the test lets it.
mkdir -p $marks
cat >$marks/five <<END
#!/bin/sh
trap 'echo asked >>$marks/evidence; exit 1' TERM
echo start >>$marks/evidence
echo said before
while [ ! -e $marks/go ]; do sleep 0.1; done
echo said after
echo end >>$marks/evidence
END
cat >$marks/moody <<END
#!/bin/sh
echo try >>$marks/tries
[ "\$(wc -l <$marks/tries)" -gt 1 ]
END
cat >$marks/first <<END
#!/bin/sh
while [ ! -e $marks/go ]; do sleep 0.1; done
END
chmod 755 $marks $marks/five $marks/moody $marks/first
configure() {
  cat >/etc/timelined/timelined.toml <<END
[daemon]
time-zone = "UTC"
[job.five]
plugin = "exec"
schedule = { explicit = [2200-01-01T00:00:00Z] }
timeout = "10m"
with = { command = ["$marks/five"] }
[job.tick]
plugin = "exec"
schedule = { periodic = { by = "1s" } }
with = { command = ["/bin/true"] }
[job.moody]
plugin = "exec"
schedule = "on-demand"
retry = { attempts = 3, backoff = { from = "3s", to = "3s" }, jitter = "0%" }
with = { command = ["$marks/moody"] }
[job.hourly]
plugin = "exec"
schedule = { animation = { minimum-interval = "1h" } }
with = { command = ["/bin/true"] }
[group.turns]
limit = 1
[job.first]
plugin = "exec"
schedule = "on-demand"
groups = ["turns"]
with = { command = ["$marks/first"] }
[job.second]
plugin = "exec"
schedule = "on-demand"
groups = ["turns"]
with = { command = ["/bin/true"] }
[job.third]
plugin = "exec"
schedule = "on-demand"
groups = ["turns"]
with = { command = ["/bin/true"] }
END
}
count() {
  grep -c "^$1" $marks/evidence || true
}
# said: what the journal has of the job since the latest run was begun.
said() {
  journalctl -q -o cat --after-cursor="$(cat $marks/cursor)" TIMELINE_JOB=five
}
# settled OUTCOME: how many of its runs have ended so since then.
settled() {
  said | grep -Ec "^$1 " || true
}
hosts() {
  pgrep -f '^timeline-host: '
}
# marks_time: what the journal had before is not looked at any more.
marks_time() {
  journalctl -q -n 1 --show-cursor | sed -n 's/^-- cursor: //p' >$marks/cursor
}
# log: what the daemon has said since then.
log() {
  journalctl -q -o cat --after-cursor="$(cat $marks/cursor)" -u timelined
}
# begin: starts a run and waits until it is under way; what was settled before is not counted any more.
begin() {
  rm -f $marks/evidence $marks/go
  marks_time
  "$ctl" trigger five && within 60 is 1 count start
}
# collected HOW: the run of before comes to its end and is collected, and there was no other.
collected() {
  touch $marks/go
  check "$1: its result is collected" within 60 is 1 settled succeeded
  check "$1: it ran once, to its end" is '1 1 0' eval 'echo "$(count start) $(count end) $(count asked)"'
  check "$1: nothing else is said of it" is 0 settled '(unknown|lost|failed|cancelled|timed-out)'
  check "$1: what it printed afterwards is in the journal, under its job" prints 'said after' \
    said
}
# waits_for_it VERB: a restart or stop waits for the run, which then comes to its end; gives the status of the command.
waits_for_it() {
  local command
  systemctl "$1" timelined &
  command=$!
  check "systemctl $1 waits for the run" within 60 prints 'stopping; waiting for 1 run' log
  touch $marks/go
  wait $command
}
main_changes() {
  [ "$(property MainPID)" != "$1" ] && [ "$(property ActiveState)" = active ]
}

installs() {
  must "make install installs" make --no-print-directory -s -C "$checkout" install
  configure
  must "it starts" systemctl start timelined
}

restarts() {
  local before
  before=$(property MainPID)
  must "a run is under way" begin
  check "systemctl restart does not wait for it" timeout "$(patience 60)" systemctl restart timelined
  check "the daemon is another" main_changes "$before"
  check "the run is listed as running" prints '"running":\[\{' "$ctl" list --json
  check "it is reloaded meanwhile" systemctl reload timelined
  collected "over a restart"
  check "other jobs run after it" within 60 prints succeeded journalctl -q -o cat --since=-3s TIMELINE_JOB=tick
  must "another run is under way" begin
  check "a restart" systemctl restart timelined
  check "and another" systemctl restart timelined
  collected "over two restarts"
}

restarts_wrongly() {
  must "a run is under way" begin
  printf 'nonsense = 1\n' >>/etc/timelined/timelined.toml
  waits_for_it restart
  check "a restart on a wrong file fails" test $? -ne 0
  check "the run came to its end first" is '1 1 0' eval 'echo "$(count start) $(count end) $(count asked)"'
  check "and is settled" is 1 settled succeeded
  check "the journal says why" prints 'not handed over' log
  configure
  systemctl reset-failed timelined
  must "it starts again" systemctl start timelined
}

is_killed() {
  local before
  before=$(property MainPID)
  must "a run is under way" begin
  systemctl kill --kill-whom=main --signal=KILL timelined
  check "a daemon that is killed comes back" within 60 main_changes "$before"
  collected "over a kill"
  # Nobody is there when it ends.
  mkdir -p /run/systemd/system/timelined.service.d
  printf '[Service]\nRestartSec=7s\n' >/run/systemd/system/timelined.service.d/late.conf
  systemctl daemon-reload
  must "a run is under way once more" begin
  systemctl kill --kill-whom=main --signal=KILL timelined
  touch $marks/go
  check "it ends while there is no daemon" within 60 is 1 count end
  check "and is not told yet" is 0 settled succeeded
  collected "over an absence"
  rm -r /run/systemd/system/timelined.service.d
  systemctl daemon-reload
}

stops() {
  must "a run is under way" begin
  waits_for_it stop
  check "systemctl stop drains" test $? -eq 0
  check "the run came to its end" is '1 1 0' eval 'echo "$(count start) $(count end) $(count asked)"'
  check "and is settled" is 1 settled succeeded
  check "no host is left" fails hosts
  check "it ended well" is success property Result
}

# ended JOB OUTCOME: how many runs of a job the ledger has that ended so.
ended() {
  "$ctl" history "$1" --json | grep -c "\"outcome\":\"$2\"" || true
}
tries() {
  wc -l <$marks/tries
}

keeps() {
  must "it starts for what waits" systemctl start timelined
  for how in restart stop kill; do
    rm -f $marks/tries
    : >$marks/tries
    local before=$(ended moody succeeded)
    # Asked for its history, the daemon writes down first what has ended.
    must "a run fails for now" eval '"$ctl" trigger moody && within 60 prints back-off "$ctl" list --json && "$ctl" history moody'
    case $how in
      restart) check "a restart in its back-off" systemctl restart timelined ;;
      stop) check "a stop in its back-off" eval 'systemctl stop timelined && systemctl start timelined' ;;
      kill)
        before_pid=$(property MainPID)
        systemctl kill --kill-whom=main --signal=KILL timelined
        check "a kill in its back-off" within 60 main_changes "$before_pid"
        ;;
    esac
    check "$how: the next attempt is made" within 60 is $((before + 1)) ended moody succeeded
    check "$how: and no other" is 2 tries
  done
  rm -f $marks/go
  marks_time
  must "a run has the group" eval '"$ctl" trigger first && "$ctl" trigger second && "$ctl" trigger third'
  waits_for_it stop
  check "it stops while two wait" test $? -eq 0
  check "and starts again" systemctl start timelined
  check "both are run by the next daemon" within 60 is '1 1 1' \
    eval 'echo "$(ended first succeeded) $(ended second succeeded) $(ended third succeeded)"'
  check "none is shut-down" is 0 ended second shut-down
  check "an animation has kept its interval over all of this" is 1 ended hourly succeeded
}

leaves_nothing() {
  mkdir -p /run/systemd/system/timelined.service.d
  printf '[Service]\nRestart=no\n' >/run/systemd/system/timelined.service.d/once.conf
  systemctl daemon-reload
  systemctl start timelined
  must "a run is under way" begin
  systemctl kill --kill-whom=main --signal=KILL timelined
  check "a daemon that does not come back has failed" within 60 is failed property ActiveState
  check "its run is asked to stop" within 60 is 1 count asked
  check "and no host is left" within 60 fails hosts
  rm -r /run/systemd/system/timelined.service.d
  systemctl daemon-reload
  check "the next one starts" systemctl start timelined
  check "and settles the run by its promise" within 60 is 1 settled 'unknown'
  systemctl stop timelined
}

installs
restarts
restarts_wrongly
is_killed
stops
keeps
leaves_nothing
finish
