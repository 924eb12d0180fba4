"""One cron rule in a zone with daylight saving, enumerated over a year through the public API, walking and asking anew."""
import os
import re
import time
from datetime import datetime, timezone

import equipment

RULE, ZONE = "*/5 9-17 * * 1-5", "Europe/Berlin"
CALENDAR = "Mon..Fri *-*-* 09..17:00/5:00"
YEAR = ("1767225600", "1798761600")  # 2026, from its first second on, in UTC


def systemd(bench, entries):
    """systemd-analyze calendar as a process: it prints what it finds, and that is in its time. The zone is its own, since for
    a zone in the rule it forks for each entry."""
    path = equipment.tool("systemd-analyze", "systemd")
    base = datetime.fromtimestamp(int(YEAR[0]), timezone.utc).strftime("%Y-%m-%d %H:%M:%S UTC")
    words = [path, "calendar", f"--base-time={base}", f"--iterations={entries}", CALENDAR]

    def once():
        begin = time.perf_counter_ns()
        printed = bench.run(words, env=dict(os.environ, TZ=ZONE, LC_ALL="C"))
        elapsed = time.perf_counter_ns() - begin
        found = re.findall(r"\(in UTC\): \w+ (\S+ \S+) UTC", printed)
        instants = [int(datetime.fromisoformat(f"{text}+00:00").timestamp()) for text in found]
        return {"count": len(instants), "sum": sum(instants), "nanoseconds": elapsed}

    return once


def measure(bench):
    words = [RULE, ZONE, *YEAR]
    entries = bench.result(bench.ours.verb("next", *words))["count"]
    contestants = {
        **bench.own(lambda build: build.verb("next", *words), "next(after:)"),
        **bench.own(lambda build: build.verb("cursor", *words), "walking"),
    }
    peers = equipment.peers(bench, {"robfig": lambda: [equipment.go(bench, "robfig"), "next", *words]}, {
        "Quartz": lambda: [*equipment.java(bench, "Quartz"), "next", "0 0/5 9-17 ? * MON-FRI", ZONE, *YEAR],
        "systemd-analyze": lambda: systemd(bench, entries),
        **{name: lambda name=name: [equipment.python(bench), bench.sources / "peers/python.py", name, "next", *words]
           for name in ("cronsim", "croniter", "apscheduler")},
    })
    rounds, count, total = bench.enumerate({**contestants, **peers})
    return bench.report(
        f"rule: {RULE} in {ZONE}, 2026", "ns an entry", rounds,
        [bench.goal("ours, walking", 1 / 100, "robfig")],
        reference="ours, walking", count=count, sum=total)
