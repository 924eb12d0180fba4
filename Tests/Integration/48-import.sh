#!/bin/bash
# `timelinectl import` on the crontabs and timers of Debian packages, which are downloaded and not installed, and on a calendar: every
# line is accounted for, each job has the instants of its source, and `check` accepts the result. Then a daemon runs the jobs of a crontab.
. "$(dirname "$0")/lib.sh"
[ -e "$stage/complete" ] || { echo "nothing is built: make build"; exit 1; }
for program in python3 apt-get dpkg-deb systemd-analyze; do
  command -v "$program" >/dev/null || skip "needs $program"
done
unshare -m true 2>/dev/null || skip "needs root, for a user database with the users of the packages"
ctl=$stage/timelinectl

if [ "${1:-}" != inside ]; then
  scratch
  packages=(amavisd-new anacron apt apt-listbugs atop awstats backupninja borgmatic btrfsmaintenance certbot cron cron-apt dma dpkg e2fsprogs
    etckeeper exim4-base fcheck inn2 logcheck logrotate mailman3-web man-db mdadm mlmmj munin munin-node ntpsec php-common plocate
    postgresql-common prometheus-node-exporter-collectors rsnapshot sanoid snapper sysstat tiger util-linux vnstat)
  chmod 755 "$scratch"
  (cd "$scratch" && timeout "$(patience 60)" apt-get -q download "${packages[@]}") >/dev/null 2>&1 || skip "the Debian packages cannot be downloaded"
  mkdir "$scratch/tree"
  for package in "$scratch"/*.deb; do
    dpkg-deb --fsys-tarfile "$package" |
      tar -x -C "$scratch/tree" --wildcards './etc/cron.d/*' './etc/crontab' './*lib/systemd/system/*' 2>/dev/null
  done
  # Users that the packages would make; root alone is known to be everywhere.
  cp /etc/passwd "$scratch/passwd"
  number=60000
  for name in amavis munin logcheck ntpsec mail www-data backupninja; do
    number=$((number + 1))
    grep -q "^$name:" /etc/passwd || echo "$name:x:$number:65534::/var/lib/$name:/bin/sh" >>"$scratch/passwd"
  done
  export scratch
  unshare -m bash -c 'mount --bind "$scratch/passwd" /etc/passwd && exec "$0" inside' "$here/48-import.sh"
  exit
fi

units=$scratch/tree/lib/systemd/system
# imports NAME ARGUMENTS...: imports into NAME.toml, with the report in NAME.json; every line is carried.
imports() {
  local name=$1 status
  shift
  rm -f "$scratch/$name.toml"
  "$ctl" import "$@" --prove --from 2026-01-01T00:00:00Z --json --output "$scratch/$name.toml" >"$scratch/$name.json"
  status=$?
  [ "$status" -eq 0 ] || { echo "status $status"; return 1; }
}
# report NAME EXPRESSION: evaluates a Python expression of the report's lines and proofs.
report() {
  python3 - "$scratch/$1.json" "$2" <<'PYTHON'
import json, sys
objects = [json.loads(line) for line in open(sys.argv[1])]
lines = [o for o in objects if "verdict" in o and o["line"] > 0]
jobs = [o for o in objects if o.get("kind") == "job" and o["verdict"] != "not-carried"]
lost = [o for o in objects if o.get("verdict") == "not-carried"]
proofs = [o for o in objects if "differences" in o]
proven = [p for p in proofs if not p.get("obstacle")]
unexplained = [(p, d) for p in proven for d in p["differences"] if not d.get("clockChange")]
value = eval(sys.argv[2])
print(value if value is not True else "", *(f"{o['source']}:{o['line']}: {o['notes']}" for o in lost), *unexplained, sep="\n")
sys.exit(not value)
PYTHON
}
# accepted NAME: `check`, with the plugins, finds no errors, programs aside that this machine lacks.
accepted() {
  local output
  output=$("$ctl" check "$scratch/$1.toml" 2>&1) && return
  printf '%s\n' "$output"
  grep -q ': error: ' <<<"$output" && ! grep ': error: ' <<<"$output" | grep -vE 'there is no (file|program) |no such file'
}

export TZ=Europe/Berlin
must "the crontabs of the packages are imported" imports crontab crontab --system "$scratch/tree/etc/cron.d"
crontab_lines=$(cat "$scratch"/tree/etc/cron.d/[!.]* | wc -l)
check "each of their $crontab_lines lines is accounted for" report crontab "len(lines) == $crontab_lines"
check "at least 25 of them become jobs" report crontab "len(jobs) >= 25"
check "nothing of them is lost" report crontab "not lost"
if [ -d /run/systemd/system ]; then
  check "twins of timers become no jobs" report crontab "any('systemd runs' in note for o in lines for note in o['notes'])"
fi
check "every rule but @reboot is proven" report crontab "all(p.get('obstacle', '').startswith('@reboot') for p in proofs if p.get('obstacle'))"
check "1,000 instants of each are the same, clock changes aside" report crontab "len(proven) >= 25 and not unexplained"
check "timelinectl check accepts the crontabs" accepted crontab

mapfile -t timers < <(ls "$units"/*.timer | grep -v '@\.timer$')
must "the timers of the packages are imported" imports timers timers "${timers[@]}"
check "each of the ${#timers[@]} timers is a job" report timers "len(jobs) >= ${#timers[@]} and len(jobs) >= 25"
check "nothing of them is lost" report timers "not lost"
check "every calendar rule is proven by systemd-analyze, clock changes aside" report timers "len(proven) >= 20 and not unexplained"
check "timelinectl check accepts the timers" accepted timers

team=$here/../TimelineImportTests/Calendars/team.ics
sed '/^BEGIN:VTODO/,/^END:VTODO/d; s/;RANGE=THISANDFUTURE//' "$team" >"$scratch/team.ics"
must "a calendar is imported" imports calendar ics "$scratch/team.ics" --zone 'W. Europe Standard Time=Europe/Berlin'
check "each of its events is accounted for" report calendar "len(lines) == $(grep -c '^BEGIN:VEVENT' "$scratch/team.ics")"
check "every job of it is proven by libical" report calendar "len(proven) == len(jobs) and not unexplained"
check "timelinectl check accepts the calendar" accepted calendar
check "an event in an unknown zone ends with status 1, and the others are imported" prints '\[job.team-review\]' fails "$ctl" import ics "$team"
check "a calendar is read from standard input" prints '\[job.stdin-review\]' "$ctl" import ics - --zone 'W. Europe Standard Time=Europe/Berlin' <"$scratch/team.ics"
check "the jobs of a calendar have another plugin" prints 'command = \["/bin/true"\]' \
  "$ctl" import ics "$scratch/team.ics" --zone 'W. Europe Standard Time=Europe/Berlin' --plugin exec --with '{ command = ["/bin/true"] }'
check "a file that is no calendar is refused with its place" prints '48-import.sh:1:1: "BEGIN:VCALENDAR" is expected' fails "$ctl" import ics "$here/48-import.sh"
: >"$scratch/empty.ics"
check "an empty file is refused" prints 'empty.ics:1:1: "BEGIN:VCALENDAR" is expected' fails "$ctl" import ics "$scratch/empty.ics"
check "a calendar that is not there is named" prints "team-2.ics: no such file or directory" fails "$ctl" import ics "$scratch/team-2.ics"
check "--with needs --plugin" prints "give --plugin too" fails "$ctl" import ics "$team" --with '{}'
check "parameters that are no table are refused" prints "expected an inline table" fails "$ctl" import ics "$team" --plugin exec --with 'a = 1'
check "a zone that is not there is refused" prints 'no time zone "Europe/Berln"' fails "$ctl" import ics "$team" --zone 'x=Europe/Berln'

check "a file that is there is not overwritten" prints "file exists" fails "$ctl" import crontab --system "$scratch/tree/etc/cron.d" --output "$scratch/crontab.toml"
printf '*/5 * * * * /bin/true\n' >"$scratch/private"
chmod 600 "$scratch/private"
check "the crontab of a user is imported" "$ctl" import crontab "$scratch/private" --user mail --output "$scratch/private.toml"
check "the configuration of a private crontab is private" is 600 stat -c %a "$scratch/private.toml"
mkdir -p "$scratch/alone/cron.d"
printf '1 2 * * * mail /bin/true\n' >"$scratch/alone/cron.d/one"
printf 'this is prose\n5 4 * * * /bin/true\n' >"$scratch/prose"
check "a line that is none ends with status 1, and the others are imported" prints '\[job.mail-true\]' fails "$ctl" import crontab "$scratch/prose" --user mail
check "standard input is read" prints '\[job.mail-true\]' "$ctl" import crontab - --user mail <"$scratch/private"
check "a file alone is the crontab of who imports it" prints "\[job.$(id -un)-true\]" "$ctl" import crontab "$scratch/private"
check "a file alone that is cron's own is read as cron reads it" prints '\[job.one-true\]' "$ctl" import crontab "$scratch/alone/cron.d/one"
check "--user and --system exclude each other" prints "give one of --user" fails "$ctl" import crontab --user mail --system
check "a file, a user or --system must be given" prints "name a crontab" fails "$ctl" import crontab
check "a user without a crontab is named" prints "crontabs/nobody: .*that user has no crontab" fails "$ctl" import crontab --user nobody

