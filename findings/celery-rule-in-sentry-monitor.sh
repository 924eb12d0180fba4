#!/bin/bash
# Celery's beat and the monitor that sentry-sdk registers for it, on "the first Monday at 09:00".
# Guess: the monitor that the SDK creates from a beat schedule expects the runs that beat makes.
# What happens: Celery 5.7.0 requires the day of the month AND the weekday. sentry-sdk 2.75.0 copies the five fields
#   into a cron line, where cron's rule is OR: 10 or 11 check-ins a month are expected, and one arrives.
#   A field given as a list (documented by Celery) is sent as Python's text: "[0, 30] 9 2 * *".
#   Hours "20-4/3" are 20, 23, 2 in Celery; croniter 7.0.0 reads the same text as 20, 23, 3.
# Why it matters to a scheduler: an import of crontab(...) from Celery, or a monitor generated from a rule, has to
#   translate the meaning and not the text. Each alert for a missed run is false here.
set -eu
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
nice -n 10 python3 -m venv "$dir/venv"
nice -n 10 "$dir/venv/bin/pip" install --quiet --no-compile --disable-pip-version-check \
    celery==5.7.0 sentry-sdk==2.75.0 croniter==7.0.0
"$dir/venv/bin/pip" list --disable-pip-version-check 2>/dev/null | grep -E '^(celery|sentry-sdk|croniter) '
cat > "$dir/run.py" <<'PY'
from datetime import datetime, timezone
import sentry_sdk
from celery import Celery
from celery.beat import Scheduler
from celery.schedules import crontab
from croniter import croniter
from sentry_sdk.integrations.celery import CeleryIntegration
from sentry_sdk.transport import Transport
sent = []
class Keep(Transport):  # keeps the check-ins instead of sending them
    def capture_envelope(self, envelope):
        sent.extend(i.payload.json["monitor_config"]["schedule"]["value"] for i in envelope.items if i.type == "check_in")
sentry_sdk.init(dsn="http://key@localhost/1", transport=Keep(), default_integrations=False,
                auto_enabling_integrations=False, integrations=[CeleryIntegration(monitor_beat_tasks=True)])
app = Celery("t", broker="memory://", timezone="UTC")
start, stop = datetime(2026, 2, 28, tzinfo=timezone.utc), datetime(2026, 4, 1, tzinfo=timezone.utc)
def beat_runs(rule, now=start):  # as beat does it: the next run after the last one
    while True:
        rule.nowfun = lambda: now
        last, wait, _ = rule.remaining_delta(now)
        yield (now := last + wait)
def march(times):
    found = [t for t in (next(times) for _ in range(40)) if start < t < stop]
    return f"{len(found)} in March: " + " ".join(t.strftime("%d/%H:%M") for t in found[:8])
for fields in dict(hour=9, minute=0, day_of_month="1-7", day_of_week="mon"), \
              dict(hour=9, minute=[0, 30], day_of_month=2), dict(hour="20-4/3", minute=0, day_of_month=2):
    rule = crontab(app=app, **fields)
    app.conf.beat_schedule = {"m": {"task": "job", "schedule": rule}}
    beat = Scheduler(app)
    beat.apply_entry(beat.schedule["m"])
    print("celery ", march(beat_runs(rule)), "| sent to the monitor:", line := sent.pop())
    print("monitor", march(croniter(line, start, ret_type=datetime)) if croniter.is_valid(line) else "not a cron line")
PY
nice -n 10 "$dir/venv/bin/python" -W ignore "$dir/run.py" | tee "$dir/seen"
cat > "$dir/expected" <<'OUT'
celery  1 in March: 02/09:00 | sent to the monitor: 0 9 1-7 * mon
monitor 11 in March: 01/09:00 02/09:00 03/09:00 04/09:00 05/09:00 06/09:00 07/09:00 09/09:00
celery  2 in March: 02/09:00 02/09:30 | sent to the monitor: [0, 30] 9 2 * *
monitor not a cron line
celery  3 in March: 02/02:00 02/20:00 02/23:00 | sent to the monitor: 0 20-4/3 2 * *
monitor 3 in March: 02/03:00 02/20:00 02/23:00
OUT
diff "$dir/expected" "$dir/seen" >&2 || { echo "changed: the monitor of a Celery rule is no longer as recorded" >&2; exit 1; }
echo "as recorded: the monitor expects other runs than beat makes"
