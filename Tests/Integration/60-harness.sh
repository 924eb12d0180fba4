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
WatchdogSec=2
Restart=on-failure
RestartSec=0
END
  systemctl daemon-reload
  must "a service starts to READY" systemctl start stand-in
  check "its status is seen" is 'next entry at noon' property StatusText
  kill -STOP "$(property MainPID)"
  check "a service that hangs is killed by the watchdog and comes back" within 60 fails is 0 property NRestarts
  check "it is active again" within 60 is active property ActiveState
  check "it stops" systemctl stop stand-in
  check "the journal has it" prints 'stand-in.service: Watchdog timeout' journalctl -q -u stand-in --no-pager
  check "the checkout cannot be written" fails touch "$checkout/x"
  finish
fi

if [ "${1:-}" = used ]; then
  check "files of an installation are not seen" is '' find /etc /usr /var/lib /opt -xdev -path "$checkout" -prune -o -name '*timelined*' -print
  check "nor are its users" fails getent passwd timelined
  check "nor is its package" fails dpkg -s timelined
  check "nor are jobs of cron" is '' find /etc/cron.d /var/spool/cron -type f
  check "nor is the journal of the machine" test ! -e /var/log/journal
  check "no timer begins to work" fails systemctl is-active --quiet timers.target
  check "all other users are there" getent passwd nobody
  check "and all other packages" dpkg -s systemd
  finish
fi

"$here/with-systemd.sh" -x /opt "$here/60-harness.sh" inside
rc=$?
[ $rc -eq 0 ] || exit $rc
check "what happened inside is not seen outside" test ! -e /run/systemd/system/stand-in.service
check "the command's exit status comes out" is 3 sh -c '"$1" sh -c "exit 3"; echo $?' - "$here/with-systemd.sh"

# A machine with an installation, a daemon's state, jobs of cron and a journal.
scratch
chmod 755 "$scratch"
mkdir -p "$scratch"/etc/{timelined,cron.d} "$scratch"/usr/{lib/systemd/system,local/bin,local/lib/timelined} \
  "$scratch"/var/{lib/timelined,lib/dpkg,log/journal/of-the-machine,spool/cron/crontabs}
for file in etc/timelined/timelined.toml etc/cron.d/night usr/lib/systemd/system/timelined.service usr/local/bin/timelined \
  usr/local/lib/timelined/timeline-host var/lib/timelined/ledger.sqlite var/log/journal/of-the-machine/system.journal \
  var/spool/cron/crontabs/root; do echo used >"$scratch/$file"; done
{ cat /etc/passwd; echo 'timelined:x:64000:64000::/:/usr/sbin/nologin'; } >"$scratch/etc/passwd"
{ cat /var/lib/dpkg/status; printf 'Package: timelined\nStatus: install ok installed\nVersion: 0\n\n'; } >"$scratch/var/lib/dpkg/status"
check "a machine that was used is like another one" "$here/with-systemd.sh" -u "$scratch" "$here/60-harness.sh" used
check "no mount is left behind" fails grep -q with-systemd /proc/mounts
finish