if [ -z "$(ls /usr/sbin/cron /usr/sbin/bcron-sched /usr/bin/cronnext {,/usr}/lib/systemd/system-generators/systemd-crontab-generator 2>/dev/null)" ]; then
  # The crond of busybox that a unit starts lies at no place of a package.
  cp "$(command -v tail)" "$scratch/busybox"
  touch "$scratch/crond"
  (cd "$scratch" && exec ./busybox crond -f) >/dev/null &
  crond=$!
  printf '0 2 * * 7 /bin/true\n' >"$scratch/sunday"
  check "busybox crond is the installed cron while it runs" within 10 prints "busybox, which is installed here, runs it otherwise" "$ctl" import crontab "$scratch/sunday" --user mail
  kill "$crond"
fi

cat >"$scratch/crontab" <<'CRONTAB'
MAILTO=ops@example.org
0 5 * * * echo "$LOGNAME in $PWD"
0 6 * * * [ -x /nonexistent ] && /nonexistent
0 8 * * * /bin/true
0 7 * * * cat%one%two
CRONTAB
printf '#!/bin/sh\n{ echo "mail to $5"; cat; } >>%s/mails\n' "$scratch" >"$scratch/sendmail"
chmod 755 "$scratch/sendmail"
"$ctl" import crontab "$scratch/crontab" --user root 2>/dev/null |
  sed "s,/usr/sbin/sendmail,$scratch/sendmail,g" >"$scratch/live.toml"
export TIMELINED_SOCKET=$scratch/control.sock
"$stage/timelined" --config "$scratch/live.toml" --state "$scratch/state" --control "$TIMELINED_SOCKET" >"$scratch/log" 2>&1 &
daemon=$!
must "a daemon runs an imported crontab" within 60 "$ctl" status
for job in echo true cat; do
  check "the job $job runs" "$ctl" trigger --wait "root-$job"
done
check "a job whose package is gone ends well" prints "the condition .* exited with status 1" "$ctl" trigger --wait root-nonexistent
check "what jobs write is mailed" within 60 grep -q '^two$' "$scratch/mails"
mails() {
  grep -E '^(mail|Subject|root in|one)' "$scratch/mails" | sed 's/@[^>]*>/@host>/'
}
check "and nothing else is" is "mail to ops@example.org
Subject: Cron <root@host> root-echo
root in $(getent passwd root | cut -d: -f6)
mail to ops@example.org
Subject: Cron <root@host> root-cat
one" mails
kill "$daemon"
wait "$daemon"
check "the daemon ends" test $? -eq 0
finish
