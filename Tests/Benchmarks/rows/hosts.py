"""Warm hosts: from the decision to run a plugin that does nothing to its end in the daemon's books, and how many such runs there are in a second."""
import json
import subprocess
import time

import daemons
import equipment

SECONDS, JOBS = 10, 10


def measure(bench):
    plugin = equipment.plugin(bench, "nothing")
    return {"took": took(bench, plugin), "rate": rate(bench, plugin)}


def took(bench, plugin):
    """Ten jobs that take turns each tenth of a second, so that host and daemon have gone to sleep each time and every run has a record."""
    values = {"half of the runs": [], "99 of 100": []}
    text = "".join(
        f'[job.j{number}]\nplugin = "{plugin}"\nschedule = {{ periodic = {{ from = 2026-01-01T00:00:00.{number}Z, by = "1s" }} }}\n'
        for number in range(JOBS))
    for _ in range(bench.rounds):
        with daemons.daemon(bench, text) as daemon:
            time.sleep(SECONDS + 1)
            lines = "".join(daemon.control("history", f"j{number}", "-n", "100", "--json") for number in range(JOBS))
        # The first run of each job starts a host or opens an instance.
        records = sorted((json.loads(line) for line in lines.splitlines()), key=lambda record: record["entry"])[2 * JOBS:]
        durations = sorted(record["durationNanoseconds"] / 1000 for record in records if record["disposition"] == "succeeded")
        values["half of the runs"].append(durations[len(durations) // 2])
        values["99 of 100"].append(durations[len(durations) * 99 // 100])
    return bench.report("hosts: fire to done through a warm host", "us", values, [
        bench.goal("half of the runs", 30), bench.goal("99 of 100", 120)])


def rate(bench, plugin):
    """More jobs than can keep up, each of which runs again as soon as it may."""
    values = {"ours": [], "sh -c true": []}
    for _ in range(bench.rounds):
        begin = time.perf_counter()
        for _ in range(200):
            subprocess.run(["sh", "-c", "true"], check=True)
        values["sh -c true"].append(200 / (time.perf_counter() - begin))
        with daemons.daemon(bench, jobs(plugin, 4 * JOBS, "1ms")) as daemon:
            time.sleep(1)
            begin, first = time.perf_counter(), ended(daemon)
            time.sleep(SECONDS)
            last, end = ended(daemon), time.perf_counter()
        values["ours"].append((last - first) / (end - begin))
    return bench.report("hosts: runs through warm hosts", "a second", values, [bench.goal("ours", 20_000, least=True)])


def jobs(plugin, count, interval):
    return "".join(f'[job.j{number}]\nplugin = "{plugin}"\nschedule = {{ animation = {{ minimum-interval = "{interval}" }} }}\n'
                   for number in range(count))


def ended(daemon):
    return json.loads(daemon.control("status", "--json"))["dispositions"].get("succeeded", 0)
