"""python.py: a Python scheduler enumerating one rule: cronsim, croniter or apscheduler."""
import json
import sys
import time
from datetime import datetime, timezone
from zoneinfo import ZoneInfo

peer, rule, zone, first, last = sys.argv[1], sys.argv[2], ZoneInfo(sys.argv[3]), int(sys.argv[4]), int(sys.argv[5])
begin = datetime.fromtimestamp(first, timezone.utc).astimezone(zone)

if peer == "cronsim":
    from cronsim import CronSim
    instants = (at.timestamp() for at in CronSim(rule, begin))
elif peer == "croniter":
    from croniter import croniter
    walk = croniter(rule, begin)
    instants = iter(lambda: walk.get_next(float), None)
else:
    from apscheduler.triggers.cron import CronTrigger
    # Its weekdays begin with Monday, so numbers cannot be handed over as they are.
    trigger = CronTrigger.from_crontab(rule.replace("1-5", "mon-fri"), timezone=zone)

    def walk():
        at = trigger.get_next_fire_time(None, datetime.fromtimestamp(first + 1, zone))
        while at is not None:
            yield at.timestamp()
            at = trigger.get_next_fire_time(at, at)

    instants = walk()

start = time.perf_counter_ns()
count, total = 0, 0
for at in instants:
    if at > last:
        break
    count += 1
    total += int(at)
print(json.dumps({"count": count, "sum": total % 2**64, "nanoseconds": time.perf_counter_ns() - start}))
