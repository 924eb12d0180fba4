#!/bin/bash
# crons.sh [NAME...]: coming from each cron of Debian, on a real systemd in a root of its own: a line of each minute under the cron, the
# README's [include], the takeover, and the way back, with timelined installed by apt from its package. The line runs exactly once in each
# minute of all that. Seven minutes for all, side by side; the roots are fetched once and kept below .build/crons. As root; needs the network
# the first time, debootstrap, and `make deb`.
#
# Names: cron, disabled (cron that is not enabled), bcron, systemd-cron, busybox (a unit of an administrator), by-hand (busybox without a
# unit), cronie, systemd-cron-2; the last two are of the next Debian.
. "$(dirname "$0")/Integration/lib.sh"
cache=$checkout/.build/crons
names=(cron disabled bcron systemd-cron busybox by-hand cronie systemd-cron-2)

# Sets the suite, the package and the units of a name.
describe() {
  suite=bookworm package=$1 units=()
  case $1 in
    cron) units=(cron.service) ;;
    disabled) package=cron units=(cron.service) ;;
    bcron) units=(bcron-sched.service bcron-update.service) ;;
    systemd-cron) units=(cron.target) ;;
    busybox) package=busybox-static units=(local-crond.service) ;;
    by-hand) package=busybox-static ;;
    cronie) suite=trixie units=(cronie.service) ;;
    systemd-cron-2) suite=trixie package=systemd-cron units=(cron.target) ;;
    *) return 1 ;;
  esac
  apt=(-qy --no-install-recommends -o APT::Sandbox::User=root -o "Dir::Cache::archives=/archives/$package")
}

prepare() {
  local root=$cache/$suite
  if [ ! -e "$root.complete" ]; then
    rm -rf "$root"
    debootstrap --variant=minbase --include=systemd-sysv "$suite" "$root" >"$root.log" 2>&1 || return 1
    touch "$root.complete"
  fi
  # Others may run on this root already.
  cmp -s "$deb" "$root/timelined.deb" || install -m 644 "$deb" "$root/timelined.deb"
  [ ! -e "$root/archives/$package.complete" ] || return 0
  mkdir -p "$root/archives/$package/partial"
  cp -L /etc/resolv.conf "$root/etc/resolv.conf"
  { chroot "$root" apt-get -q update && chroot "$root" apt-get "${apt[@]}" --download-only install "$package" /timelined.deb; } \
    >"$root.log" 2>&1 || return 1
  touch "$root/archives/$package.complete"
}

