"""How late a job starts that is due each second, at 1, 1,000 and 10,000 jobs, beside a bare thread that sleeps to the same instants."""
import json
import os
import subprocess

import daemons
import equipment


def measure(bench):
    seconds = os.environ.get("SECONDS_", "15")
    return {str(count): late(bench, count, seconds) for count in (1, 1_000, 10_000)}


def late(bench, count, seconds):
    with daemons.daemon(bench, daemons.configuration(count)) as daemon:
        bare = subprocess.run([equipment.c(bench, "nanosleep"), seconds], stdout=subprocess.PIPE, text=True, check=True)
        lines = daemon.control("history", "probe", "-n", "100", "--json").splitlines()
        rounds = {
            "start of the job": [json.loads(line)["latenessNanoseconds"] / 1000 for line in lines if "latenessNanoseconds" in line],
            "a bare thread": [int(line) / 1000 for line in bare.stdout.split()],
        }
    return bench.report(f"daemon: late by, {count:,} jobs", "us", rounds, base="a bare thread")
