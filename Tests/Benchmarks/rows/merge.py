"""A thousand cron rules in Europe/Berlin, their entries of a week in order: ours, and the peers each with its language's heap."""
import equipment

RULES, ZONE = "1000", "Europe/Berlin"
WEEK = ("1767225600", "1767830400")  # from 2026-01-01T00:00:00Z on


def quartz(rule):
    """A rule of cron's as Quartz writes it: seconds first, `?` for the day that is not asked, Sunday as a name."""
    minute, hour, day, month, weekday = rule.split()
    days = {"*": "?", "0": "SUN", "1-5": "MON-FRI"}[weekday]
    return " ".join(["0", minute.replace("*/", "0/"), hour.replace("*/", "0/"), day if weekday == "*" else "?", month.replace("*/", "1/"), days])


def measure(bench):
    rules = bench.run(bench.ours.verb("rules", RULES))
    crontab, expressions = bench.work / "rules", bench.work / "rules.quartz"
    crontab.write_text(rules)
    expressions.write_text("".join(quartz(rule) + "\n" for rule in rules.splitlines()))
    peers = equipment.peers(bench, {"robfig": lambda: [equipment.go(bench, "robfig"), "merge", crontab, ZONE, *WEEK]}, {
        "Quartz": lambda: [*equipment.java(bench, "Quartz"), "merge", expressions, ZONE, *WEEK],
        **{name: lambda name=name: [equipment.python(bench), bench.sources / "peers/python.py", name, "merge", crontab, ZONE, *WEEK]
           for name in ("cronsim", "croniter")},
    })
    rounds, count, total = bench.enumerate({**bench.own(lambda build: build.verb("merge", RULES, *WEEK)), **peers})
    return bench.report("merge: a week of 1,000 rules in order", "ns an entry", rounds, [
        bench.goal("ours", 1 / 20, "robfig")], count=count, sum=total)
