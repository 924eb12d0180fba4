"""10,000 and 100,000 jobs that fall due at one instant, in the daemon's own process, beside as many of robfig/cron: by how much
the one hundredth that comes last is late."""
import time
from datetime import datetime, timezone

import equipment
import probe


def measure(bench):
    return {str(count): burst(bench, count) for count in (10_000, 100_000)}


def own(bench, build, count):
    """The lateness of every call at the first instant, which opens the plugin for each job, and at one after it."""
    start = int(time.time()) + 15 + count // 5_000
    gap = 10 + count // 10_000
    begin = datetime.fromtimestamp(start, timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
    schedule = f'{{ periodic = {{ from = {begin}, by = "{gap}s" }} }}'
    text = '[daemon]\nlog-level = "warning"\n' + "".join(probe.job(bench, f"j{number}", schedule) for number in range(count))
    with probe.sheet(bench, 4 * count) as sheet:
        with probe.started(bench, text, build):
            time.sleep(max(0, start + gap + gap // 2 - time.time()))
        calls = sheet.calls()
    at = lambda instant: [late / 1e6 for nominal, late in calls if nominal == instant * 1_000_000_000]
    first, second = at(start), at(start + gap)
    if len(second) != count:
        raise RuntimeError(f"{len(second)} of {count} calls were made at the second instant")
    return first, second


def burst(bench, count):
    def once(name, contestant):
        """p99 of the calls, and of those at the first instant where all were made then."""
        if name == "robfig":
            return probe.share([int(line) / 1e6 for line in bench.run([contestant, "once", str(count)]).split()], .99), None
        first, second = own(bench, contestant, count)
        return probe.share(second, .99), probe.share(first, .99) if len(first) == count else None

    found = bench.interleave({**bench.builds, **equipment.peers(bench, {"robfig": lambda: equipment.go(bench, "late")})}, once, rounds=3)
    rounds = {name: [late for late, _ in each] for name, each in found.items()}
    rounds |= {f"{name}, the first time": firsts for name, each in found.items() if (firsts := [first for _, first in each if first is not None])}
    return bench.report(f"{count:,} entries at one instant, p99 late by", "ms", rounds, [bench.goal("ours", .2, "robfig")] if count == 10_000 else [])
