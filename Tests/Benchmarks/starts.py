"""starts.py: how many instructions the daemon itself takes to make a start ready, which no single command shows: a daemon runs
under callgrind, and of it is counted only that. Of very many entries of one instant this decides how late the last is called.
"""
import time

import callgrind
import daemons
import probe

# Few enough that all of them are over before they fall due again, however slow an instrument is.
JOBS = 200
# Daemon.ready(_:_:) by its name in the program.
READY = "*TimelineDaemon*5ready33_*"


def taken(bench, instants):
    """Instructions, and the starts they were taken for, of a daemon whose jobs have fallen due at so many instants."""
    text = '[daemon]\nlog-level = "error"\n' + "".join(
        probe.job(bench, f"j{number}", '{ periodic = { by = "2s" } }') for number in range(JOBS))
    told = bench.work / "callgrind-of-starts"
    words = callgrind.words(callgrind.prepared(bench, "timelined"), f"--log-file={told}", f"--toggle-collect={READY}")
    with probe.sheet(bench, 2 * JOBS * instants) as sheet:
        with daemons.daemon(bench, text, program=words, environment=callgrind.ENVIRONMENT):
            end = time.monotonic() + 120
            while len(calls := sheet.calls()) < JOBS * instants:
                if time.monotonic() > end:
                    raise RuntimeError(f"{len(calls)} of {JOBS * instants} starts in two minutes")
                time.sleep(0.2)
        calls = len(sheet.calls())
    instructions = callgrind.collected(told.read_text())
    if not instructions:
        raise RuntimeError(f"no function of the daemon that was called is called {READY}")
    return instructions, calls
