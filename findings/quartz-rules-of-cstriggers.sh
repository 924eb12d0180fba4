#!/bin/bash
# Rules in the syntax of Quartz, listed in Python with cron-schedule-triggers, which is written for it.
# Guess: `MON#1` is the first Monday of each month, `15W` the working day nearest the 15th, and a 31st comes seven times a year.
# What happens: cron-schedule-triggers 0.0.11 leaves a month out whose first Monday is its first day (February and March 2027),
#   gives 21 January 2027 for `15W` although the 15th is a Friday, and repeats 31 January for ever for `31`. Where the rule does
#   not name the day of the start, that day may be listed first: a Saturday for `MON-FRI`. None of it is an error.
# Why it matters to a scheduler: a rule that is taken over from Quartz has to be compared by its dates and not by what another
#   library lists for it: first Mondays that are the first of a month come one to three times a year.
set -eu
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
nice -n 10 python3 -m venv "$dir/venv"
nice -n 10 "$dir/venv/bin/pip" install --quiet --no-compile --disable-pip-version-check cron-schedule-triggers==0.0.11
"$dir/venv/bin/pip" list --disable-pip-version-check 2>/dev/null | grep -E '^cron-schedule-triggers '
cat > "$dir/run.py" <<'PY'
from cstriggers.core.trigger import QuartzCron
for rule in ("0 0 9 ? * MON#1", "0 0 9 15W * ?", "0 0 9 31 * ?", "0 0 9 ? * MON-FRI"):
    # A Saturday.
    schedule = QuartzCron(schedule_string=rule, start_date="2027-01-02T00:00:00", end_date="2027-12-31T00:00:00")
    print(f"{rule:18}", *[d[5:10] for d in schedule.next_triggers(number_of_triggers=4, isoformat=True)])
PY
nice -n 10 "$dir/venv/bin/python" -W ignore "$dir/run.py" > "$dir/seen"
cat > "$dir/expected" <<'OUT'
0 0 9 ? * MON#1    01-04 04-05 05-03 06-07
0 0 9 15W * ?      01-02 01-21 02-19 03-19
0 0 9 31 * ?       01-31 01-31 01-31 01-31
0 0 9 ? * MON-FRI  01-02 01-04 01-05 01-06
OUT
cat "$dir/seen"
diff "$dir/expected" "$dir/seen" >&2 || { echo "changed: the dates of cron-schedule-triggers are no longer as recorded" >&2; exit 1; }
echo "as recorded: first Mondays are missing, the 15th moves by six days, 31 January repeats, and a Saturday is a working day"
