"""starts.py: how many instructions the daemon itself takes to make a start ready, which no single command shows: a daemon runs
under callgrind, and of it is counted only that. Of very many entries of one instant this decides how late the last is called.

The entries do not fall due by the time of the machine, or a slow one would have others run beside them, and count another path. The
daemon's clock stands until it is set ahead by the period of the jobs, which is when the runs of the entries before are written down.
"""
import os
import signal
import time

import callgrind
import daemons
import probe

# Starts of one instant: few enough for one note in the log of starts.
JOBS = 200
HOURS = 3600
# The function that notes starts in a row and makes them ready, by its name in the program. Another one of that name, which makes one
# start ready, is called by it: a pattern of both would switch the counting off in the middle.
READY = "*TimelineDaemon*5ready33_*4from4into*"


def taken(bench, instants):
    """Instructions, and the starts they were taken for, of a daemon whose jobs have fallen due at so many instants."""
    text = '[daemon]\nlog-level = "error"\n' + "".join(
        probe.job(bench, f"j{number}", '{ periodic = { by = "24h" } }', 'delivery = "at-least-once"') for number in range(JOBS))
    told, offset = bench.work / "callgrind-of-starts", bench.work / f"offset-{os.getpid()}"
    words = callgrind.words(callgrind.prepared(bench, "timelined"), f"--log-file={told}", f"--toggle-collect={READY}")
    with probe.sheet(bench, JOBS * instants) as sheet:
        # Noon, so that no entry falls due by itself.
        noon = 12 * HOURS - int(time.time()) % (24 * HOURS)
        offset.write_text(f"{noon}s")
        with daemons.daemon(bench, text, "--clock-offset-file", offset, program=words, environment=callgrind.ENVIRONMENT) as daemon:
            for day in range(1, instants + 1):
                offset.write_text(f"{noon + day * 24 * HOURS}s")
                daemon.process.send_signal(signal.SIGUSR2)
                await_calls(sheet, JOBS * day)
                # Answered when all that has ended is written down.
                daemon.control("--timeout", "5m", "history", "-n", "1")
        calls = len(sheet.calls())
    offset.unlink()
    instructions = callgrind.collected(told.read_text())
    if not instructions:
        raise RuntimeError(f"no function of the daemon that was called is called {READY}")
    return instructions, calls


def await_calls(sheet, count):
    end = time.monotonic() + 300
    while len(calls := sheet.calls()) < count:
        if time.monotonic() > end:
            raise RuntimeError(f"{len(calls)} of {count} starts in five minutes")
        time.sleep(0.05)
