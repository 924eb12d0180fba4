"""The queue of deadlines: the first of SIZE is taken and set again a period later, with deadlines spread evenly and at whole minutes."""
import equipment

OPERATIONS = "1000000"
# The most that is allowed of Rust's BinaryHeap, but for a million deadlines, which no configuration has.
GOAL = 1.5


def contestants(bench, size, spread):
    words = [str(size), OPERATIONS, spread]
    return {**bench.own(lambda build: build.verb("queue", *words)), **equipment.peers(bench, {
        "Rust BinaryHeap": lambda: [equipment.rust(bench, "queue", "queue-rust"), *words]}, {
        "Rust, first in place": lambda: [equipment.rust(bench, "queue", "queue-rust"), *words, "peek"],
        "C++ priority_queue": lambda: [equipment.cpp(bench, "queue", "queue-cpp"), *words],
        "Go container/heap": lambda: [equipment.go(bench, "queue", "queue-go"), *words]})}


def measure(bench):
    kept = {}
    for spread in ("even", "minutes"):
        for size in bench.sizes(1_000, 100_000, 1_000_000):
            rounds, count, total = bench.enumerate(contestants(bench, size, spread))
            kept[f"{spread} {size}"] = bench.report(f"queue of {size:,}, {spread}: first taken and set again", "ns", rounds,
                [bench.goal("ours", GOAL, "Rust BinaryHeap")] if size < 1_000_000 else [], count=count, sum=total)
    if not bench.short:
        kept["robfig"] = measure_sorting(bench)
    return kept


def measure_sorting(bench):
    """robfig/cron sorts all its entries at each turn: fewer turns, so that it comes to an end."""
    words = ["1000", "20000", "even"]
    rounds, count, total = bench.enumerate({**bench.own(lambda build: build.verb("queue", *words)), **equipment.peers(bench, {
        "robfig, sorts all": lambda: [equipment.go(bench, "queue", "queue-go"), *words, "sort"]})})
    return bench.report("queue of 1,000, even, as robfig turns it", "ns", rounds, count=count, sum=total)
