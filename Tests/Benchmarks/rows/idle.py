"""Wake-ups a minute of a daemon whose 1,000 jobs are not due, its hosts included, and of Debian's cron in the same minute."""
import contextlib
import time

import daemons

JOBS, MINUTE = 1_000, 60
# What a start leaves to be done in the quiet after it is done within this many seconds.
SETTLE = 45


def measure(bench):
    with contextlib.ExitStack() as stack:
        text = daemons.configuration(JOBS, probe=False)
        processes = bench.own(lambda build: stack.enter_context(daemons.daemon(bench, text, build=build)).process.pid)
        try:
            processes["Debian cron"] = stack.enter_context(daemons.debian_cron(bench, JOBS))
        except bench.Missing as reason:
            bench.leave_out("Debian cron", str(reason))
        time.sleep(SETTLE)
        before = {name: daemons.switches(process) for name, process in processes.items()}
        time.sleep(MINUTE)
        rounds = {name: [daemons.switches(process) - before[name]] for name, process in processes.items()}
    return bench.report(f"idle with {JOBS:,} jobs, without a watchdog", "wake-ups a minute", rounds, [bench.goal("ours", 0)])
