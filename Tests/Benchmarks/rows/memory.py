"""Resident and anonymous memory of a daemon that rests, with ledger and control socket open, at 1, 1,000 and 100,000 jobs, and resident
memory of Debian's cron."""
import daemons

# Megabytes.
GOALS = {(1_000, "resident"): 18, (1_000, "anonymous"): 8}


def measure(bench):
    kept = {}
    for count in bench.sizes(1, 1_000, 100_000):
        text = daemons.configuration(count, probe=False)

        def once(name, build):
            if name == "Debian cron":
                with daemons.debian_cron(bench, count) as process:
                    return {"resident": daemons.resident(process), "anonymous": None}
            with daemons.daemon(bench, text, build=build) as daemon:
                return {"resident": daemon.resident_at_rest(), "anonymous": daemons.anonymous(daemon.process.pid)}

        try:
            rounds = bench.interleave({**bench.builds, "Debian cron": None}, once, rounds=bench.choose(3, 1))
        except bench.Missing as reason:
            bench.leave_out(f"{count:,} jobs", str(reason))
            continue
        for what, found in (("resident", rounds), ("anonymous", {name: rounds[name] for name in rounds if name in bench.builds})):
            goals = [bench.goal("ours", GOALS[count, what])] if (count, what) in GOALS else []
            kept[f"{count}, {what}"] = bench.report(f"memory with {count:,} jobs, {what}", "MB", bench.pick(found, what), goals)
    return kept
