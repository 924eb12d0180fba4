#!/bin/bash
# Crontab lines with a month by its name, or with days of the week up to 7, under systemd-cron.
# Guess: as its own crontab(5) says: names of months and of days, and 0-7, where 0 and 7 are Sunday.
# What happens: the generator of systemd-cron 1.15.19 (Debian 1.15.19-5) makes `nov` October and `dec` November. A line with
#   `oct` has no timer: the log has "garbled time" for it, and nothing for the other two. `0-7` is Sunday alone, and
#   `5-7` is every day: a weekday in error is left out of the timer, where a month in error leaves out the timer.
# Why it matters to a scheduler: the yearly job of December has run in November, and the one of October never. An import of such
#   a crontab has to say both, what is written and what has run, and a comparison of runs has to expect the difference.
set -eu
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"
apt-get download -qq systemd-cron 2> download.log || { cat download.log >&2; exit 1; }
dpkg-deb -f systemd-cron_*.deb Package Version
[ "$(dpkg-deb -f systemd-cron_*.deb Version)" = 1.15.19-5 ] || { echo "changed: not version 1.15.19-5" >&2; exit 1; }
dpkg-deb -x systemd-cron_*.deb root
mkdir units
cat > tab <<'TAB'
0 3 1 sep * job
0 3 1 oct * job
0 3 1 nov * job
0 3 1 dec * job
0 3 1 jul,oct * job
0 3 1 10 * job
0 3 * * 7 job
0 3 * * 0-7 job
0 3 * * 5-7 job
0 3 * * 6,7 job
TAB
cat > run.py <<'PY'
import glob, itertools, re, types
from importlib.machinery import SourceFileLoader
# The functions that the generator itself calls at boot for each crontab, on one file and into one directory.
generator = types.ModuleType("generator")
SourceFileLoader("generator", "root/lib/systemd/system-generators/systemd-crontab-generator").exec_module(generator)
generator.TARGET_DIR = generator.TIMERS_DIR = "units"
for number, job in enumerate(generator.parse_crontab("tab", withuser=False)):
    generator.generate_timer_unit(job, seq=itertools.repeat(number), unit_name=f"line-{number}")
    timers = [open(name).read() for name in glob.glob(f"units/line-{number}.timer")]
    calendar = re.findall("^OnCalendar=(.*)", timers[0], re.M)[0] if timers else "no timer"
    print(f"{job['l'][:-4]:16} {calendar}")
PY
PYTHONDONTWRITEBYTECODE=1 nice -n 10 /usr/bin/python3 -W ignore run.py > seen 2> log
grep -o 'garbled time' log | uniq -c | sed 's/^ */log lines: /' >> seen
cat > expected <<'OUT'
0 3 1 sep *      *-9-1 3:0:00
0 3 1 oct *      no timer
0 3 1 nov *      *-10-1 3:0:00
0 3 1 dec *      *-11-1 3:0:00
0 3 1 jul,oct *  no timer
0 3 1 10 *       *-10-1 3:0:00
0 3 * * 7        Sun *-*-* 3:0:00
0 3 * * 0-7      Sun *-*-* 3:0:00
0 3 * * 5-7       *-*-* 3:0:00
0 3 * * 6,7      Sun,Sat *-*-* 3:0:00
log lines: 3 garbled time
OUT
cat seen
diff expected seen >&2 || { echo "changed: the timers of systemd-cron are no longer as recorded" >&2; exit 1; }
echo "as recorded: three months are one early or missing, and 0-7 is Sunday alone"
