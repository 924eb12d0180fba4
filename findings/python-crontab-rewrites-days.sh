#!/bin/bash
# A program adds a job to a crontab with python-crontab, and saves the file.
# Guess: the other lines stay as they are, or at least keep their meaning.
# What happens: python-crontab 3.4.0 writes every line anew, with shorter fields. In the crontab of Debian and of cronie it
#   matters whether a day field begins with `*`: if one does, both fields must match, otherwise one is enough. So
#   `1-31 * 5` (each day) becomes `* * 5` (Fridays), `13 * 0-6` (each day) becomes `13 * *` (once a month), and
#   `1-7 * */7`, the short form of "the first Sunday of the month", becomes `1-7 * 0`: 10 runs in March 2027 instead of 1.
# Why it matters to a scheduler: a backup of each day runs once a month after another program has saved the file.
#   An import has to keep whether a day field begins with `*`, and a comparison has to compare dates, not texts.
#   cronsim, which follows Debian's cron, counts the runs here.
set -eu
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
nice -n 10 python3 -m venv "$dir/venv"
nice -n 10 "$dir/venv/bin/pip" install --quiet --no-compile --disable-pip-version-check python-crontab==3.4.0 cronsim==2.8
"$dir/venv/bin/pip" list --disable-pip-version-check 2>/dev/null | grep -E '^(python-crontab|cronsim) '
cat > "$dir/tab" <<'TAB'
0 3 1-31 * 5 first
0 3 1-31/2 * 5 second
0 3 13 * 0-6 third
0 3 1-7 * */7 fourth
TAB
cat > "$dir/run.py" <<'PY'
from datetime import datetime
from cronsim import CronSim
from crontab import CronTab
def runs(rule):
    times = CronSim(rule, datetime(2027, 3, 1))
    found = [t for t in (next(times) for _ in range(31)) if (t.year, t.month) == (2027, 3)]
    return f"{len(found):2} runs"
def rules():
    return [line.rsplit(" ", 1)[0] for line in open("tab")]
before = rules()
tab = CronTab(tabfile="tab")
tab.new(command="new").setall("5 4 * * *")
tab.write()
for old, new in zip(before, rules()):
    print(f"{old:14} in March 2027: {runs(old)} | written as {new:12} {runs(new)}")
PY
(cd "$dir" && nice -n 10 venv/bin/python -W ignore run.py) > "$dir/seen"
cat > "$dir/expected" <<'OUT'
0 3 1-31 * 5   in March 2027: 31 runs | written as 0 3 * * 5     4 runs
0 3 1-31/2 * 5 in March 2027: 18 runs | written as 0 3 */2 * 5   2 runs
0 3 13 * 0-6   in March 2027: 31 runs | written as 0 3 13 * *    1 runs
0 3 1-7 * */7  in March 2027:  1 runs | written as 0 3 1-7 * 0  10 runs
OUT
cat "$dir/seen"
diff "$dir/expected" "$dir/seen" >&2 || { echo "changed: what python-crontab writes is no longer as recorded" >&2; exit 1; }
echo "as recorded: all four lines have another meaning once a fifth was added"
