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
JSON, ROBFIG = "--json written", "robfig, bare merge"


def measure(bench):
    rules = bench.run(bench.ours.verb("rules", "1000"))
    crontab = bench.work / "rules"
    crontab.write_text(rules)
    peers = equipment.peers(bench, {
        ROBFIG: lambda: [equipment.go(bench, "robfig"), "merge", crontab, ZONE, str(FIRST), str(LAST)]})
    jobs = "".join(daemons.job(f"j{number}", f'{{ cron = "{rule}" }}') for number, rule in enumerate(rules.splitlines()))
    with tempfile.TemporaryDirectory(dir=bench.work) as directory:
        path = daemons.write(directory, f'[daemon]\ntime-zone = "{ZONE}"\n{jobs}')
        contestants = {
            **bench.own(lambda build: dry_run(build, path, "--summary")),
            **bench.own(lambda build: dry_run(build, path), "table written"),
            **bench.own(lambda build: dry_run(build, path, "--json"), JSON),
            **peers,
        }
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
            bench.goal("ours", 300), bench.goal("ours, --json written", 800), bench.goal("ours", 1, ROBFIG)],
            count=count, sum=total),
        "resident": bench.report("dry run: its memory at most", "MB", resident),
    }


def dry_run(build, path, *options):
    return build.timelinectl("dry-run", "-c", path, "--speed", "max", "--from", text(FIRST + 1), "--until", text(LAST + 1), *options)


def prove(bench, contestants, path):
    """Count and sum of the instants in the rows of each build's dry run and in robfig's merge, which must be the same."""
    def counted(name, words):
        if name == ROBFIG:
            merge = bench.result(words)
            return merge["count"], merge["sum"]
        with open(path, "wb") as rows:
            bench.process(words, rows)
        return instants(path)

    found = bench.interleave({name: words for name, words in contestants.items() if name.endswith(JSON) or name == ROBFIG}, counted, rounds=1)
    return bench.agreed((name, counts) for name, (counts,) in found.items())


def instants(path):
    """Count and sum of the instants of the rows in a file."""
    seen, count, total = {}, 0, 0
    for line in open(path, encoding="utf-8"):
        instant = json.loads(line)["entry"]
        if instant not in seen:
            seen[instant] = int(datetime.fromisoformat(instant.replace("Z", "+00:00")).timestamp())
        count, total = count + 1, total + seen[instant]
    return count, total


def text(instant):
    return datetime.fromtimestamp(instant, timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
