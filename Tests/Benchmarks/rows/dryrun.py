"""The week of the merged thousand rules through the whole engine, policies applied, as a process, beside robfig's bare merge as one.

The dry run begins a second later than the merge, which leaves its first instant out, so that both have the same entries.
"""
import json
import tempfile
from datetime import datetime, timezone

import daemons
import equipment

FIRST, LAST = 1_767_225_600, 1_767_830_400  # the week from 2026-01-01T00:00:00Z on
ZONE = "Europe/Berlin"


def measure(bench):
    bench.need_verb("rules")
    rules = bench.run([bench.program, "rules", "1000"])
    crontab = bench.work / "rules"
    crontab.write_text(rules)
    jobs = "".join(daemons.job(f"j{number}", f'{{ cron = "{rule}" }}') for number, rule in enumerate(rules.splitlines()))
    with tempfile.TemporaryDirectory(dir=bench.work) as directory:
        path = daemons.write(directory, f'[daemon]\ntime-zone = "{ZONE}"\n{jobs}')
        words = [bench.stage / "timelinectl", "dry-run", "-c", path, "--speed", "max",
                 "--from", text(FIRST + 1), "--until", text(LAST + 1)]
        contestants = {"ours": [*words, "--summary"], "ours, table written": words, "ours, --json written": [*words, "--json"],
                       **equipment.peers(bench, {
            "robfig, bare merge": lambda: [equipment.go(bench, "robfig"), "merge", crontab, ZONE, str(FIRST), str(LAST)]})}
        count, total = prove(bench, contestants, f"{directory}/rows")

        def once(_, words):
            with open(f"{directory}/rows", "wb") as rows:
                return bench.process(words, rows)[0] / count

        def once_for_memory(_, words):
            with open(f"{directory}/rows", "wb") as rows:
                return equipment.peak_memory(bench, words, rows)

        rounds = bench.interleave(contestants, once)
        resident = bench.interleave(contestants, once_for_memory, rounds=1)
    return {
        "time": bench.report("dry run: a week of 1,000 rules, whole process", "ns an entry", rounds, [
            bench.goal("ours", 300), bench.goal("ours, --json written", 800), bench.goal("ours", 1, "robfig, bare merge")],
            count=count, sum=total),
        "resident": bench.report("dry run: its memory at most", "MB", resident),
    }


def prove(bench, contestants, path):
    """Count and sum of the instants that the dry run's rows tell, which must be robfig's."""
    with open(path, "wb") as rows:
        bench.process(contestants["ours, --json written"], rows)
    seen, count, total = {}, 0, 0
    for line in open(path, encoding="utf-8"):
        instant = json.loads(line)["entry"]
        if instant not in seen:
            seen[instant] = int(datetime.fromisoformat(instant.replace("Z", "+00:00")).timestamp())
        count, total = count + 1, total + seen[instant]
    if "robfig, bare merge" in contestants:
        peer = json.loads(bench.run(contestants["robfig, bare merge"]))
        if (peer["count"], peer["sum"]) != (count, total):
            raise bench.UnequalWork(f"ours {count} entries, sum {total}; robfig {peer['count']}, sum {peer['sum']}")
    return count, total


def text(instant):
    return datetime.fromtimestamp(instant, timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
