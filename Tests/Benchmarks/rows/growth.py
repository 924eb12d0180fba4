"""Growth: cost against the number of jobs, from 1 to 1,000,000, and against years of dry run, as a table and as a drawing."""
import statistics
import tempfile

import chart
import daemons
import equipment

SIZES = (1, 10, 100, 1_000, 10_000, 100_000, 1_000_000)
YEARS = (1, 2, 4, 7, 10)
FIRST, WEEK = 1_767_225_600, 604_800


def measure(bench):
    """A table for each build, and a drawing of ours. Each figure is kept as name of build -> number."""
    jobs = {
        "queue": {size: queue(bench, size) for size in SIZES},
        "merge": {size: merge(bench, size) for size in SIZES},
        "engine": {size: engine(bench, size) for size in SIZES},
        "daemon": {},
    }
    for size in SIZES:
        try:
            jobs["daemon"][size] = daemon(bench, size)
        except bench.Missing as reason:
            bench.leave_out(f"a daemon with {size:,} jobs", str(reason)[-160:])
            break
    years = {count: dry_run(bench, count) for count in YEARS}
    for name in bench.builds:
        print_jobs(name, jobs)
        print_years(name, years)
    path = bench.work / "growth.svg"
    chart.draw(path, panels(jobs, years))
    print(f"  drawn in {path.relative_to(bench.root)}")
    return {"jobs": jobs, "years": years}


def rounds(bench):
    return min(3, bench.rounds)


def medians(bench, title, unit, values):
    """The median of each contestant; what is compared to a base has `title`."""
    bench.compare(f"growth: {title}", unit, values)
    return {name: statistics.median(each) for name, each in values.items()}


def per_entry(bench, title, contestants):
    """Nanoseconds an entry of commands that print count and time."""
    def once(_, words):
        result = bench.result(words)
        return result["nanoseconds"] / max(1, result["count"])

    return medians(bench, title, "ns an entry", bench.interleave(contestants, once, rounds(bench)))


def queue(bench, size):
    """ns for the first of `size` deadlines to be taken and set again, in ours and in Rust's heap."""
    words = [str(size), "500000"]
    heap = equipment.peers(bench, {"Rust BinaryHeap": lambda: [equipment.rust(bench, "queue", "queue-rust"), *words, "even"]})
    values, _, _ = bench.enumerate({**bench.own(lambda build: build.verb("queue", *words)), **heap}, rounds(bench))
    return medians(bench, f"queue of {size:,}", "ns", values)


def merge(bench, size):
    """ns for an entry of `size` rules in order, over as long as it takes for some 800,000 entries, a century at most."""
    seconds = min(100 * 365 * 86_400, WEEK * 1_000 // size)
    return per_entry(bench, f"merge of {size:,}", bench.own(lambda build: build.verb("merge", size, FIRST, FIRST + seconds)))


def engine(bench, size):
    """ns for an entry of `size` jobs that are due each minute, spread over it, through the engine alone."""
    return per_entry(bench, f"engine with {size:,} jobs", bench.own(lambda build: build.verb("engine", size, max(100_000, size), "spread")))


def daemon(bench, size):
    """Milliseconds to READY and MB at rest."""
    text = daemons.configuration(size, probe=False)

    def once(_, build):
        with daemons.daemon(bench, text, build=build) as started:
            return {"ready": started.ready, "resident": started.resident_at_rest()}

    values = bench.interleave(bench.builds, once, rounds(bench))
    ready = medians(bench, f"READY with {size:,} jobs", "ms", bench.pick(values, "ready"))
    resident = medians(bench, f"resident with {size:,} jobs", "MB", bench.pick(values, "resident"))
    return {name: (ready[name], resident[name]) for name in values}


def dry_run(bench, years):
    """Seconds, entries and MB at most of a dry run of twenty rules, one of each kind."""
    rules = bench.run(bench.ours.verb("rules", 20)).splitlines()
    jobs = "".join(daemons.job(f"j{number}", f'{{ cron = "{rule}" }}') for number, rule in enumerate(rules))
    with tempfile.TemporaryDirectory(dir=bench.work) as directory:
        path = daemons.write(directory, f'[daemon]\ntime-zone = "Europe/Berlin"\n{jobs}')
        contestants = bench.own(lambda build: build.timelinectl(
            "dry-run", "-c", path, "--from", "2026-01-01T00:00:00Z", "--until", f"{2026 + years}-01-01T00:00:00Z"))

        def once(_, words):
            nanoseconds, told = bench.process(words)
            return {"seconds": nanoseconds / 1e9, "entries": int(told.strip().splitlines()[-1].split()[1].replace(",", ""))}

        values = bench.interleave(contestants, once, rounds(bench))
        seconds = medians(bench, f"dry run of {years} years", "s", bench.pick(values, "seconds"))
        return {name: (seconds[name], each[0]["entries"], equipment.peak_memory(bench, contestants[name])) for name, each in values.items()}


def print_jobs(name, jobs):
    def cell(value, form):
        return format("-" if value is None else format(value, form), ">14")

    print(f"\n  {name}\n       jobs      queue, ns   Rust heap, ns      merge, ns     engine, ns      READY, ms   resident, MB")
    for size in SIZES:
        ready, resident = jobs["daemon"].get(size, {}).get(name, (None, None))
        print(f"  {size:9,} " + " ".join([
            cell(jobs["queue"][size].get(name), ".1f"), cell(jobs["queue"][size].get("Rust BinaryHeap"), ".1f"),
            cell(jobs["merge"][size].get(name), ".1f"), cell(jobs["engine"][size].get(name), ".1f"), cell(ready, ".1f"), cell(resident, ".1f")]))


def print_years(name, years):
    print(f"\n  {name}\n  years of dry run   seconds   ns an entry   MB     of 20 jobs")
    for count, found in years.items():
        if name in found:
            seconds, entries, resident = found[name]
            print(f"  {count:16} {seconds:9.2f} {1e9 * seconds / entries:13.0f} {resident:4.0f}")


def panels(jobs, years):
    def line(figures, read=lambda value: value, name="ours"):
        return [(count, read(found[name])) for count, found in figures.items() if name in found]

    cost = {"queue": line(jobs["queue"]), "Rust's heap": line(jobs["queue"], name="Rust BinaryHeap"),
            "merge": line(jobs["merge"]), "engine": line(jobs["engine"])}
    drawn = [
        {"title": "Cost of one entry", "x": "jobs", "y": "ns", "lines": cost},
        {"title": "Start to READY", "x": "jobs", "y": "ms", "lines": {"READY": line(jobs["daemon"], lambda pair: pair[0])}},
        {"title": "Resident memory of the daemon at rest", "x": "jobs", "y": "MB",
         "lines": {"resident": line(jobs["daemon"], lambda pair: pair[1])}},
        {"title": "Dry run of 20 jobs", "x": "years", "y": "s, MB",
         "lines": {"seconds": line(years, lambda found: found[0]), "MB at most": line(years, lambda found: found[2])}},
    ]
    for panel in drawn:
        panel["lines"] = {name: points for name, points in panel["lines"].items() if points}
    return [panel for panel in drawn if panel["lines"]]
