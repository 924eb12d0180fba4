#!/bin/bash
# A rule with a step in the day or month field is checked and listed with cron-validator, and then run by cron.
# Guess: `*/10` in the field of days is 1, 11, 21 and 31, as in cron and cronsim: a step begins at the first value of the range.
# What happens: cron-validator 1.0.8 takes the multiples of the step: days 10, 20 and 30 for `*/10`, months 3, 6 and 9 for `*/3`, and
#   December never. And it wants both fields to match where day and weekday are restricted, so `13 * 5` has no Friday that is not a 13th.
#   It accepts all these rules, so nothing shows the difference before cron runs the job on other days.
# Why it matters to a scheduler: a rule that a validator accepted is no rule that it understood. A list of the next dates
#   belongs to the program that will run the rule. cronsim, which follows Debian's cron, gives the dates beside it.
set -eu
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
nice -n 10 python3 -m venv "$dir/venv"
nice -n 10 "$dir/venv/bin/pip" install --quiet --no-compile --disable-pip-version-check cron-validator==1.0.8 cronsim==2.8
"$dir/venv/bin/pip" list --disable-pip-version-check 2>/dev/null | grep -E '^(cron-validator|cronsim) '
cat > "$dir/run.py" <<'PY'
from datetime import datetime, timezone
from itertools import takewhile
from cron_validator import CronValidator
from cronsim import CronSim
def cron(rule, end):
    start = datetime(2026, 12, 31, 23, 59, tzinfo=timezone.utc)
    return list(takewhile(lambda d: d < end, CronSim(rule, start)))
def validator(rule, end):
    return list(CronValidator.get_execution_time(rule, from_dt=datetime(2027, 1, 1, tzinfo=timezone.utc), to_dt=end))
for rule, months in [("0 9 */10 * *", 2), ("0 9 1 */3 *", 14), ("0 9 1-7 * 1", 1), ("0 9 1,15 * *", 2)]:
    end = datetime(2027 + months // 12, 1 + months % 12, 1, tzinfo=timezone.utc)
    for name, dates in (("cron", cron), ("validator", validator)):
        print(f"{rule:12} {name:9}", *[f"{d:%d.%m}" for d in dates(rule, end)])
PY
nice -n 10 "$dir/venv/bin/python" -W ignore "$dir/run.py" > "$dir/seen"
cat > "$dir/expected" <<'OUT'
0 9 */10 * * cron      01.01 11.01 21.01 31.01 01.02 11.02 21.02
0 9 */10 * * validator 10.01 20.01 30.01 10.02 20.02
0 9 1 */3 *  cron      01.01 01.04 01.07 01.10 01.01
0 9 1 */3 *  validator 01.03 01.06 01.09
0 9 1-7 * 1  cron      01.01 02.01 03.01 04.01 05.01 06.01 07.01 11.01 18.01 25.01
0 9 1-7 * 1  validator 04.01
0 9 1,15 * * cron      01.01 15.01 01.02 15.02
0 9 1,15 * * validator 01.01 15.01 01.02 15.02
OUT
cat "$dir/seen"
diff "$dir/expected" "$dir/seen" >&2 || { echo "changed: cron-validator's dates are no longer as recorded" >&2; exit 1; }
echo "as recorded: three of four rules that are accepted have other dates than in cron"
