#!/bin/bash
# calcurse imports "the last working day of the month" from an iCalendar file.
# Guess: it follows BYSETPOS and BYWEEKNO, or skips the event and counts it as skipped.
# What happens: calcurse 4.7.1 (Debian 4.7.1-1) drops the two parts, imports the rest and says "0 skipped".
#   COUNT=3 becomes an end date under what remains: the last working days of February, March and April become
#   27 February, 2 and 3 March; the Monday of week 2 in three years becomes three Mondays of one January.
#   Its export then is a valid file with another meaning.
# Why it matters to a scheduler: the usual RRULE for "the last working day" loses its meaning on the way through such
#   a tool. Each part of a rule has to be understood or refused by name, and COUNT has to be counted last.
set -eu
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; mkdir home data
export HOME=$dir/home TZ=UTC LC_ALL=C
apt-get download -qq calcurse 2> download.log || { cat download.log >&2; exit 1; }
dpkg-deb -f calcurse_*.deb Package Version
[ "$(dpkg-deb -f calcurse_*.deb Version)" = 4.7.1-1 ] || { echo "changed: calcurse is not version 4.7.1-1" >&2; exit 1; }
dpkg-deb -x calcurse_*.deb root
cat > in.ics <<'ICS'
BEGIN:VCALENDAR
VERSION:2.0
PRODID:-//example//EN
BEGIN:VEVENT
UID:1
DTSTAMP:20260101T000000Z
DTSTART:20260227T180000
DTEND:20260227T183000
RRULE:FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1;COUNT=3
SUMMARY:last-working-day
END:VEVENT
BEGIN:VEVENT
UID:2
DTSTAMP:20260101T000000Z
DTSTART:20260105T090000
DTEND:20260105T091000
RRULE:FREQ=YEARLY;BYWEEKNO=2;BYDAY=MO;COUNT=3
SUMMARY:week-2
END:VEVENT
END:VCALENDAR
ICS
sed -i 's/$/\r/' in.ics
calcurse() { nice -n 10 root/usr/bin/calcurse -D "$dir/data" -C "$dir/home" "$@"; }
{
    calcurse -i in.ics
    calcurse -x | tr -d '\r' | grep '^RRULE'
    calcurse -Q --from 01/01/2026 --days 1500 --filter-type cal --format-recur-apt '%m %(start:%F)\n' |
        awk '/ 20/ { days[$1] = days[$1] " " $2 } END { for (m in days) print m ":" days[m] }' | sort
} > seen 2>&1 || true
cat > expected <<'OUT'
Import process report: 0020 lines read
2 apps / 0 events / 0 todos / 0 skipped
RRULE:FREQ=YEARLY;UNTIL=20260119T090000;BYDAY=MO
RRULE:FREQ=MONTHLY;UNTIL=20260303T180000;BYDAY=MO,TU,WE,TH,FR
last-working-day: 2026-02-27 2026-03-02 2026-03-03
week-2: 2026-01-05 2026-01-12 2026-01-19
OUT
cat seen
diff expected seen >&2 || { echo "changed: the import of BYSETPOS and BYWEEKNO is no longer as recorded" >&2; exit 1; }
echo "as recorded: both rules were changed without a word"
