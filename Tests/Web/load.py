#!/usr/bin/env python3
"""load.py STAGE PROGRAM SCRATCH [SECONDS [NICE]]: a thousand hostile clients of the web page, beside daemons that start 100 runs a second.

First checks what an honest browser has of the server, as the short form in `web.py` does. Then measures how late runs start. Clients on the same machine
take processors that those on another would not (NICE is their niceness). So that this is not taken for the work of the daemon whose page they ask, there are
two daemons with a page each. The clients ask for the page of one and of the other in turn, and what is compared is how late the runs of both start in the same
seconds: those of the daemon whose page is asked for, and those of the other. Stretches without clients come between, and say how much two daemons
differ by themselves. Some runs in ten wait for an idle processor to wake, a hundred times as long as the others: a percentile that lies between both
kinds says little, the mean has all of them.
"""

import json
import statistics
import sys
import time
from pathlib import Path

from crowd import Clients, answer, check_crowd, processor_seconds, sign_in
from servers import Servers, finish

JOBS, STRETCH = 100, 8
PARTS = (0.5, 0.9, 0.99)


def configuration(offset):
    """Jobs that start every second, all in turn, some microseconds after the start of the second."""
    return "".join(f"""
[job.j{number}]
schedule = {{ periodic = {{ from = 2026-01-01T00:00:00.{number * 1_000_000 // JOBS + offset:06}Z, by = "1s" }} }}
plugin = "log"
with = {{ message = "x" }}
""" for number in range(JOBS))


def lateness(servers, begin, end):
    """Microseconds between the instants at which runs were due in a stretch of time and their starts."""
    lines = servers.ctl("history", "--json", "-n", "1000", "--since", stamp(begin), "--until", stamp(end)).stdout.splitlines()
    assert len(lines) == JOBS * (end - begin), f"{len(lines)} runs in {end - begin} s"
    return [json.loads(line)["latenessNanoseconds"] / 1000 for line in lines]


def stamp(seconds):
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(seconds))


def stretch(one, other):
    """Lateness of the runs of both daemons in the same seconds."""
    begin = int(time.time()) + 1
    time.sleep(begin + STRETCH + 0.5 - time.time())
    return lateness(one, begin, begin + STRETCH), lateness(other, begin, begin + STRETCH)


def percentile(values, part):
    return sorted(values)[min(len(values) - 1, int(len(values) * part))]


def figures(values):
    """What is told of some values, by name."""
    return {"mean": statistics.mean(values)} | {f"p{part * 100:.0f}": percentile(values, part) for part in PARTS}


def tell(name, values):
    print(f"start lateness {name}: " + ", ".join(f"{figure} {value:.1f} us" for figure, value in figures(values).items()) + f", {len(values)} runs")


def ratios(name, values, others):
    pairs = zip(figures(values).items(), figures(others).values())
    print(f"ratio {name}: " + ", ".join(f"{figure} {value / other:.2f}" for (figure, value), other in pairs))


def with_clients(asked, other, niceness):
    """Lateness of the runs of the daemon whose page a thousand clients ask for, and of the other; tells what the machine did meanwhile."""
    cookie = sign_in(asked)
    clients = Clients(asked, cookie, niceness=niceness)
    time.sleep(2)
    processes = (asked.web, asked.daemon, other.daemon, clients.process)
    used, begin = [processor_seconds(process) for process in processes], time.monotonic()
    found = stretch(asked, other)
    lasted = time.monotonic() - begin
    used = [(processor_seconds(process) - former) / lasted for process, former in zip(processes, used)]
    waited = answer(asked, cookie)
    told = clients.stop()
    print("  processors: web {:.2f}, its daemon {:.2f}, the other daemon {:.2f}, clients {:.2f}".format(*used) + f"; honest answer {waited:.2f} s; {told}", flush=True)
    time.sleep(2)
    return found


def main():
    stage, program, scratch = sys.argv[1], sys.argv[2], Path(sys.argv[3])
    seconds = int(sys.argv[4]) if len(sys.argv) > 4 else 240
    niceness = int(sys.argv[5]) if len(sys.argv) > 5 else 0
    both = []
    try:
        for name, offset in (("one", 0), ("other", 1_000_000 // JOBS // 2)):
            (scratch / name).mkdir()
            # As the unit has it.
            both.append(Servers(stage, program, scratch / name, configuration(offset), web_niceness=10))
        one, other = both
        check_crowd(one, 30)
        alone, alone_other, asked, unasked = [], [], [], []
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            for values, found in zip((alone, alone_other), stretch(one, other)):
                values += found
            for values, found in zip((asked, unasked), with_clients(one, other, niceness)):
                values += found
            one, other = other, one
        tell("without clients", alone)
        tell("without clients, other daemon", alone_other)
        tell("of the daemon whose page a thousand clients ask for", asked)
        tell("of the other daemon meanwhile", unasked)
        ratios("of both daemons without clients", alone, alone_other)
        ratios("with clients to without, on this machine", asked, alone + alone_other)
        ratios("of the daemon whose page is asked for to the other", asked, unasked)
    finally:
        for servers in both:
            servers.stop()
    finish()


main()
