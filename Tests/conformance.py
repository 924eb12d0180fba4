#!/usr/bin/env python3
"""conformance.py TIMELINECTL: nine questions about daylight saving, put to timelined and to every peer that is installed.

`make conformance` installs the peers that PyPI has and prints the tables of DaylightSaving.md. What is right is found minute
by minute with Python's zoneinfo, and never with a scheduler's arithmetic.
"""
import importlib.metadata, json, os, shutil, signal, subprocess, sys
from datetime import datetime, timedelta, timezone
from zoneinfo import ZoneInfo

MINUTE = timedelta(minutes=1)
HALF_HOURS, HOURS, NOON, MIDNIGHT = ("*/30 * * * *", "*:00/30"), ("0 * * * *", "*:00"), "12:00", "00:00"
# Each zone with the day on which its clocks go forward and a time that it skips, the day on which they go back and a time that
# comes twice. Kathmandu's went forward alone; Apia's skipped the day before the one named.
ZONES = [
    ("Europe/Berlin", "2026-03-29", "02:30", "2026-10-25", "02:30"),
    ("America/New_York", "2026-03-08", "02:30", "2026-11-01", "01:30"),
    ("Europe/London", "2026-03-29", "01:30", "2026-10-25", "01:30"),
    ("Australia/Sydney", "2026-10-04", "02:30", "2026-04-05", "02:30"),
    ("Australia/Lord_Howe", "2026-10-04", "02:15", "2026-04-05", "01:45"),
    ("America/Santiago", "2026-09-06", "00:30", "2026-04-04", "23:30"),
    ("Africa/Cairo", "2026-04-24", "00:30", "2026-10-29", "23:30"),
    ("Africa/Casablanca", "2026-03-22", "02:30", "2026-02-15", "02:30"),
    ("Asia/Kathmandu", "1986-01-01", "00:10", None, None),
    ("Pacific/Apia", "2011-12-31", "02:30", "2012-04-01", "03:30"),
]


def questions(zone):
    """The nine: for each the days and rules that it asks about."""
    _, gap, skipped, fold, twice = zone
    days = [(HALF_HOURS, gap)], [(HALF_HOURS, fold)], [(HOURS, gap)], [(HOURS, fold)], [(skipped, gap)], \
        [(twice, fold)], [(NOON, gap)], [(NOON, fold)], [(MIDNIGHT, gap), (MIDNIGHT, fold)]
    return [[(rule, day) for rule, day in asked if day] for asked in days]

def languages(rule):
    """A rule for cron and for systemd, from a time of the day where it is one."""
    return rule if isinstance(rule, tuple) else (f"{int(rule[3:])} {int(rule[:2])} * * *", rule)


def minutes(zone, day):
    """Every minute of a day, as UTC and as clocks in the zone show it."""
    noon = datetime.fromisoformat(day).replace(hour=12, tzinfo=timezone.utc)
    all_minutes = ((noon + MINUTE * offset) for offset in range(-36 * 60, 36 * 60))
    shown = [(instant, instant.astimezone(zone).replace(tzinfo=None)) for instant in all_minutes]
    return [(instant, clock) for instant, clock in shown if str(clock.date()) == day]


def expected(rule, zone, day):
    """Rules with a wildcard follow real time; a time of the day runs once, at the end of the gap where clocks skip it."""
    of_day = minutes(zone, day)
    if isinstance(rule, tuple):
        return [instant for instant, clock in of_day if clock.minute % (30 if rule is HALF_HOURS else 60) == 0]
    before = datetime.fromisoformat(day) - timedelta(days=1)
    of_both = minutes(zone, str(before.date())) + of_day
    found = set()
    for date in (before, before + timedelta(days=1)):
        wanted = date.replace(hour=int(rule[:2]), minute=int(rule[3:]))
        shown = [instant for instant, clock in of_both if clock == wanted]
        found.add(shown[0] if shown else min(instant for instant, clock in of_both if clock > wanted))
    return sorted(instant for instant in found if of_day[0][0] <= instant <= of_day[-1][0])

def run(*command):
    environment = {**os.environ, "TZ": "UTC", "LC_ALL": "C", "SYSTEMD_PAGER": ""}
    return subprocess.check_output(command, env=environment, text=True, timeout=60).splitlines()


