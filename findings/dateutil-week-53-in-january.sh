#!/bin/bash
# A rule of RFC 5545 names a week of the year: FREQ=YEARLY;BYWEEKNO=53.
# Guess: dateutil numbers weeks as Python's own date.isocalendar() does; WKST is Monday in both.
# What happens: dateutil 2.9.0.post0 gives 1 and 2 January of 2011, 2022, 2039 and 2050 to week 53, where week 52 of the year
#   before has them: 2010 has no week 53. In the 50 years 2001 to 2050 these eight days are the only difference. So a rule for
#   Saturdays of week 53 has an occurrence in a year without that week, and one for week 52 lacks its last Saturday.
# Why it matters to a scheduler: dateutil is the usual oracle for recurrence rules. A comparison has to leave these days out, or
#   to count weeks itself.
set -eu
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
nice -n 10 python3 -m venv "$dir/venv"
nice -n 10 "$dir/venv/bin/pip" install --quiet --no-compile --disable-pip-version-check python-dateutil==2.9.0.post0
"$dir/venv/bin/pip" list --disable-pip-version-check 2>/dev/null | grep -E '^python-dateutil '
cat > "$dir/run.py" <<'PY'
from datetime import date, datetime, timedelta
from dateutil.rrule import rrulestr
first, end = date(2001, 1, 1), date(2051, 1, 1)
days = [first + timedelta(n) for n in range((end - first).days)]
for week in (1, 2, 51, 52, 53):
    rule = rrulestr(f"FREQ=YEARLY;BYWEEKNO={week};BYDAY=MO,TU,WE,TH,FR,SA,SU", dtstart=datetime(2000, 1, 1))
    found = {d.date() for d in rule.between(datetime(2001, 1, 1), datetime(2050, 12, 31), inc=True)}
    wanted = {d for d in days if d.isocalendar()[1] == week}
    missing, extra = sorted(wanted - found), sorted(found - wanted)
    print(f"week {week:2}: {len(missing)} missing, {len(extra)} too many:", *sorted({d.year for d in missing + extra}))
rule = rrulestr("FREQ=YEARLY;BYWEEKNO=53;BYDAY=SA", dtstart=datetime(2010, 1, 1))
print("week 53 of isocalendar:", *[f"{d:%F} is {d.isocalendar()[0]}-W{d.isocalendar()[1]}" for d in rule[:2]])
PY
nice -n 10 "$dir/venv/bin/python" -W ignore "$dir/run.py" > "$dir/seen"
cat > "$dir/expected" <<'OUT'
week  1: 0 missing, 0 too many:
week  2: 0 missing, 0 too many:
week 51: 0 missing, 0 too many:
week 52: 8 missing, 0 too many: 2011 2022 2039 2050
week 53: 0 missing, 8 too many: 2011 2022 2039 2050
week 53 of isocalendar: 2010-01-02 is 2009-W53 2011-01-01 is 2010-W52
OUT
cat "$dir/seen"
diff "$dir/expected" "$dir/seen" >&2 || { echo "changed: dateutil's week 53 is no longer as recorded" >&2; exit 1; }
echo "as recorded: eight days of January are in week 53, which their years do not have"
