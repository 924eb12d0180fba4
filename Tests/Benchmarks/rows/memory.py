"""Resident and anonymous memory of a daemon that rests, with ledger and control socket open, at 1, 1,000 and 100,000 jobs, and resident
memory of Debian's cron."""
import daemons


def measure(bench):
    kept = {}
    for count in (1, 1_000, 100_000):
        text = daemons.configuration(count, probe=False)

        def once(name, _):
            if name == "Debian cron":
                with daemons.debian_cron(bench, count) as process:
                    return daemons.resident(process), None
            with daemons.daemon(bench, text) as daemon:
                return daemon.resident_at_rest(), daemons.anonymous(daemon.process.pid)

        rounds = {}
        for name in ("ours", "Debian cron"):
            try:
                rounds.update(bench.interleave({name: None}, once, rounds=3))
            except bench.Missing as reason:
                bench.leave_out(f"{name} with {count:,} jobs", str(reason))
        if rounds:
            resident = {name: [values[0] for values in each] for name, each in rounds.items()}
            anonymous = {name: [values[1] for values in each] for name, each in rounds.items() if name == "ours"}
            goals = {1_000: (18, 8)}.get(count)
            kept[str(count)] = bench.report(
                f"memory with {count:,} jobs, resident", "MB", resident, [bench.goal("ours", goals[0])] if goals else [])
            if anonymous:
                kept[f"{count}, anonymous"] = bench.report(
                    f"memory with {count:,} jobs, anonymous", "MB", anonymous, [bench.goal("ours", goals[1])] if goals else [])
    return kept
