#!/bin/bash
# The control socket and the limits of starts on a real systemd: nothing that crashes, a wrong file or an operator does locks clients out
# for good.
. "$(dirname "$0")/lib.sh"
[ -e "$stage/complete" ] || { echo "nothing is built: make build"; exit 1; }
[ "${1:-}" = inside ] || exec "$here/with-systemd.sh" "$here/76-socket.sh" inside

trap '[ "$failures" -eq 0 ] || journalctl -q --no-pager -n 60' EXIT
ctl=/usr/local/bin/timelinectl
socket=/run/timelined/control.sock
file=/etc/timelined/timelined.toml

property() {
  systemctl show timelined -P "$1"
}
# with UNIT LINES: a drop-in of the unit; without lines it is removed.
with() {
  local directory=/run/systemd/system/$1.d
  rm -rf "$directory"
  if [ -n "${2:-}" ]; then
    mkdir -p "$directory"
    printf '%b\n' "$2" >"$directory/test.conf"
  fi
  systemctl daemon-reload
}
configure() {
  printf '[daemon]\ntime-zone = "UTC"\n[job.a]\nplugin = "exec"\nschedule = "on-demand"\nwith = { command = ["/bin/true"] }\n' >$file
}
access() {
  stat -c '%U %G %a' $socket
}
is_back() {
  [ "$(property MainPID)" != "$1" ] && [ "$(property MainPID)" != 0 ] && [ "$(property ActiveState)" = active ]
}
is_killed() {
  local before
  before=$(property MainPID)
  systemctl kill --kill-whom=main --signal=KILL timelined
  within 30 is_back "$before"
}

crashes_to_the_limit() {
  systemctl kill --kill-whom=main --signal=KILL timelined
  [ "$(systemctl show timelined.socket -P Result)" = service-start-limit-hit ]
}

installs() {
  must "make install installs" make --no-print-directory -s -C "$checkout" install
  configure
  must "it starts" systemctl start timelined
  check "the socket is the group's" is 'root timelined 660' access
}

crashes() {
  with timelined.service '[Service]\nRestartSec=50ms'
  for _ in 1 2 3 4 5 6; do must "a daemon that is killed comes back" is_killed; done
  with timelined.service
  check "the socket is still the one of systemd" is active systemctl is-active timelined.socket
  check "and the group's" is 'root timelined 660' access
  check "nothing is amiss" fails prints 'control socket' "$ctl" status
}

removed() {
  rm $socket
  check "a file that is removed is made again" within 30 "$ctl" list
  check "for the same group" is 'root timelined 660' access
  must "a daemon that is killed after that comes back" is_killed
  check "the socket answers" within 30 "$ctl" list
  check "for the same group again" is 'root timelined 660' access
}

self_made() {
  with timelined.socket '[Socket]\nExecStartPre=/bin/false'
  systemctl restart timelined
  check "without a socket from systemd it makes one for the same group" within 30 is 'root timelined 660' access
  check "status shows it" within 30 prints 'control socket .*as timelined.socket passed none' "$ctl" status
  check "and so does the verdict" prints '^problem: control socket: ' "$ctl" status --exit-code
  with timelined.socket
  check "what it advises helps" systemctl restart timelined.service
  check "nothing is amiss then" fails prints 'control socket' "$ctl" status
}

refused() {
  printf 'nonsense = 1\n' >>$file
  check "a restart on a wrong file fails" fails systemctl restart timelined
  check "the socket is closed" within 30 fails systemctl -q is-active timelined.socket
  check "a client gets the reason" prints 'timelined.service has refused its configuration' "$ctl" status
  # A client that comes while the socket is open.
  must "the socket alone is opened" systemctl start timelined.socket
  check "a client that would start it gets the reason" prints 'refused its configuration' "$ctl" status
  check "and the socket is closed again" within 30 fails systemctl -q is-active timelined.socket
  for _ in 1 2 3 4 5 6 7 8; do "$ctl" status; done >/dev/null 2>&1
  configure
  check "after a correction it starts, without more" systemctl start timelined
  check "and answers" "$ctl" list
}

restarted() {
  with timelined.service '[Unit]\nStartLimitIntervalSec=10min\nStartLimitBurst=3'
  for _ in 1 2 3 4 5; do must "an operator may restart it as often as they like" systemctl restart timelined; done
  systemctl stop timelined
  check "after a stop clients get the reason" prints 'timelined.service is stopped: `systemctl start timelined`' "$ctl" status
  check "it starts" systemctl start timelined
  with timelined.service '[Unit]\nStartLimitIntervalSec=10min\nStartLimitBurst=3\n[Service]\nRestartSec=50ms'
  check "crashes have a limit" within 30 crashes_to_the_limit
  check "clients get the reason, and what to do" prints 'timelined.service has failed .*reset-failed' "$ctl" status
  check "what it advises helps" eval 'systemctl reset-failed timelined.service timelined.socket && systemctl start timelined && "$ctl" list'
}

installs
crashes
removed
self_made
refused
restarted
finish
