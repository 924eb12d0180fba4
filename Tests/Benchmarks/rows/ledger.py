"""Entries a second that the ledger files with their runs, in group commits as the daemon makes them, and what the disk alone would do.

An entry is claimed, intended, started and ended; each batch waits for the disk once, before its runs begin.
"""
import equipment

ENTRIES = 30_000


def measure(bench):
    return {str(batch): batches(bench, batch) for batch in bench.sizes(100, 1_000)}


def batches(bench, batch):
    own = bench.own(lambda build: build.verb("ledger", ENTRIES, batch))
    # Where the verb makes its ledger the bare log is made too.
    peers = equipment.peers(bench, {
        "a bare log, same waits": lambda: [equipment.c(bench, "commits"), "/tmp", str(ENTRIES), str(batch)]})

    def once(_, words):
        result = bench.result(words)
        return {"rate": 1e9 * result["count"] / result["nanoseconds"], "processor": result.get("cpuNanoseconds", 0) / result["count"]}

    rounds = bench.interleave({**own, **peers}, once)
    processor = {name: values for name, values in bench.pick(rounds, "processor").items() if name in own}
    goals = [bench.goal("ours", 30_000, least=True)] if batch == 1_000 else []
    return {
        "rate": bench.report(f"ledger: {batch:,} at a time, with their runs", "entries a second", bench.pick(rounds, "rate"), goals),
        "processor": bench.report(f"ledger: {batch:,} at a time, processor", "ns an entry", processor),
    }
