#!/bin/bash
# libical, the library of iCalendar that desktops and servers link, on rules that fit their DTSTART.
# Guess: it follows the table of RFC 5545 (3.3.10), or refuses a rule that it does not.
# What happens: libical 3.0.16 (Debian 3.0.16-1) answers without an error, and in three common cases wrongly.
#   FREQ=DAILY;BYMONTHDAY=-1 ("the last day of each month") never occurs; with =31, or FREQ=MONTHLY, it does.
#   FREQ=WEEKLY with BYSETPOS=-1 ("the last working day of the week") occurs on each working day.
#   INTERVAL=2 with WKST=SA leaves out DTSTART itself, and all that follows is in the other week.
#   python-dateutil 2.9.0.post0 follows the table in all three.
# Why it matters to a scheduler: a calendar of holidays or of maintenance windows that is expanded by libical has too many
#   days, the wrong weeks, or none. An expansion of one's own, compared with another library, shows it; an error code does not.
set -eu
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"
apt-get download -qq libical3 libicu72 2> download.log || { cat download.log >&2; exit 1; }
for package in *.deb; do
    dpkg-deb -f "$package" Package Version
    dpkg-deb -x "$package" root
done
case $(dpkg-deb -f libical3_*.deb Version) in 3.0.16-1*) ;; *) echo "changed: libical is not version 3.0.16-1" >&2; exit 1 ;; esac
nice -n 10 python3 -m venv venv
nice -n 10 venv/bin/pip install --quiet --no-compile --disable-pip-version-check python-dateutil==2.9.0.post0
cat > run.py <<'PY'
import ctypes
from datetime import datetime, timezone
from itertools import islice
from dateutil.rrule import rrulestr
expand = ctypes.CDLL("libical.so.3").icalrecur_expand_recurrence  # rule, time_t of DTSTART, size, array of time_t
expand.argtypes = [ctypes.c_char_p, ctypes.c_long, ctypes.c_int, ctypes.POINTER(ctypes.c_long)]
def text(times):
    return "  ".join(f"{t:%a %d %b}" for t in times) or "never"
for rule, month, day in ("FREQ=MONTHLY;BYMONTHDAY=-1", 1, 31), ("FREQ=DAILY;BYMONTHDAY=31", 1, 31), \
        ("FREQ=DAILY;BYMONTHDAY=-1", 1, 31), \
        ("FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1", 1, 29), \
        ("FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1", 1, 8), \
        ("FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,FR;WKST=MO", 1, 8), ("FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,FR;WKST=SA", 1, 8):
    start, found = datetime(2027, month, day, 9), (ctypes.c_long * 4)()
    expand(rule.encode(), int(start.replace(tzinfo=timezone.utc).timestamp()), 4, found)
    libical = text(datetime.fromtimestamp(t, timezone.utc) for t in found if t)
    dateutil = text(islice(rrulestr(rule, dtstart=start), 4))
    print(f"{rule}, from {start:%a %d %b}", f"  libical  {libical}", sep="\n")
    if libical != dateutil:
        print(f"  dateutil {dateutil}")
PY
LD_LIBRARY_PATH=$(dirname root/usr/lib/*/libical.so.3) nice -n 10 venv/bin/python -W ignore run.py > seen
cat > expected <<'OUT'
FREQ=MONTHLY;BYMONTHDAY=-1, from Sun 31 Jan
  libical  Sun 31 Jan  Sun 28 Feb  Wed 31 Mar  Fri 30 Apr
FREQ=DAILY;BYMONTHDAY=31, from Sun 31 Jan
  libical  Sun 31 Jan  Wed 31 Mar  Mon 31 May  Sat 31 Jul
FREQ=DAILY;BYMONTHDAY=-1, from Sun 31 Jan
  libical  never
  dateutil Sun 31 Jan  Sun 28 Feb  Wed 31 Mar  Fri 30 Apr
FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1, from Fri 29 Jan
  libical  Fri 29 Jan  Fri 26 Feb  Wed 31 Mar  Fri 30 Apr
FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1, from Fri 08 Jan
  libical  Fri 08 Jan  Mon 11 Jan  Tue 12 Jan  Wed 13 Jan
  dateutil Fri 08 Jan  Fri 15 Jan  Fri 22 Jan  Fri 29 Jan
FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,FR;WKST=MO, from Fri 08 Jan
  libical  Fri 08 Jan  Mon 18 Jan  Fri 22 Jan  Mon 01 Feb
FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,FR;WKST=SA, from Fri 08 Jan
  libical  Mon 11 Jan  Fri 15 Jan  Mon 25 Jan  Fri 29 Jan
  dateutil Fri 08 Jan  Mon 18 Jan  Fri 22 Jan  Mon 01 Feb
OUT
cat seen
diff expected seen >&2 || { echo "changed: what libical makes of these rules is no longer as recorded" >&2; exit 1; }
echo "as recorded: no error, and three rules with other days"
