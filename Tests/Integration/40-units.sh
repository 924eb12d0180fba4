#!/bin/bash
# The units as systemd reads them: no key unknown, no program missing, and as tight as they say.
. "$(dirname "$0")/lib.sh"
command -v systemd-analyze >/dev/null || skip "needs systemd-analyze"
version=$(systemctl --version | awk 'NR == 1 { print $2 }')
scratch

# Verification looks for the programs, so they lie where the unit says.
make --no-print-directory -s -C "$checkout" PREFIX="$scratch/usr" SYSCONFDIR="$scratch/etc" install >/dev/null || exit 1
units=$scratch/usr/lib/systemd/system
# Without what this machine has added to units of these names.
export SYSTEMD_UNIT_PATH=$units:/usr/lib/systemd/system:/lib/systemd/system

verify() {
  systemd-analyze verify --recursive-errors=yes --man=no "$units/timelined.service" "$units/timelined.socket"
}
# The score is 0 (closed) to 10 (open); systemd-analyze takes it times ten.
scores() {
  systemd-analyze security --offline=true --no-pager --threshold="$1" "$units/timelined.service"
}
drop_in() {
  rm -rf "$units/timelined.service.d"
  mkdir "$units/timelined.service.d"
  if [ $# -gt 0 ]; then cp "$1" "$units/timelined.service.d/"; fi
}

check "the units are clean" is '' verify
check "the default is as tight as jobs that reach files and change user allow (4.0)" scores 40
drop_in "$checkout/systemd/drop-ins/hardened.conf"
check "hardened.conf is clean" is '' verify
check "hardened.conf scores 2.5 or better" scores 25
drop_in "$checkout/systemd/drop-ins/realtime.conf"
check "realtime.conf is clean" is '' verify
drop_in "$checkout/systemd/drop-ins/cpu-limits.conf"
check "cpu-limits.conf is clean" is '' verify
if [ "$version" -ge 253 ]; then
  drop_in "$checkout/systemd/drop-ins/notify-reload.conf"
  check "notify-reload.conf is clean" is '' verify
fi

if [ -x "$checkout/.build/web/stage/timelined-web" ]; then
  make --no-print-directory -s -C "$checkout" PREFIX="$scratch/usr" install-web >/dev/null || exit 1
  check "the unit of the web page is clean" is '' systemd-analyze verify --recursive-errors=yes --man=no "$units/timelined-web.service"
  check "it scores 1.5 or better" systemd-analyze security --offline=true --no-pager --threshold=15 "$units/timelined-web.service"
fi

page=$checkout/docs/migration.md
awk '/^```/ { inside = 0 } $0 == "[Service]" && before == "```" { inside = 1 } inside { print } { before = $0 }' \
  "$page" >"$scratch/open.conf"
drop_in "$scratch/open.conf"
check "what the migration page gives back is a drop-in" grep -q '^SystemCallFilter=$' "$scratch/open.conf"
check "and a clean one" is '' verify

# These checks are only worth something if they can fail.
printf '[Service]\nProtectSytem=yes\n' >"$scratch/wrong.conf"
drop_in "$scratch/wrong.conf"
check "a misspelt key is found" fails verify
drop_in
check "the default would not pass for hardened" fails scores 25
check "the users are as systemd-sysusers reads them" systemd-sysusers --dry-run "$checkout/systemd/sysusers.d/timelined.conf"
job_group() { sed -n 's/^u timelined -:\([a-z-]*\) .*/\1/p' "$checkout/systemd/sysusers.d/timelined.conf"; }
reader_group() { sed -n 's/^SocketGroup=//p' "$checkout/systemd/timelined.socket"; }
check "the user for jobs has a group" is timelined-jobs job_group
check "and it is not the one that reads" fails is timelined-jobs reader_group
finish
