"""The engine alone, without a daemon: what it holds for a job at rest, and what an entry takes from its wake-up to its outcome."""


def measure(bench):
    bench.need_verb("rest")
    rest = {}
    for jobs in (100_000, 1_000_000):
        told = [bench.verb("rest", jobs) for _ in range(bench.rounds)]
        rest[str(jobs)] = bench.report(f"engine: what it holds for one of {jobs:,} jobs at rest", "bytes", {
            "before its first wake-up": [each["bytesPerJob"] for each in told],
            "after it": [each["bytesPerJobOnceWoken"] for each in told],
        })
    return {"rest": rest, "entries": entries(bench)}


def entries(bench):
    contestants = {f"{jobs:,} jobs, {how}": ["engine", jobs, 500_000, how] for jobs in (1, 1_000, 100_000) for how in ("spread", "together")}

    def once(_, words):
        result = bench.verb(*words)
        return result["nanoseconds"] / max(1, result["count"])

    return bench.report("engine: an entry from its wake-up to its outcome", "ns an entry", bench.interleave(contestants, once))
