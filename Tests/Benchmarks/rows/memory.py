"""Resident memory of a daemon that rests, with ledger and control socket open, at 1, 1,000 and 100,000 jobs, and of Debian's cron."""
import daemons


def measure(bench):
    kept = {}
    for count, limit in ((1, 12), (1_000, 14), (100_000, 40)):
        text = daemons.configuration(count, probe=False)

        def once(name, _):
            if name == "Debian cron":
                with daemons.debian_cron(bench, count) as process:
                    return daemons.resident(process)
            with daemons.daemon(bench, text) as daemon:
                return daemon.resident_at_rest()

        rounds = {}
        for name in ("ours", "Debian cron"):
            try:
                rounds.update(bench.interleave({name: None}, once, rounds=3))
            except bench.Missing as reason:
                bench.leave_out(f"{name} with {count:,} jobs", str(reason))
        if rounds:
            kept[str(count)] = bench.report(f"memory with {count:,} jobs", "MB", rounds, [bench.goal("ours", limit)])
    return kept
