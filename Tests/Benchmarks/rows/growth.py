"""Growth: cost against the number of jobs, from 1 to 1,000,000, and against years of dry run, as a table and as a drawing."""
import contextlib
import json
import statistics
import tempfile

import chart
import daemons
import equipment

SIZES = (1, 10, 100, 1_000, 10_000, 100_000, 1_000_000)
YEARS = (1, 2, 4, 7, 10)
FIRST, WEEK = 1_767_225_600, 604_800


def measure(bench):
    rounds = min(3, bench.rounds)
    jobs = {
        "queue": {size: queue(bench, size, rounds) for size in SIZES},
        "merge": {size: merge(bench, size, rounds) for size in SIZES},
        "engine": {size: engine(bench, size, rounds) for size in SIZES},
        "daemon": {},
    }
    for size in SIZES:
        try:
            jobs["daemon"][size] = daemon(bench, size, rounds)
        except bench.Missing as reason:
            bench.leave_out(f"a daemon with {size:,} jobs", str(reason)[-160:])
            break
    years = {count: dry_run(bench, count, rounds) for count in YEARS}
    print_jobs(jobs)
    print("\n  years of dry run   seconds   ns an entry   MB     of 20 jobs")
    for count, (seconds, entries, resident) in years.items():
        print(f"  {count:16} {seconds:9.2f} {1e9 * seconds / entries:13.0f} {resident:4.0f}")
    path = bench.work / "growth.svg"
    chart.draw(path, panels(jobs, years))
    print(f"  drawn in {path.relative_to(bench.root)}")
    return {"jobs": jobs, "years": years}


def median(once, rounds):
    return statistics.median(once() for _ in range(rounds))


def per_entry(bench, words):
    result = json.loads(bench.run(words))
    return result["nanoseconds"] / max(1, result["count"])


def queue(bench, size, rounds):
    """Of ours and of Rust's heap, interleaved: ns for the first to be taken and set again."""
    words = ["queue", str(size), "500000"]
    found = {}
    with contextlib.suppress(bench.Missing):
        bench.need_verb("queue")
        contestants = {"ours": [bench.program, *words]}
        with contextlib.suppress(bench.Missing):
            contestants["Rust BinaryHeap"] = [equipment.rust(bench, "queue", "queue-rust"), *words[1:], "even"]
        measured, _, _ = bench.enumerate(contestants, rounds)
        found = {name: statistics.median(values) for name, values in measured.items()}
    return found


def merge(bench, size, rounds):
    """ns for an entry of `size` rules in order, over as long as it takes for some 800,000 entries, a century at most."""
    try:
        bench.need_verb("merge")
    except bench.Missing:
        return None
    seconds = min(100 * 365 * 86_400, WEEK * 1_000 // size)
    return median(lambda: per_entry(bench, [bench.program, "merge", str(size), str(FIRST), str(FIRST + seconds)]), rounds)


def engine(bench, size, rounds):
    """ns for an entry of `size` jobs that are due each minute, spread over it, through the engine alone."""
    try:
        bench.need_verb("engine")
    except bench.Missing:
        return None
    return median(lambda: per_entry(bench, [bench.program, "engine", str(size), str(max(100_000, size)), "spread"]), rounds)


def daemon(bench, size, rounds):
    """Milliseconds to READY and MB at rest."""
    ready, resident = [], []
    text = daemons.configuration(size, probe=False)
    for _ in range(rounds):
        with daemons.daemon(bench, text) as started:
            ready.append(started.ready)
            resident.append(started.resident_at_rest())
    return statistics.median(ready), statistics.median(resident)


def dry_run(bench, years, rounds):
    """Seconds, entries and MB at most of a dry run of twenty rules, one of each kind."""
    rules = bench.run([bench.program, "rules", "20"]).splitlines()
    jobs = "".join(daemons.job(f"j{number}", f'{{ cron = "{rule}" }}') for number, rule in enumerate(rules))
    with tempfile.TemporaryDirectory(dir=bench.work) as directory:
        path = daemons.write(directory, f'[daemon]\ntime-zone = "Europe/Berlin"\n{jobs}')
        words = [bench.stage / "timelinectl", "dry-run", "-c", path, "--from", "2026-01-01T00:00:00Z", "--until", f"{2026 + years}-01-01T00:00:00Z"]
        measured = []
        for _ in range(rounds):
            nanoseconds, told = bench.process(words)
            entries = int(told.strip().splitlines()[-1].split()[1].replace(",", ""))
            measured.append((nanoseconds / 1e9, entries))
        return *sorted(measured)[len(measured) // 2], equipment.peak_memory(bench, words)


def print_jobs(jobs):
    def cell(value, form):
        return format("-" if value is None else format(value, form), ">14")

    print("\n       jobs      queue, ns   Rust heap, ns      merge, ns     engine, ns      READY, ms   resident, MB")
    for size in SIZES:
        ready, resident = jobs["daemon"].get(size, (None, None))
        print(f"  {size:9,} " + " ".join([
            cell(jobs["queue"][size].get("ours"), ".1f"), cell(jobs["queue"][size].get("Rust BinaryHeap"), ".1f"),
            cell(jobs["merge"][size], ".1f"), cell(jobs["engine"][size], ".1f"), cell(ready, ".1f"), cell(resident, ".1f")]))


def panels(jobs, years):
    def line(values):
        return [(size, value) for size, value in values if value]

    lines = {name: line((size, found.get(name)) for size, found in jobs["queue"].items()) for name in ("ours", "Rust BinaryHeap")}
    cost = {"queue": lines["ours"], "Rust's heap": lines["Rust BinaryHeap"], "merge": line(jobs["merge"].items()),
            "engine": line(jobs["engine"].items())}
    drawn = [
        {"title": "Cost of one entry", "x": "jobs", "y": "ns", "lines": cost},
        {"title": "Start to READY", "x": "jobs", "y": "ms", "lines": {"READY": line((size, pair[0]) for size, pair in jobs["daemon"].items())}},
        {"title": "Resident memory of the daemon at rest", "x": "jobs", "y": "MB",
         "lines": {"resident": line((size, pair[1]) for size, pair in jobs["daemon"].items())}},
        {"title": "Dry run of 20 jobs", "x": "years", "y": "s, MB",
         "lines": {"seconds": [(count, found[0]) for count, found in years.items()], "MB at most": [(count, found[2]) for count, found in years.items()]}},
    ]
    for panel in drawn:
        panel["lines"] = {name: points for name, points in panel["lines"].items() if points}
    return [panel for panel in drawn if panel["lines"]]
