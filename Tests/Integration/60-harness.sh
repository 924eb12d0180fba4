#!/bin/bash
# The systemd that the next script uses, tried with a service of a few lines: when this fails, the fault is not the
# daemon's.
. "$(dirname "$0")/lib.sh"

if [ "${1:-}" = inside ]; then
  property() {
    systemctl show stand-in -P "$1"
  }
  cat >/run/systemd/system/stand-in.service <<'END'
[Service]
Type=notify
NotifyAccess=all
ExecStart=/bin/sh -c 'systemd-notify --ready --status="next entry at noon"; trap "exit 0" TERM; while :; do systemd-notify WATCHDOG=1; sleep 0.2; done'
WatchdogSec=1
Restart=on-failure
RestartSec=0
END
  systemctl daemon-reload
  must "a service starts to READY" systemctl start stand-in
  check "its status is seen" is 'next entry at noon' property StatusText
  kill -STOP "$(property MainPID)"
  check "a service that hangs is killed by the watchdog and comes back" within 20 is 1 property NRestarts
  check "it is active again" within 20 is active property ActiveState
  check "it stops" systemctl stop stand-in
  check "the journal has it" prints 'stand-in.service: Watchdog timeout' journalctl -q -u stand-in --no-pager
  check "the checkout cannot be written" fails touch "$checkout/x"
  finish
fi

"$here/with-systemd.sh" -x /opt "$here/60-harness.sh" inside
rc=$?
[ $rc -eq 0 ] || exit $rc
check "what happened inside is not seen outside" test ! -e /run/systemd/system/stand-in.service
check "the command's exit status comes out" is 3 sh -c '"$1" sh -c "exit 3"; echo $?' - "$here/with-systemd.sh"
check "no mount is left behind" fails grep -q with-systemd /proc/mounts
finish
