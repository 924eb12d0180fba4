#!/bin/bash
# Take-over from Debian's cron on a real systemd: a job each minute is left to cron, both are compared, cron is stopped and masked, and the
# job runs once a minute by timelined; then cron gets it back. Mostly waits for minutes.
. "$(dirname "$0")/lib.sh"
packages=$checkout/.build/packages/cron
if [ "${1:-}" != inside ]; then
  [ -e "$stage/complete" ] || { echo "nothing is built: make build"; exit 1; }
  rm -rf "$packages"
  mkdir -p "$packages"
  (cd "$packages" && timeout "$(patience 60)" apt-get -q download cron cron-daemon-common) >/dev/null 2>&1 || skip "the package cron cannot be downloaded"
  exec "$here/with-systemd.sh" "$here/87-takeover.sh" inside
fi

trap '[ "$failures" -eq 0 ] || journalctl -q --no-pager -n 80' EXIT
marks=/run/marks
ctl=/usr/local/bin/timelinectl

installs_cron() {
  DEBIAN_FRONTEND=noninteractive dpkg --force-depends --force-confold -i "$packages"/cron*.deb && systemctl enable --now cron
}
# runs COUNT: the job has run at least so often; never twice in one minute.
runs() {
  [ "$(wc -l <$marks/runs)" -ge "$1" ]
}
twice() {
  uniq -d $marks/runs
}
left() {
  "$ctl" history ticker-date --json | grep -c '"outcome":"left-to-cron"'
}
takes_over() {
  "$ctl" takeover --after 1m --since 1h\ ago
}

mkdir -p $marks
: >$marks/runs
cat >/etc/cron.d/ticker <<END
MAILTO=""
* * * * * root sh -c 'date +\\%M >>$marks/runs'
END
# The package's own has a line for each hour, which cron alone runs: a difference in one minute of sixty. dpkg keeps a file that is there.
[ -e /etc/crontab ] || : >/etc/crontab
must "cron is installed" installs_cron
must "and is active" within 60 systemctl is-active --quiet cron
must "timelined is installed" make --no-print-directory -s -C "$checkout" install
printf '[include]\ncrontabs = ["/etc/cron.d"]\n' >/etc/timelined/timelined.toml
systemctl daemon-reload
must "timelined starts" systemctl start timelined
check "its job is left to cron" prints 'left to cron.*cron.service is active|left to cron.*process' "$ctl" status
check "and list says so" prints 'ticker-date .*\(left to cron\)' "$ctl" list
must "an entry is left to cron" within 120 left
check "cron runs the job" within 60 runs 1
check "nothing is taken over before a minute was compared" prints 'less than 1m|for want of evidence' fails takes_over
check "cron is active still" systemctl is-active --quiet cron
must "a minute was compared, and nothing differs" within 240 "$ctl" takeover --dry-run --since "1h ago"
check "the comparison names the line and its job" prints 'ticker:2 \[job ticker-date\]: both ran' "$ctl" takeover --dry-run
check "without a takeover there is nothing to undo" prints 'nothing to undo' fails "$ctl" takeover --undo
check "an import says that cron still runs the lines" prints 'cron still runs .*do not reload' "$ctl" import crontab --system
check "only root takes over" prints 'only root' fails setpriv --reuid nobody --clear-groups "$ctl" takeover

count=$(wc -l <$marks/runs)
must "the job is taken over" takes_over
check "cron is not active" fails systemctl is-active --quiet cron
check "and is masked" is masked systemctl is-enabled cron
must "the job runs by timelined" within 120 runs $((count + 1))
check "in the history too" prints succeeded "$ctl" history ticker-date
check "it never ran twice in a minute" is '' twice

# What another cron shows, for moments in which the daemon does not look.
check "check finds no cron" fails prints 'left to cron' "$ctl" check
printf '[Unit]\nSourcePath=/etc/cron.d/ticker\n[Timer]\nOnCalendar=yearly\nUnit=basic.target\n' >/run/systemd/system/made-of.timer
systemctl daemon-reload
systemctl start made-of.timer
check "an active timer that was made of a crontab is cron" prints 'left to cron: made-of.timer is active, generated from /etc/cron.d/ticker' "$ctl" check
check "and nothing is taken over from one that no unit stops" prints 'no unit of systemd stops it' fails "$ctl" takeover --accept-differences
systemctl stop made-of.timer
cp /bin/sleep /run/bcron-sched
/run/bcron-sched 60 &
check "so is a process with the name of one" prints "left to cron: process $! is bcron-sched" "$ctl" check
kill $!
wait $! 2>/dev/null

check "the jobs are given back" "$ctl" takeover --undo
check "cron is active again" systemctl is-active --quiet cron
check "and enabled" systemctl is-enabled --quiet cron
check "and nothing is left to undo" prints 'nothing to undo' fails "$ctl" takeover --undo
check "and has the job" prints 'left to cron' "$ctl" status
finish
