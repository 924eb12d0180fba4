"""How late a job starts that is due five times a second, as its code sees it, with 1, 1,000 and 100,000 jobs loaded, beside a bare
thread that sleeps to the same instants, and robfig/cron, which knows whole seconds only. With `precision = "spin"` beside it, at
one job and beside a bare thread that spins as well; and beside a program on each processor that never sleeps.

A base runs in the same seconds and on the same processor as ours, and its job is due half-way between two starts of ours."""
import contextlib
import os
import subprocess
import time

import daemons
import equipment
import probe

SPUN = 200_000  # nanoseconds: what `precision = "spin"` spins for, too
A_SECOND = 5  # so that a hundredth of a minute's calls is more than its one worst call


def measure(bench):
    seconds = int(os.environ.get("SECONDS_", bench.choose(60, 10)))
    results = {str(count): late(bench, count, seconds) for count in bench.sizes(1, 1_000, 100_000)}
    if bench.short:
        return results
    results["spin"] = late(bench, 1, seconds, spin=True)
    with busy(bench):
        results["busy"] = late(bench, 1, seconds, beside=", every processor busy")
    return results


def own(bench, count, seconds, keys="", spun=0):
    """Lateness in microseconds of each build, and of a bare thread in the same seconds, which spins for the last `spun` nanoseconds, on a
    processor of its own: it wakes at the same instants as ours, and on one the second would wait for the first."""
    with contextlib.ExitStack() as sheets:
        with contextlib.ExitStack() as running:
            with on_processor(0):
                found = bench.own(lambda build: probed(bench, build, sheets, running, configuration(bench, build, count, keys), seconds))
            time.sleep(2)  # what a start leaves to do is not what is asked
            begin = time.time_ns()
            with on_processor(1):
                bare = subprocess.run([equipment.c(bench, "nanosleep"), str(A_SECOND * seconds), str(1_000_000_000 // A_SECOND), str(spun)], stdout=subprocess.PIPE, text=True, check=True)
        late = {name: [late / 1000 for nominal, late in sheet.calls() if nominal > begin][:A_SECOND * seconds] for name, sheet in found.items()}
    return late | {"a bare thread": [int(line) / 1000 for line in bare.stdout.split()]}


def configuration(bench, build, count, keys):
    period = 1_000 // A_SECOND
    first = 0 if build is bench.ours else period // 2
    schedule = f'{{ periodic = {{ from = 2026-01-01T00:00:00.{first:03}Z, by = "{period}ms" }} }}'
    return probe.job(bench, "probe", schedule, keys) + daemons.configuration(count - 1, probe=False)


def probed(bench, build, sheets, running, text, seconds):
    """A daemon that runs until `running` is left, and its sheet, which is there until `sheets` is."""
    sheet = sheets.enter_context(probe.sheet(bench, A_SECOND * (seconds + 600)))
    running.enter_context(probe.started(bench, text, build))
    return sheet


@contextlib.contextmanager
def on_processor(place):
    """What is started meanwhile stays on one of the processors that there are."""
    there = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {sorted(there)[place % len(there)]})
    try:
        yield
    finally:
        os.sched_setaffinity(0, there)


@contextlib.contextmanager
def busy(bench, places=(0, 1)):
    """Meanwhile something computes on each processor that the contestants use, which is nobody's work."""
    others = []
    try:
        for place in places:
            with on_processor(place):
                others.append(subprocess.Popen([equipment.c(bench, "busy")]))
        yield
    finally:
        for other in others:
            other.kill()
            other.wait()


def robfig(bench, count, seconds):
    words = [equipment.go(bench, "late"), "each", str(count), str(seconds)]
    return [int(line) / 1000 for line in bench.run(words).split()]


def late(bench, count, seconds, spin=False, beside=""):
    rounds = own(bench, count, seconds, 'precision = "spin"', SPUN) if spin else own(bench, count, seconds)
    name = f"{count:,} jobs" + (', precision = "spin"' if spin else "") + beside
    for peer in equipment.peers(bench, {"robfig": lambda: equipment.go(bench, "late")}):
        rounds[peer] = robfig(bench, count, seconds)
    middles, tails = ({who: [probe.share(values, part)] for who, values in rounds.items()} for part in (.5, .99))
    goals, ends = [], []
    if not spin and not beside:
        goals, ends = [bench.goal("ours", 1 / 20, "a bare thread"), bench.goal("ours", 1 / 50, "robfig")], [bench.goal("ours", 2, "a bare thread")]
    return {"p50": bench.report(f"start late by, p50, {name}", "us", middles, goals, reference="a bare thread", every=rounds),
            "p99": bench.report(f"start late by, p99, {name}", "us", tails, ends, reference="a bare thread", tail=True)}
