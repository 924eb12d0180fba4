"""Warm hosts: what it takes from the end of one run of a plugin that does nothing to the end of the next, and how many such runs there are in
a second.

The records of a run say when its host called the plugin and when that had returned. So from the end of a run to the end of one that had to
wait for it is the way from a host to the daemon, all that the daemon makes of that end, and the way to a host and the call. The first is asked
twice, each time beside a bare pair of processes in C that exchange as many bytes over the same kind of socket. Back to back, in one host: that
is what the goal speaks of, as the prototype did that it comes from. And after a rest of a tenth of a second, in which the daemon, both of two
hosts and the processors have gone to sleep: the first host wakes by itself, as it was handed its run a little before, and its end wakes
the daemon and the second host; most of that is what the machine takes to wake up, which the bare pair shows.
"""
import datetime
import functools
import itertools
import json
import shutil
import subprocess
import time

import daemons
import equipment
import probe

JOBS, ROWS, IN_A_ROW, WARMING, REST = 10, 4, 200, 5, 0.1


def measure(bench):
    plugin, seconds = equipment.plugin(bench, "nothing"), bench.choose(10, 4)
    goal = bench.goal("ours, half of the runs", 2, "a bare pair in C, half of the runs")
    return {"back to back": took(bench, "back to back", in_a_row, plugin, seconds, lambda: bare(bench, seconds * ROWS * IN_A_ROW), [goal]),
            "rested": took(bench, f"after {REST} s of rest", rested, plugin, seconds, lambda: bare(bench, int(seconds / REST), REST), []),
            "rate": rate(bench, plugin, seconds)}


def took(bench, how, runs, plugin, seconds, peer, goals):
    """The middle of what each contestant took, in microseconds, and the tail unless the form is short."""
    contestants = bench.own(lambda build: functools.partial(runs, bench, build, plugin, seconds)) | {"a bare pair in C": peer}
    times = bench.interleave(contestants, lambda _, once: once())
    shares = {"half of the runs": .5} | bench.choose({"99 of 100": .99}, {})
    values = {f"{who}, {what}": [probe.share(each, part) for each in rounds] for what, part in shares.items() for who, rounds in times.items()}
    return bench.report(f"hosts: fire to done through a warm host, {how}", "us", values, goals, reference="a bare pair in C, half of the runs")


def bare(bench, count, rest=0.0):
    words = [equipment.c(bench, "pingpong"), str(count)] + ([str(int(rest * 1e9))] if rest else [])
    return [took / 1000 for took in json.loads(bench.run(words))["nanoseconds"]]


def rested(bench, build, plugin, seconds):
    """Ten pairs of jobs that take turns each tenth of a second, the second of a pair in another host as soon as the first has ended."""
    other = bench.work / "nothing-2.so"
    shutil.copy(plugin, other)
    text = "".join(
        f"[group.g{number}]\nlimit = 1\n" + "".join(
            f'[job.{name}{number}]\nplugin = "{path}"\ngroups = ["g{number}"]\nschedule = {{ periodic = {{ from = 2026-01-01T00:00:00.{number}Z, by = "1s" }} }}\n'
            for name, path in (("a", plugin), ("b", other)))
        for number in range(JOBS))
    with daemons.daemon(bench, text, build=build) as daemon:
        time.sleep(seconds + 1)
        lines = "".join(daemon.control("history", f"{name}{number}", "-n", "100", "--json") for number in range(JOBS) for name in "ab")
    # The first run of each job starts a host or opens an instance.
    return gaps([json.loads(line) for line in lines.splitlines()])[2 * JOBS:]


def in_a_row(bench, build, plugin, seconds):
    """Jobs that are due together and share a group of one, so that each begins when the one before it has ended; such a row four times a second.
    The first of each row find everything cold, which is the rested form's question. A row lasts longer than the pause between two writes, even at the
    goal's pace, so that the transactions are in it."""
    text = "".join(
        f"[group.g{row}]\nlimit = 1\n" + "".join(
            f'[job.r{row}j{number}]\nplugin = "{plugin}"\ngroups = ["g{row}"]\n'
            f'schedule = {{ periodic = {{ from = 2026-01-01T00:00:00.{1000 * row // ROWS:03}Z, by = "1s" }} }}\n' for number in range(IN_A_ROW))
        for row in range(ROWS))
    with daemons.daemon(bench, text, build=build) as daemon:
        # In the first second of all hosts are started and instances opened.
        first = int(time.time()) + 3
        time.sleep(first + seconds + 0.8 - time.time())
        records = []
        for second in range(first, first + seconds):
            since, until = (datetime.datetime.fromtimestamp(moment, datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ") for moment in (second, second + 1))
            lines = daemon.control("history", "--since", since, "--until", until, "-n", "1000", "--json")
            records += [json.loads(line) for line in lines.splitlines()]
    if len(records) != seconds * ROWS * IN_A_ROW:
        raise bench.UnequalWork(f"{len(records)} of {seconds * ROWS * IN_A_ROW} entries have an end")
    return gaps(records, WARMING)


def gaps(records, skipped=0):
    """From end to end of the runs of each instant but for the first that are to be `skipped`, in microseconds."""
    instants = {}
    for record in records:
        if record.get("outcome") == "succeeded":
            instants.setdefault(record["entry"], []).append(nanoseconds(record["endedAt"]))
    return [(later - earlier) / 1000 for _, ends in sorted(instants.items())
            for earlier, later in itertools.pairwise(sorted(ends)[skipped:])]


def nanoseconds(instant):
    """An RFC 3339 instant in UTC with up to nine digits of a second."""
    whole, _, fraction = instant.rstrip("Z").partition(".")
    return int(datetime.datetime.fromisoformat(whole + "+00:00").timestamp()) * 1_000_000_000 + int(fraction.ljust(9, "0") or 0)


def rate(bench, plugin, seconds):
    """More jobs than can keep up, each of which runs again as soon as it may."""
    contestants = {"sh -c true": shells, **bench.own(lambda build: functools.partial(turn, bench, build, plugin, seconds))}
    rounds = bench.interleave(contestants, lambda _, once: once())
    return bench.report("hosts: runs through warm hosts", "a second", rounds, reference="ours")


def shells(count=200):
    begin = time.perf_counter()
    for _ in range(count):
        subprocess.run(["sh", "-c", "true"], check=True)
    return count / (time.perf_counter() - begin)


def turn(bench, build, plugin, seconds):
    with daemons.daemon(bench, jobs(plugin, 4 * JOBS, "1ms"), build=build) as daemon:
        time.sleep(1)
        begin, first = time.perf_counter(), daemon.succeeded()
        time.sleep(seconds)
        last, end = daemon.succeeded(), time.perf_counter()
    return (last - first) / (end - begin)


def jobs(plugin, count, interval):
    return "".join(f'[job.j{number}]\nplugin = "{plugin}"\nschedule = {{ animation = {{ minimum-interval = "{interval}" }} }}\n'
                   for number in range(count))