def timelined(rule, zone, start):
    lines = run(sys.argv[1], "next", rule, "--zone", zone.key, "-n", "60", "--json",
                "--from", f"{start - MINUTE / 60:%Y-%m-%dT%H:%M:%SZ}")
    return (datetime.fromisoformat(json.loads(line)["entry"].replace("Z", "+00:00")) for line in lines)


def systemd(rules, zone, start):
    lines = run("systemd-analyze", "calendar", "--iterations=60", f"{rules[1]} {zone.key}",
                f"--base-time={start - MINUTE / 60:%Y-%m-%d %H:%M:%S} UTC")
    words = (line.split() for line in lines if "Next elapse:" in line or "Iter" in line)
    return (datetime.strptime(" ".join(found[-3:]), "%Y-%m-%d %H:%M:%S %Z").replace(tzinfo=timezone.utc) for found in words)

def cronsim(rules, zone, start):
    from cronsim import CronSim
    return CronSim(rules[0], (start - MINUTE).astimezone(zone))

def croniter(rules, zone, start):
    from croniter import croniter
    return croniter(rules[0], (start - MINUTE / 60).astimezone(zone), ret_type=datetime)


def apscheduler(rules, zone, start):
    from apscheduler.triggers.cron import CronTrigger
    trigger, last, now = CronTrigger.from_crontab(rules[0], timezone=zone), None, start.astimezone(zone)
    while last := trigger.get_next_fire_time(last, now):
        yield last
        now = last


def entries(peer, rule, zone, day):
    """What a peer fires on a day, or None if it does not come to an end."""
    of_day = minutes(zone, day)
    found = []
    signal.alarm(10)
    try:
        for instant in peer(languages(rule), zone, of_day[0][0]):
            if instant.timestamp() > of_day[-1][0].timestamp() or len(found) == 60: break
            if instant.timestamp() >= of_day[0][0].timestamp(): found.append(instant.astimezone(timezone.utc))
    except TimeoutError:
        return None
    finally:
        signal.alarm(0)
    return found

def give_up(*_):
    raise TimeoutError


def peers():
    yield "timelined, `cron`", lambda rules, *rest: timelined(rules[0], *rest)
    yield "timelined, `calendar`", lambda rules, *rest: timelined(rules[1], *rest)
    if shutil.which("systemd-analyze"): yield "systemd " + run("systemd-analyze", "--version")[0].split()[1], systemd
    for name, peer in ("cronsim", cronsim), ("croniter", croniter), ("APScheduler", apscheduler):
        try: yield f"{name} {importlib.metadata.version(name)}", peer
        except importlib.metadata.PackageNotFoundError: print(f"{name} is not installed", file=sys.stderr)


def main():
    signal.signal(signal.SIGALRM, give_up)
    heads = "| | " + " | ".join(map(str, range(1, 10))) + " |\n|---|" + "---|" * 9
    berlin, right = [heads], [heads]
    for name, peer in peers():
        counts, marks = [], []
        for number in range(9):
            asked, wrong, found_in_berlin = set(), set(), []
            for zone in ZONES:
                for rule, day in questions(zone)[number]:
                    found = entries(peer, rule, ZoneInfo(zone[0]), day)
                    asked.add(zone[0])
                    if zone is ZONES[0]: found_in_berlin.append("endless" if found is None else str(len(found)))
                    if found == expected(rule, ZoneInfo(zone[0]), day): continue
                    wrong.add(zone[0])
                    if "--wrong" in sys.argv: print(name, zone[0], rule, day, *map(str, found or []), sep="  ", file=sys.stderr)
            marks.append(f"**{len(asked - wrong)}** of {len(asked)}" if wrong else str(len(asked)))
            counts.append(("**{}**" if ZONES[0][0] in wrong else "{}").format(" and ".join(found_in_berlin)))
        berlin.append(f"| {name} | " + " | ".join(counts) + " |")
        right.append(f"| {name} | " + " | ".join(marks) + " |")
    print("Entries on the day in Europe/Berlin; bold is wrong:", "", *berlin, sep="\n")
    print("", "Zones answered rightly:", "", *right, sep="\n")


main()
