"""python.py: a Python scheduler, cronsim, croniter, apscheduler or dateutil, on one rule or on many that are merged with a heap.

`python.py PEER next RULE ZONE FIRST LAST`, `python.py PEER merge FILE ZONE FIRST LAST`; seconds since the epoch, FIRST left out.
"""
import heapq
import json
import sys
import time
from datetime import datetime, timezone
from pathlib import Path
from zoneinfo import ZoneInfo


def cronsim(rule, begin):
    from cronsim import CronSim
    for at in CronSim(rule, begin):
        yield at.timestamp()


def croniter(rule, begin):
    from croniter import croniter
    walk = croniter(rule, begin)
    while True:
        yield walk.get_next(float)


def apscheduler(rule, begin):
    from apscheduler.triggers.cron import CronTrigger
    # Its weekdays begin with Monday, so numbers cannot be handed over as they are.
    trigger = CronTrigger.from_crontab(rule.replace("1-5", "mon-fri"), timezone=begin.tzinfo)
    at = trigger.get_next_fire_time(None, datetime.fromtimestamp(begin.timestamp() + 1, begin.tzinfo))
    while at is not None:
        yield at.timestamp()
        at = trigger.get_next_fire_time(at, at)


def dateutil(rule, begin):
    from dateutil.rrule import rrulestr
    for at in rrulestr(rule, dtstart=begin):
        yield at.timestamp()


walk, verb, subject, zone = globals()[sys.argv[1]], sys.argv[2], sys.argv[3], ZoneInfo(sys.argv[4])
begin, last = datetime.fromtimestamp(int(sys.argv[5]), timezone.utc).astimezone(zone), int(sys.argv[6])
rules = [subject] if verb == "next" else Path(subject).read_text().splitlines()

start = time.perf_counter_ns()
walks = [walk(rule, begin) for rule in rules]
instants = walks[0] if verb == "next" else heapq.merge(*walks)
count, total = 0, 0
for at in instants:
    if at > last:
        break
    count += 1
    total += int(at)
print(json.dumps({"count": count, "sum": total % 2**64, "nanoseconds": time.perf_counter_ns() - start}))
