#!/bin/bash
# Mexico's last working day of the year, by a library of public holidays.
# Guess: 31 December is a working day in Mexico, except perhaps before a Saturday 1 January.
#   The source comment of the library says the same: "if new year's day is a saturday, the friday before is off".
# What happens: workalendar 17.0.0 makes 31 December a holiday before every 1 January that is NOT a Monday
#   (the test is the bare weekday number, and Monday is 0). The holidays package has none of these days.
# Why it matters to a scheduler: "the last working day of the year" in Mexico is one or three days early
#   in 8 of 10 years, and a job that leaves out holidays does not run on 31 December.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
nice -n 10 python3 -m venv "$dir/venv"
nice -n 10 "$dir/venv/bin/pip" install --quiet --no-compile --disable-pip-version-check workalendar==17.0.0 holidays==0.109
"$dir/venv/bin/pip" list --disable-pip-version-check 2>/dev/null | grep -E '^(workalendar|holidays) '
nice -n 10 "$dir/venv/bin/python" -W ignore - > "$dir/seen" <<'PY'
from datetime import date
import holidays
from workalendar.america import Mexico
theirs = Mexico()
others = holidays.MX(years=range(2024, 2035))
for year in range(2024, 2034):
    end = date(year, 12, 31)
    # The last working day of the year: one working day back from 1 January.
    last = theirs.sub_working_days(date(year + 1, 1, 1), 1)
    other = others.get_nth_working_day(date(year + 1, 1, 1), -1)
    print(f"{end:%a} {end}", f"workalendar: {last:%a} {last}", f"holidays: {other:%a} {other}",
          "differ" if last != other else "agree", sep="  ")
PY
cat > "$dir/expected" <<'OUT'
Tue 2024-12-31  workalendar: Mon 2024-12-30  holidays: Tue 2024-12-31  differ
Wed 2025-12-31  workalendar: Tue 2025-12-30  holidays: Wed 2025-12-31  differ
Thu 2026-12-31  workalendar: Wed 2026-12-30  holidays: Thu 2026-12-31  differ
Fri 2027-12-31  workalendar: Thu 2027-12-30  holidays: Fri 2027-12-31  differ
Sun 2028-12-31  workalendar: Fri 2028-12-29  holidays: Fri 2028-12-29  agree
Mon 2029-12-31  workalendar: Fri 2029-12-28  holidays: Mon 2029-12-31  differ
Tue 2030-12-31  workalendar: Mon 2030-12-30  holidays: Tue 2030-12-31  differ
Wed 2031-12-31  workalendar: Tue 2031-12-30  holidays: Wed 2031-12-31  differ
Fri 2032-12-31  workalendar: Thu 2032-12-30  holidays: Fri 2032-12-31  differ
Sat 2033-12-31  workalendar: Fri 2033-12-30  holidays: Fri 2033-12-30  agree
OUT
cat "$dir/seen"
if ! diff "$dir/expected" "$dir/seen" > "$dir/diff"; then
    echo "changed: the last working day of the year in Mexico is no longer as recorded" >&2
    cat "$dir/diff" >&2
    exit 1
fi
echo "as recorded: 31 December is a holiday unless 1 January is a Monday"