if [ "${1:-}" != inside ]; then
  deb=$(ls "$checkout"/.build/packages/timelined_*.deb 2>/dev/null) || { echo "no package is made: make deb"; exit 1; }
  [ "$(id -u)" = 0 ] || skip "needs root: namespaces and mounts"
  command -v debootstrap >/dev/null || skip "needs debootstrap"
  [ $# -eq 0 ] || names=("$@")
  mkdir -p "$cache"
  declare -A running=()
  for name in "${names[@]}"; do
    describe "$name" || { echo "no such cron: $name" >&2; exit 2; }
    prepare || skip "no $package of $suite to be had: $(tail -n 1 "$cache/$suite.log")"
    "$here/with-systemd.sh" -r "$cache/$suite" "$checkout/Tests/crons.sh" inside "$name" >"$cache/$name.log" 2>&1 &
    running[$name]=$!
  done
  for name in "${names[@]}"; do
    wait "${running[$name]}"
    ended=$?
    check "$name: $(grep -c '^ok' "$cache/$name.log") checks" [ "$ended" = 0 ]
    grep -v '^ok' "$cache/$name.log"
  done
  finish
fi

name=$2
describe "$name"
trap '[ "$failures" -eq 0 ] || journalctl -q --no-pager -u timelined -n 20' EXIT
marks=/run/marks
ctl=timelinectl

# The cron, with a line of each minute, and one that is never due but that systemd-cron would catch up with.
starts_cron() {
  mkdir -p $marks /etc/cron.d
  : >$marks/runs
  printf '#!/bin/sh\ndate +%%Y-%%m-%%dT%%H:%%M:%%S >>%s/$1\n' $marks >/usr/local/bin/mark
  chmod 755 /usr/local/bin/mark
  case $package in
    busybox-static)
      mkdir -p /var/spool/cron/crontabs
      echo '* * * * * /usr/local/bin/mark runs' >/var/spool/cron/crontabs/root
      printf '[Service]\nExecStart=/bin/busybox crond -f\n[Install]\nWantedBy=multi-user.target\n' >/etc/systemd/system/local-crond.service
      ;;
    *) printf '* * * * * root /usr/local/bin/mark runs\n@yearly root /usr/local/bin/mark yearly\n' >/etc/cron.d/ticker ;;
  esac
  DEBIAN_FRONTEND=noninteractive apt-get "${apt[@]}" install "$package" || return 1
  case $name in
    disabled) systemctl disable cron ;;
    busybox) systemctl enable --now local-crond ;;
    by-hand) busybox crond ;;
  esac
}
enablement() {
  systemctl is-enabled "${units[@]}" 2>/dev/null
}
count() {
  wc -l <$marks/runs
}
# runs COUNT: the line has run at least so often.
runs() {
  [ "$(count)" -ge "$1" ]
}
# Prints the minutes in which the line did not run exactly once, from its first run to its last.
other_minutes() {
  local minute last
  minute=$(head -n 1 $marks/runs | cut -c 1-16)
  last=$(tail -n 1 $marks/runs | cut -c 1-16)
  while [[ ! $minute > $last ]]; do
    [ "$(grep -c "^$minute" $marks/runs)" = 1 ] || echo "$minute: $(grep "^$minute" $marks/runs | tr '\n' ' ')"
    minute=$(date -d "$minute 1 minute" +%Y-%m-%dT%H:%M)
  done
}
runs_by_cron() {
  prints 'left to cron' "$ctl" status && prints 'notice: cron: left to it: .* jobs?, as ' "$ctl" status --exit-code
}
takes_over() {
  "$ctl" takeover --accept-differences
}

must "$package is installed and runs" starts_cron
before=$(enablement)
must "timelined is installed" env DEBIAN_FRONTEND=noninteractive apt-get "${apt[@]}" install /timelined.deb
printf '[include]\ncrontabs = ["/etc/crontab", "/etc/cron.d", "/var/spool/cron/crontabs"]\n' >/etc/timelined/timelined.toml
must "the crontabs are included" systemctl reload timelined
check "the jobs are left to cron, and health has a notice" runs_by_cron
check "check says so" prints 'left to cron: ' "$ctl" check
check "an import says that cron still runs the lines" prints 'cron still runs th(is|ese [0-9]+) lines? .*do not reload' "$ctl" import crontab --system
"$ctl" import crontab --system 2>/dev/null >/run/imported.toml
check "check warns of an imported file" prints 'warning: cron still runs th(is|ese [0-9]+) line' "$ctl" check /run/imported.toml
check "nothing is there to undo" prints 'nothing to undo' fails "$ctl" takeover --undo
must "cron runs the line" within 180 runs 1
check "and does so beside timelined" within 120 runs 2

if [ "$name" = by-hand ]; then
  check "a cron without a unit is refused by its process" prints 'process [0-9]+ is crond, and no unit of systemd stops it' fails takes_over
  check "it goes on, alone" within 120 runs $(($(count) + 1))
  check "the line ran once in each minute" is '' other_minutes
  finish
fi

must "the jobs are taken over" takes_over
for unit in "${units[@]}"; do check "$unit is not active" fails systemctl is-active --quiet "$unit"; done
check "no job is left to cron" fails prints 'left to cron' "$ctl" status
check "a second takeover finds no cron" prints 'cron is not active' fails takes_over
systemctl daemon-reload
touch /etc/cron.d
must "the line runs by timelined" within 180 runs $(($(count) + 2))
# As if the takeover had been before the new year.
touch -c -d '2 years ago' /var/lib/systemd/timers/stamp-cron-ticker-*
check "the jobs are given back" "$ctl" takeover --undo
check "what was enabled is so again, and nothing else" is "$before" enablement
check "the jobs are left to cron again" runs_by_cron
check "nothing is left to undo" prints 'nothing to undo' fails "$ctl" takeover --undo
check "cron runs the line" within 180 runs $(($(count) + 2))
check "no line that timelined may have run was caught up with" fails test -e $marks/yearly
check "the line ran once in each minute" is '' other_minutes
finish
