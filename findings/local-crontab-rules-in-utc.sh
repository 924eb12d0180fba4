#!/bin/bash
# local-crontab turns a crontab rule of a zone into rules in UTC, for a cron or a cluster that runs in UTC.
# Guess: the rules in UTC are due at the instants of the local rule in that year; its README says it makes several because of
#   daylight saving time.
# What happens: local-crontab 0.3.0 writes lines for parts of months, such as `0 13 14-31 3 1-5`, and leaves the weekday beside
#   them. In cron one of the two days is then enough, so that both lines of a month run: "09:00 on working days" in New York
#   has 61 more runs in March and November, at 08:00, 10:00 or on weekends. Where the date changes, the weekday does not:
#   Fridays 23:00 has runs on Thursdays 23:00, and loses 39 of its own.
#   Of the offset whole hours are kept: "09:30" in Kolkata (+05:30) is never due, 09:00 is.
# Why it matters to a scheduler: rules in UTC that look like the result of such a conversion do not say what was meant. Who moves
#   to a scheduler with time zones has to ask for the local rule, and to compare instants with it.
#   cronsim, which follows Debian's cron, lists the instants here.
set -eu
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
nice -n 10 python3 -m venv "$dir/venv"
nice -n 10 "$dir/venv/bin/pip" install --quiet --no-compile --disable-pip-version-check local-crontab==0.3.0 cronsim==2.8 \
    cron-converter==2.0.2 tzdata==2025.2
"$dir/venv/bin/pip" list --disable-pip-version-check 2>/dev/null | grep -E '^(local-crontab|cronsim|cron-converter) '
cat > "$dir/run.py" <<'PY'
from datetime import datetime, timezone
from itertools import takewhile
from zoneinfo import ZoneInfo
from cronsim import CronSim
from local_crontab import Converter
def instants(rule, zone, local):  # those of the local year 2027
    times = CronSim(rule, datetime(2026, 12, 30, tzinfo=zone))
    found = (t.astimezone(local) for t in takewhile(lambda t: t < datetime(2028, 1, 3, tzinfo=zone), times))
    return {t for t in found if t.year == 2027}
for rule, name in ("0 9 * * *", "America/New_York"), ("0 23 1 * *", "America/New_York"), ("0 9 * * 1-5", "America/New_York"), \
        ("0 23 * * 5", "America/New_York"), ("30 9 * * *", "Asia/Kolkata"):
    zone = ZoneInfo(name)
    meant = instants(rule, zone, zone)
    lines = Converter(rule, name, 2027).to_utc_crons()
    made = set().union(*(instants(line, timezone.utc, zone) for line in lines))
    false = sorted(made - meant, key=datetime.timestamp)
    example = f": {false[0]:%a %d %b %H:%M}, ..." if false else ""
    print(f"{rule:11} {name:16} {len(lines)} lines: {len(meant & made):3} of {len(meant):3} instants, {len(false):3} false{example}")
PY
nice -n 10 "$dir/venv/bin/python" -W ignore "$dir/run.py" > "$dir/seen"
cat > "$dir/expected" <<'OUT'
0 9 * * *   America/New_York 7 lines: 365 of 365 instants,   0 false
0 23 1 * *  America/New_York 3 lines:  12 of  12 instants,   0 false
0 9 * * 1-5 America/New_York 7 lines: 261 of 261 instants,  61 false: Mon 01 Mar 08:00, ...
0 23 * * 5  America/New_York 9 lines:  14 of  53 instants, 126 false: Sat 02 Jan 23:00, ...
30 9 * * *  Asia/Kolkata     1 lines:   0 of 365 instants, 365 false: Fri 01 Jan 09:00, ...
OUT
cat "$dir/seen"
diff "$dir/expected" "$dir/seen" >&2 || { echo "changed: the rules in UTC are no longer as recorded" >&2; exit 1; }
echo "as recorded: rules with a weekday, or of a zone with half an hour, have another meaning in UTC"
