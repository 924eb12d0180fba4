#!/usr/bin/env python3
"""load.py STAGE PROGRAM SCRATCH [SECONDS [NICE]]: a thousand hostile clients of the web page, beside a daemon that starts 20 runs a second.

First checks what an honest browser has of the server, as the short form in `web.py` does. Then stretches without and with the clients take turns: prints how
late runs start in both, as medians and 99th percentiles, and which part of a processor each has used. Clients on the same machine take processors that
those on another would not: NICE is their niceness.
"""

import json
import statistics
import sys
import time

from crowd import Clients, answer, check_crowd, processor_seconds, sign_in
from servers import Servers, finish

JOBS, STRETCH = 20, 5
TEXT = "".join(f"""
[job.j{number}]
schedule = {{ periodic = {{ from = 2026-01-01T00:00:00.{number * 1000 // JOBS:03}Z, by = "1s" }} }}
plugin = "log"
with = {{ message = "x" }}
""" for number in range(JOBS))


def late(servers, begin, end):
    """Lateness of the runs that were due in a stretch of time, in microseconds."""
    found = []
    for job in range(JOBS):
        for line in servers.ctl("history", f"j{job}", "--json", "-n", "1000", "--since", f"{stamp(begin)}", "--until", f"{stamp(end)}").stdout.splitlines():
            found.append(json.loads(line)["latenessNanoseconds"] / 1000)
    return found


def stamp(seconds):
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(seconds))


def percentile(values, part):
    return sorted(values)[min(len(values) - 1, int(len(values) * part))]


def tell_ratio(name, values, others):
    parts = (0.5, 0.9, 0.99)
    print(f"ratio {name}: " + ", ".join(f"p{part * 100:.0f} {percentile(values, part) / percentile(others, part):.2f}" for part in parts))


def main():
    stage, program, scratch = sys.argv[1:4]
    seconds = int(sys.argv[4]) if len(sys.argv) > 4 else 240
    niceness = int(sys.argv[5]) if len(sys.argv) > 5 else 0
    # As the unit has it.
    servers = Servers(stage, program, scratch, TEXT, web_niceness=10)
    try:
        check_crowd(servers, 30)
        cookie = sign_in(servers)
        alone, again, beside, answers, told = [], [], [], [], []
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            # Both without clients: how much two such stretches differ here says what a ratio is worth.
            alone += stretch(servers)
            again += stretch(servers)
            clients = Clients(servers, cookie, niceness=niceness)
            time.sleep(2)
            used = [processor_seconds(process) for process in (servers.web, servers.daemon, clients.process)]
            begin = time.monotonic()
            beside += stretch(servers)
            used = [processor_seconds(process) - former for process, former in zip((servers.web, servers.daemon, clients.process), used)]
            lasted = time.monotonic() - begin
            answers.append(answer(servers, cookie))
            told.append(clients.stop())
            print(f"  web {used[0] / lasted:.2f}, daemon {used[1] / lasted:.2f}, clients {used[2] / lasted:.2f} processors; honest answer {answers[-1]:.2f} s; {told[-1]}", flush=True)
            time.sleep(2)
        for name, values in (("alone", alone), ("alone, once more", again), ("with a thousand clients", beside)):
            print(f"start lateness {name}: p50 {statistics.median(values):.1f} us, p99 {percentile(values, 0.99):.1f} us, {len(values)} runs")
        tell_ratio("of two without clients", again, alone)
        tell_ratio("with a thousand clients to without", beside, alone + again)
    finally:
        servers.stop()
    finish()


def stretch(servers):
    """Lateness of the runs of some seconds."""
    begin = int(time.time()) + 1
    time.sleep(begin + STRETCH + 0.5 - time.time())
    return late(servers, begin, begin + STRETCH)


main()
