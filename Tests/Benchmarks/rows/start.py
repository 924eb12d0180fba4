"""Start to READY, and a reload that changes one job, with 1,000, 10,000 and 100,000 jobs."""
import time
from pathlib import Path

import daemons

# Milliseconds to READY.
GOALS = {1_000: 60, 10_000: 600}


def measure(bench):
    kept = {}
    for count in bench.sizes(1_000, 10_000, 100_000):
        text = daemons.configuration(count, probe=False)

        def once(_, build):
            with daemons.daemon(bench, text, build=build) as daemon:
                file = Path(f"{daemon.directory}/t.toml")
                file.write_text(file.read_text().replace('message = "x"', 'message = "y"', 1))
                begin = time.perf_counter()
                daemon.control("reload")
                return {"ready": daemon.ready, "reload": 1000 * (time.perf_counter() - begin)}

        try:
            rounds = bench.interleave(bench.builds, once)
        except bench.Missing as reason:
            bench.leave_out(f"{count:,} jobs", str(reason))
            continue
        both = {f"{name}, {what}": values for what in ("ready", "reload") for name, values in bench.pick(rounds, what).items()}
        kept[str(count)] = bench.report(f"start with {count:,} jobs", "ms", both, [bench.goal("ours, ready", GOALS[count])] if count in GOALS else [])
    return kept
