"""Commands: how many are started in a second beside posix_spawn in a loop of C, and how late the last of 100 is that are due at one instant.

Runs follow one another because three closed-loop jobs share a group of one (or four a group of two), so that one always waits.
The commands of the burst write down when they run, and so do those of C's burst, which begins at once.
"""
import contextlib
import datetime
import functools
import os
import signal
import statistics
import struct
import tempfile
import time

import daemons
import equipment

TURNS, SECONDS, COMMANDS, BURST, HELD = 4, 1, 1000, 100, 1 << 30
HOLDING = "one at a time, holding 1 GiB"


def measure(bench):
    peer = equipment.c(bench, "spawn")
    return {"rate": rate(bench, peer), "burst": burst(bench, peer)}


def rate(bench, peer):
    texts, loops = {"one at a time": daemons.commands(1, 3)}, {"C, one at a time": "one"}
    if not bench.short:
        texts |= {"two at once": daemons.commands(2, 4), HOLDING: daemons.commands(1, 3) + ballast(bench)}
        loops |= {"C, two at once": "two"}
    with contextlib.ExitStack() as stack:
        running = {}
        for what, text in texts.items():
            running |= bench.own(lambda build: stack.enter_context(daemons.daemon(bench, text, build=build)), what)
        time.sleep(1)
        if any(daemon.resident() * 1_000_000 < HELD for name, daemon in running.items() if name.endswith(HOLDING)):
            raise RuntimeError("the daemon does not hold what it should")
        stack.enter_context(standing_still(running.values()))
        contestants = {name: functools.partial(loop, bench, peer, word) for name, word in loops.items()}
        contestants |= {name: functools.partial(turn, daemon) for name, daemon in running.items()}
        rounds = bench.interleave(contestants, lambda _, once: once(), rounds=TURNS * bench.rounds)
    return bench.report("exec: /bin/true started", "a second", rounds, [
        bench.goal("ours, one at a time", 0.8, "C, one at a time", least=True)])


def ballast(bench):
    """A job whose plugin holds memory in the daemon's own process."""
    return (f'[job.ballast]\nplugin = "{equipment.plugin(bench, "ballast")}"\nisolation = "in-process"\n'
            f'schedule = {{ animation = {{ minimum-interval = "1s" }} }}\nwith = {{ bytes = {HELD} }}\n')


@contextlib.contextmanager
def standing_still(those):
    """Daemons that do nothing but in their turns, so that all contestants have the same seconds of a noisy machine."""
    for daemon in those:
        daemon.process.send_signal(signal.SIGSTOP)
    try:
        yield
    finally:
        for daemon in those:
            daemon.process.send_signal(signal.SIGCONT)


def turn(daemon):
    """The rate of a daemon, which stands still before and afterwards."""
    daemon.process.send_signal(signal.SIGCONT)
    time.sleep(0.1)  # until what fell due meanwhile is behind it
    begin, first = time.perf_counter(), daemon.succeeded()
    time.sleep(SECONDS)
    last, end = daemon.succeeded(), time.perf_counter()
    daemon.process.send_signal(signal.SIGSTOP)
    time.sleep(0.05)  # until what its hosts run has ended
    return (last - first) / (end - begin)


def loop(bench, peer, how):
    result = bench.result([peer, how, str(COMMANDS), "/bin/true"])
    return result["count"] / result["nanoseconds"] * 1e9


def burst(bench, peer):
    rounds = bench.interleave(bench.builds, lambda _, build: bursts(bench, build, peer, count=bench.choose(4, 3)))
    late = {"C burst": [statistics.median(of_c) for _, of_c in rounds["ours"]]}
    for name, each in rounds.items():
        late[name] = [statistics.median(others) for (_, *others), _ in each]
        late[f"{name}, the first after a start"] = [first for (first, *_), _ in each]
    return bench.report(f"exec: the last of {BURST} commands due at one instant runs after", "ms", late, [
        bench.goal("ours", 1.5, "C burst")])


def bursts(bench, build, peer, count, gap=3):
    """How late the last command of each of `count` bursts of ours runs, `gap` seconds apart, and of a burst of C's between each two of
    them, which so has the same seconds of a noisy machine; in ms."""
    first = int(time.time()) + 3
    instants = [first + gap * number for number in range(count)]
    dates = ", ".join(datetime.datetime.fromtimestamp(instant, datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ") for instant in instants)
    with tempfile.TemporaryDirectory(dir=bench.work) as directory:
        path = f"{directory}/stamps"
        text = "".join(
            f'[job.j{number}]\nplugin = "exec"\nschedule = {{ explicit = [{dates}] }}\nwith = {{ command = ["{peer}", "stamp", "{path}"] }}\n'
            for number in range(BURST))
        of_c = []
        with daemons.daemon(bench, text, build=build):
            for instant in instants[1:]:
                time.sleep(max(0, instant - gap / 2 - time.time()))
                of_c.append(burst_of_c(bench, peer))
            time.sleep(max(0, instants[-1] + gap - time.time()))
        taken = stamps(path)
    late = []
    for instant in instants:
        own = [stamp for stamp in taken if instant * 10**9 <= stamp < (instant + gap) * 10**9]
        if len(own) != BURST:
            raise bench.UnequalWork(f"{len(own)} of {BURST} commands ran within {gap} s")
        late.append((max(own) - instant * 10**9) / 1e6)
    return late, of_c


def burst_of_c(bench, peer):
    with tempfile.TemporaryDirectory(dir=bench.work) as directory:
        result = bench.result([peer, "burst", str(BURST), str(peer), "stamp", f"{directory}/stamps"])
        return (max(stamps(f"{directory}/stamps")) - result["began"]) / 1e6


def stamps(path):
    data = open(path, "rb").read() if os.path.exists(path) else b""
    return struct.unpack(f"<{len(data) // 8}q", data)
