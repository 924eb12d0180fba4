"""Warm hosts: from the decision to run a plugin that does nothing to its end in the daemon's books, and how many such runs there are in a second.

The first is asked twice, each time beside a bare pair of processes in C that exchange as many bytes over the same kind of socket. Back to
back, one run begins when the last has ended: what the way to a host and back takes; that is what the goal speaks of, as the prototype did
that it comes from. After a rest of a tenth of a second both processes and the processors have gone to sleep, as they have when a job is
due now and then: most of that is what the machine takes to wake up twice, which the bare pair shows. The two do not do quite the same
then: our daemon hands a run to its host a little before the deadline, to which each of them sleeps by itself, so that only the way back
is in what ours takes. It counts from when the daemon has woken; a host that has woken sooner has begun sooner, so that on a busy
machine a run can look shorter than it was.
"""
import datetime
import json
import subprocess
import time

import daemons
import equipment
import probe

SECONDS, JOBS, IN_A_ROW, REST = 10, 10, 400, 0.1


def measure(bench):
    plugin = equipment.plugin(bench, "nothing")
    return {"back to back": took(bench, "back to back", lambda: in_a_row(bench, plugin), lambda: bare(bench, SECONDS * IN_A_ROW), [
                bench.goal("ours, half of the runs", 30), bench.goal("ours, 99 of 100", 120)]),
            "rested": took(bench, f"after {REST} s of rest", lambda: rested(bench, plugin), lambda: bare(bench, int(SECONDS / REST), REST), []),
            "rate": rate(bench, plugin)}


def took(bench, how, ours, peer, goals):
    """The middle and the tail of what each of the two took, in microseconds."""
    values = {f"{who}, {share}": [] for share in ("half of the runs", "99 of 100") for who in ("ours", "a bare pair in C")}
    for _ in range(bench.rounds):
        for who, times in (("ours", ours()), ("a bare pair in C", peer())):
            values[f"{who}, half of the runs"].append(probe.share(times, .5))
            values[f"{who}, 99 of 100"].append(probe.share(times, .99))
    return bench.report(f"hosts: fire to done through a warm host, {how}", "us", values, goals, base="a bare pair in C, half of the runs")


def bare(bench, count, rest=0.0):
    words = [equipment.c(bench, "pingpong"), str(count)] + ([str(int(rest * 1e9))] if rest else [])
    return [nanoseconds / 1000 for nanoseconds in json.loads(bench.run(words))["nanoseconds"]]


def rested(bench, plugin):
    """Ten jobs that take turns each tenth of a second."""
    text = "".join(
        f'[job.j{number}]\nplugin = "{plugin}"\nschedule = {{ periodic = {{ from = 2026-01-01T00:00:00.{number}Z, by = "1s" }} }}\n'
        for number in range(JOBS))
    with daemons.daemon(bench, text) as daemon:
        time.sleep(SECONDS + 1)
        lines = "".join(daemon.control("history", f"j{number}", "-n", "100", "--json") for number in range(JOBS))
    # The first run of each job starts a host or opens an instance.
    records = sorted((json.loads(line) for line in lines.splitlines()), key=lambda record: record["entry"])[2 * JOBS:]
    return durations(records)


def in_a_row(bench, plugin):
    """Jobs that are all due at each full second and share a group of one, so that each begins when the one before it has ended."""
    text = "[group.turns]\nlimit = 1\n" + "".join(
        f'[job.j{number}]\nplugin = "{plugin}"\ngroups = ["turns"]\nschedule = {{ periodic = {{ from = 2026-01-01T00:00:00Z, by = "1s" }} }}\n'
        for number in range(IN_A_ROW))
    with daemons.daemon(bench, text) as daemon:
        # In the first second of all hosts are started and instances opened.
        first = int(time.time()) + 3
        time.sleep(first + SECONDS + 0.8 - time.time())
        records = []
        for second in range(first, first + SECONDS):
            since, until = (datetime.datetime.fromtimestamp(moment, datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ") for moment in (second, second + 1))
            lines = daemon.control("history", "--since", since, "--until", until, "-n", "1000", "--json")
            records += [json.loads(line) for line in lines.splitlines()]
    if len(records) != SECONDS * IN_A_ROW:
        raise bench.UnequalWork(f"{len(records)} of {SECONDS * IN_A_ROW} entries have an end")
    return durations(records)


def durations(records):
    return [record["durationNanoseconds"] / 1000 for record in records if record.get("disposition") == "succeeded"]


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
