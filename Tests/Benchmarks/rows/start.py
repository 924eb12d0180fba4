"""Start to READY, and a reload that changes one job, with 1,000, 10,000 and 100,000 jobs."""
import time
from pathlib import Path

import daemons


def measure(bench):
    kept = {}
    for count, limit in ((1_000, 60), (10_000, 600), (100_000, None)):
        text = daemons.configuration(count, probe=False)

        def once(_, __):
            with daemons.daemon(bench, text) as daemon:
                file = Path(f"{daemon.directory}/t.toml")
                file.write_text(file.read_text().replace('message = "x"', 'message = "y"', 1))
                begin = time.perf_counter()
                daemon.control("reload")
                return {"ready": daemon.ready, "reload": 1000 * (time.perf_counter() - begin)}

        try:
            rounds = bench.interleave({"daemon": None}, once)
        except bench.Missing as reason:
            bench.leave_out(f"{count:,} jobs", str(reason))
            continue
        both = {name: bench.pick(rounds, name)["daemon"] for name in ("ready", "reload")}
        kept[str(count)] = bench.report(f"start with {count:,} jobs", "ms", both, [bench.goal("ready", limit)] if limit else [])
    return kept
