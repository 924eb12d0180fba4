#!/bin/bash
# A list of the next dates of a cron rule in a time zone, made with the library whose purpose this is: tzcron, "cron in a timezone".
# Guess: at a clock change it follows a documented rule, as cron does (a skipped time runs after the change, a repeated one once),
#   or leaves the time out.
# What happens: tzcron 1.0.0 raises pytz's NonExistentTimeError or AmbiguousTimeError from the iterator, for each rule that names a
#   skipped or repeated time. A loop over the schedule ends there; hourly rules in a zone with summer time last until the next change,
#   at most seven months. A rule at noon shows nothing of it.
# Why it matters to a scheduler: tests with a fixed date pass, and production loses its schedule at 02:00 on one Sunday. The policy
#   for clock changes belongs to the rule. cronsim, which follows Debian's cron, gives the dates beside it.
set -eu
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
nice -n 10 python3 -m venv "$dir/venv"
nice -n 10 "$dir/venv/bin/pip" install --quiet --no-compile --disable-pip-version-check tzcron==1.0.0 pytz==2026.2 cronsim==2.8
"$dir/venv/bin/pip" list --disable-pip-version-check 2>/dev/null | grep -E '^(tzcron|pytz|cronsim) '
cat > "$dir/run.py" <<'PY'
from datetime import datetime, timedelta
from itertools import takewhile
from zoneinfo import ZoneInfo
import pytz, tzcron
from cronsim import CronSim
def cronsim(rule, start, end):
    zone = ZoneInfo("Europe/Berlin")
    before = (start - timedelta(minutes=1)).replace(tzinfo=zone)
    return takewhile(lambda d: d < end.replace(tzinfo=zone), CronSim(rule, before))
def tz(rule, start, end):
    zone = pytz.timezone("Europe/Berlin")
    try:
        yield from tzcron.Schedule(rule + " *", zone, zone.localize(start), zone.localize(end))
    except pytz.InvalidTimeError as error:
        yield type(error).__name__
for rule, start, end in [
        ("0 12 * * *", (2026, 3, 28), (2026, 3, 31)), ("30 2 * * *", (2026, 3, 28), (2026, 3, 31)),
        ("30 2 * * *", (2026, 10, 24), (2026, 10, 27)), ("0 */2 * * *", (2026, 3, 29), (2026, 3, 29, 9)),
        ("0 */2 * * *", (2026, 10, 25), (2026, 10, 25, 9))]:
    for name, dates in (("cronsim", cronsim), ("tzcron", tz)):
        found = dates(rule, datetime(*start), datetime(*end))
        print(f"{rule:11} {name:7}", *[d if isinstance(d, str) else f"{d:%d.%m_%H:%M}" for d in found])
PY
nice -n 10 "$dir/venv/bin/python" -W ignore "$dir/run.py" > "$dir/seen"
cat > "$dir/expected" <<'OUT'
0 12 * * *  cronsim 28.03_12:00 29.03_12:00 30.03_12:00
0 12 * * *  tzcron  28.03_12:00 29.03_12:00 30.03_12:00
30 2 * * *  cronsim 28.03_02:30 29.03_03:00 30.03_02:30
30 2 * * *  tzcron  28.03_02:30 NonExistentTimeError
30 2 * * *  cronsim 24.10_02:30 25.10_02:30 26.10_02:30
30 2 * * *  tzcron  24.10_02:30 AmbiguousTimeError
0 */2 * * * cronsim 29.03_00:00 29.03_04:00 29.03_06:00 29.03_08:00
0 */2 * * * tzcron  29.03_00:00 NonExistentTimeError
0 */2 * * * cronsim 25.10_00:00 25.10_02:00 25.10_02:00 25.10_04:00 25.10_06:00 25.10_08:00
0 */2 * * * tzcron  25.10_00:00 AmbiguousTimeError
OUT
cat "$dir/seen"
diff "$dir/expected" "$dir/seen" >&2 || { echo "changed: tzcron's dates are no longer as recorded" >&2; exit 1; }
echo "as recorded: of five rules only the one at noon has a list that goes on"
