"""`next(after:)` of the newer kinds of rules, civil, rrule, pick and move, beside a cron rule with the same entries and beside Python's dateutil; and
the slowest answer to rules that search long."""
import equipment

ZONE = "Europe/Berlin"
# From 2026-01-01 on: 20 years, in seconds since the epoch.
SPAN = ("1767225600", "2398377600")
SERIES = {
    "weekdays": ("09:00 from Monday to Friday", ["civil", "rrule", "pick"], "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR;BYHOUR=9;BYMINUTE=0;BYSECOND=0"),
    "month-end": ("18:00 on the last weekday of the month", ["rrule", "pick", "move"],
                  "FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1;BYHOUR=18;BYMINUTE=0;BYSECOND=0"),
}


def measure(bench):
    return {name: series(bench, name) for name in SERIES} | {"slowest": slowest(bench)}


def series(bench, name):
    words, kinds, rule = SERIES[name]
    contestants = {}
    for kind in ["cron", *kinds]:
        contestants |= bench.own(lambda build: build.verb("kind", kind, name, *SPAN), kind)
    contestants |= equipment.peers(bench, {
        "dateutil": lambda: [equipment.python(bench), bench.sources / "peers/python.py", "dateutil", "next", rule, ZONE, *SPAN]})
    rounds, count, total = bench.enumerate(contestants)
    goals = [goal for kind in kinds for goal in (
        bench.goal(f"ours, {kind}", 1 / 100, "dateutil"), bench.goal(f"ours, {kind}", 3, "ours, cron"))]
    return bench.report(f"kinds: {words} in {ZONE}, next(after:)", "ns an entry", rounds, goals, reference="ours, cron", count=count, sum=total)


def slowest(bench):
    contestants = {}
    for kind in ["cron", "civil", "rrule", "pick", "move"]:
        contestants |= bench.own(lambda build: build.verb("slowest", kind), kind)
    rounds = bench.interleave(contestants, lambda name, words: bench.result(words)["nanoseconds"] / 1_000)
    return bench.report("kinds: the slowest next(after:)", "us", rounds, [bench.goal(name, 1_000) for name in rounds if name.startswith("ours")])
