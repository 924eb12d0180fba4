"""The engine alone, without a daemon: what it holds for a job at rest, and what an entry takes from its wake-up to its outcome."""


def measure(bench):
    return {"rest": {str(jobs): rest(bench, jobs) for jobs in (100_000, 1_000_000)}, "entries": entries(bench)}


def rest(bench, jobs):
    rounds = bench.interleave(bench.own(lambda build: build.verb("rest", jobs)), lambda _, words: bench.result(words))
    held = {}
    for what, key in (("before its first wake-up", "bytesPerJob"), ("after it", "bytesPerJobOnceWoken")):
        held |= {f"{name}, {what}": values for name, values in bench.pick(rounds, key).items()}
    return bench.report(f"engine: what it holds for one of {jobs:,} jobs at rest", "bytes", held)


def entries(bench):
    contestants = {}
    for jobs in (1, 1_000, 100_000):
        for how in ("spread", "together"):
            contestants |= bench.own(lambda build: build.verb("engine", jobs, 500_000, how), f"{jobs:,} jobs, {how}")

    def once(_, words):
        result = bench.result(words)
        return result["nanoseconds"] / max(1, result["count"])

    return bench.report("engine: an entry from its wake-up to its outcome", "ns an entry", bench.interleave(contestants, once))
