#!/usr/bin/env python3
"""Runs the simulations and the tortures side by side on fresh seeds, and prints the commands that repeat failures.

A lane is `simulated` (one process tries seeds until the time is up, and shrinks what fails by itself) or `real` (each seed is a process
of its own, which no seed repeats exactly: what failed is judged again from its evidence, and tried five times more, however long that
takes). Ends with a table. Exits 0 when nothing failed, 1 when something did, 130 when it was interrupted.
"""

import argparse
import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path

from patience import patience

ROOT = Path(__file__).resolve().parent.parent
REPEATS = 5
# Exit status for: cannot be tried on this machine.
SKIPPED = 77
# Seconds that a process has to end by itself, after it was asked to.
PATIENCE = 15
# Of simulated lives beside the real processes, which would be late otherwise.
NICENESS = 15

# What a simulated lane prints.
COUNT = re.compile(r"^(?P<lane>.+), part \d+ from seed (?P<seed>\d+): (?P<lives>\d+) lives, (?P<failed>\d+) failed$", re.M)
AGAIN = re.compile(r"^again: (.+)$", re.M)
SHRUNK = re.compile(r"^(shrunk from \d+ to \d+ decisions; .+)$", re.M)


@dataclass
class Lane:
    """Commands with `{seed}`, `{seconds}`, `{evidence}` and `{turn}` in their words."""

    name: str
    kind: str
    command: list
    # Seconds of one seed of a real lane, and those beyond its time after which a process counts as hung.
    seconds: float = 120
    grace: float = patience(240)
    judge: list = field(default_factory=list)
    again: str = ""
    # Values of `{turn}`, one for each seed in turn.
    turns: list = field(default_factory=lambda: [""])


@dataclass
class Result:
    """Figures and failures of a lane."""

    lives: int = 0
    seconds: float = 0
    seeds: int = 0
    failures: list = field(default_factory=list)
    skipped: str = ""


class Children:
    """The processes that are under way, each with a session of its own."""

    def __init__(self):
        self.lock, self.running, self.is_stopping = threading.Lock(), set(), threading.Event()

    def run(self, words, log, limit, environment=None, niceness=0):
        """Runs a command to its end; gives its status, or `None` when it did not end in time or was interrupted."""
        with self.lock:
            if self.is_stopping.is_set():
                return None
            with open(log, "ab") as output:
                child = subprocess.Popen(
                    words, stdin=subprocess.DEVNULL, stdout=output, stderr=output, cwd=ROOT, start_new_session=True,
                    env={**os.environ, **(environment or {})})
            self.running.add(child)
            if niceness:
                self._lower(child.pid, niceness)
        try:
            status = child.wait(limit)
            return None if self.is_stopping.is_set() else status
        except subprocess.TimeoutExpired:
            return None
        finally:
            self._end(child)
            with self.lock:
                self.running.discard(child)

    @staticmethod
    def _lower(process, niceness):
        """Leaves the processor to others. A session is an autogroup, within which alone the niceness of a process counts (sched(7))."""
        os.setpriority(os.PRIO_PROCESS, process, niceness)
        try:
            Path(f"/proc/{process}/autogroup").write_text(str(niceness))
        except OSError:
            pass  # A kernel without autogroups, or another user's right.

    @staticmethod
    def _send(child, number):
        try:
            os.killpg(child.pid, number)
            return True
        except ProcessLookupError:
            return False

    def _end(self, child):
        """Ends a process with all that it started."""
        self._send(child, signal.SIGTERM)
        limit = time.monotonic() + PATIENCE
        while self._send(child, 0) and time.monotonic() < limit:
            child.poll()
            time.sleep(0.05)
        self._send(child, signal.SIGKILL)
        child.wait()

    def stop(self):
        """Asks all to end; the threads that wait for them end what is left."""
        with self.lock:
            self.is_stopping.set()
            for child in self.running:
                self._send(child, signal.SIGTERM)


class Run:
    """All lanes, each in a thread that waits for its processes."""

    def __init__(self, lanes, seconds, keep):
        self.lanes, self.seconds, self.keep = lanes, seconds, Path(keep)
        self.children, self.results = Children(), {lane.name: Result() for lane in lanes}
        self.dice = random.SystemRandom()
        self.end = time.monotonic() + seconds

    def all(self):
        """Runs every lane to its end, or until it is interrupted; gives whether it was."""
        self.keep.mkdir(parents=True, exist_ok=True)
        threads = [threading.Thread(target=self._lane, args=(lane,)) for lane in self.lanes]
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, lambda *_: threading.Thread(target=self.children.stop).start())
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        return self.children.is_stopping.is_set()

    def _lane(self, lane):
        begin = time.monotonic()
        try:
            (self._simulated if lane.kind == "simulated" else self._real)(lane, self.results[lane.name])
        except Exception as error:  # of one lane, which must not end the others
            self._fail(lane, f"{type(error).__name__}: {error}", [])
        self.results[lane.name].seconds = time.monotonic() - begin

    def _fail(self, lane, sentence, lines):
        self.results[lane.name].failures.append((sentence, lines))
        self._say(lane, sentence)
        for line in lines:
            print(f"    {line}", flush=True)

    @staticmethod
    def _say(lane, sentence):
        print(f"{time.strftime('%H:%M:%S')} {lane.name}: {sentence}", flush=True)

    def _words(self, words, **values):
        return [str(word).format(**values) for word in words]

    # Simulated lives.

    def _simulated(self, lane, result):
        log = self.keep / f"{lane.name}.log"
        log.write_bytes(b"")
        status = self.children.run(
            self._words(lane.command, seconds=int(self.seconds)), log, self.seconds + lane.grace,
            {"TIMELINED_SOAK_SECONDS": str(int(self.seconds)), "TIMELINED_SEEDS": str(self.keep)}, NICENESS)
        text = log.read_text(errors="replace")
        counts = list(COUNT.finditer(text))
        result.lives = result.seeds = sum(int(count["lives"]) for count in counts)
        for command in AGAIN.findall(text):
            self._fail(lane, "a life failed", [command])
        if result.failures:
            result.failures[-1][1].extend(dict.fromkeys(SHRUNK.findall(text)))
        if self.children.is_stopping.is_set() and status is None:
            return
        if status is None:
            self._fail(lane, f"did not end: its output is in {log}", [])
        elif status != 0 and not result.failures:
            self._fail(lane, f"ended with status {status}: its output is in {log}", [])
        elif result.lives == 0 and not result.failures:
            self._fail(lane, f"no life was lived: its output is in {log}", [])

    # Real processes.

    def _real(self, lane, result):
        number = 0
        while number == 0 or time.monotonic() < self.end:
            if self.children.is_stopping.is_set():
                return
            turn = lane.turns[number % len(lane.turns)]
            seed = self.dice.randrange(1, 2**24)
            number += 1
            status, place = self._once(lane, seed, turn)
            if status == SKIPPED:
                result.skipped = self._last_line(place)
                return self._clear(place)
            if self.children.is_stopping.is_set():
                return self._clear(place)
            result.seeds += 1
            if status == 0:
                self._say(lane, f"seed {seed}{turn and ', ' + turn}: passed")
                self._clear(place)
            else:
                self._repeat(lane, seed, turn, status, place)

    def _once(self, lane, seed, turn):
        """One run of a seed, in a directory that other users can enter; gives its status and the directory."""
        place = Path(tempfile.mkdtemp(prefix="timelined-seeds-", dir="/var/tmp"))
        place.chmod(0o755)
        words = self._words(lane.command, seed=seed, seconds=int(lane.seconds), evidence=place / "evidence", turn=turn)
        return self.children.run(words, place / "output", lane.seconds + lane.grace), place

    @staticmethod
    def _last_line(place):
        lines = (place / "output").read_text(errors="replace").strip().splitlines()
        return lines[-1] if lines else "no reason was given"

    @staticmethod
    def _clear(place):
        shutil.rmtree(place, ignore_errors=True)

    def _repeat(self, lane, seed, turn, status, place):
        """Keeps the evidence of a failure, has it judged again, and tries its seed some times more."""
        kept = self.keep / f"{lane.name}-{seed}"
        shutil.rmtree(kept, ignore_errors=True)
        shutil.move(place, kept)
        words = self._words([lane.again], seed=seed, seconds=int(lane.seconds), turn=turn)
        how = "did not end" if status is None else f"failed with status {status}"
        self._say(lane, f"seed {seed}{turn and ', ' + turn}: {how}; it is tried {REPEATS} times more")
        lines = [*words, f"its evidence is in {kept}"]
        if lane.judge and (kept / "evidence").exists():
            judged = self.children.run(self._words(lane.judge, evidence=kept / "evidence", turn=turn), kept / "judged", 120)
            lines.append(f"judged again it {'passes' if judged == 0 else 'fails'}: {kept}/judged")
        failed = tried = 0
        for _ in range(REPEATS):
            status, place = self._once(lane, seed, turn)
            if self.children.is_stopping.is_set():
                self._clear(place)
                break
            tried, failed = tried + 1, failed + (status != 0)
            self._clear(place)
        self._fail(lane, f"seed {seed}{turn and ', ' + turn} {how}, and again {failed} of {tried} times", lines)


def table(lanes, results):
    """One line a lane."""
    rows = [("lane", "lives", "seconds", "seeds", "failures")]
    for lane in lanes:
        result = results[lane.name]
        lives = str(result.lives) if lane.kind == "simulated" else "-"
        failures = f"skipped: {result.skipped}" if result.skipped else str(len(result.failures))
        rows.append((lane.name, lives, f"{result.seconds:.0f}", str(result.seeds), failures))
    widths = [max(len(row[column]) for row in rows) for column in range(4)]
    for name, *figures, failures in rows:
        print(f"{name:<{widths[0]}}  " + "  ".join(f"{text:>{width}}" for text, width in zip(figures, widths[1:])) + f"  {failures}")


def ours():
    """The lanes of this project."""
    if not (ROOT / ".build/tests/debug").exists():
        sys.exit("seeds.py: nothing is built: make build tests")
    lanes = [
        Lane(name, "simulated", [
            ROOT / "Tests/suites.sh", "--filter", f"{target}.*new seeds for as long as asked"],
            grace=400)
        for name, target in [("engine", "TimelineEngineTests"), ("cluster", "TimelineClusterTests"),
                             ("ledger", "TimelineLedgerTests"), ("hosts", "TimelineHostPoolTests")]]
    torture, cluster = ROOT / "Tests/Torture/torture.py", ROOT / "Tests/Cluster/cluster.py"
    lanes.append(Lane(
        "torture", "real", [torture, "--seed", "{seed}", "--seconds", "{seconds}", "--keep", "{evidence}"],
        judge=[torture, "--judge", "{evidence}"], again="Tests/Torture/torture.py --seed {seed} --seconds {seconds}"))
    lanes.append(Lane(
        "cluster-torture", "real", [
            cluster, "--store", "{turn}", "--seed", "{seed}", "--seconds", "{seconds}", "--keep", "{evidence}"],
        judge=[cluster, "--judge", "{evidence}"], turns=["postgresql", "etcd"],
        again="Tests/Cluster/cluster.py --store {turn} --seed {seed} --seconds {seconds}"))
    return lanes


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=20, help="for how long new seeds are begun")
    parser.add_argument("--keep", default=ROOT / ".build/seeds", help="directory for logs, shrunk lives and evidence")
    parser.add_argument("--only", default=None, help="these lanes alone, separated by commas")
    parser.add_argument("--lanes", default=None, help="a JSON file with other lanes")
    options = parser.parse_args()
    lanes = [Lane(**lane) for lane in json.loads(Path(options.lanes).read_text())] if options.lanes else ours()
    if options.only:
        chosen, names = options.only.split(","), [lane.name for lane in lanes]
        for name in chosen:
            if name not in names:
                parser.error(f"no lane {name}: there are {', '.join(names)}")
        lanes = [lane for lane in lanes if lane.name in chosen]
    run = Run(lanes, options.minutes * 60, options.keep)
    print(f"{', '.join(lane.name for lane in lanes)}: new seeds for {options.minutes:g} min; logs in {run.keep}", flush=True)
    was_interrupted = run.all()
    print()
    table(lanes, run.results)
    for lane in lanes:
        for sentence, lines in run.results[lane.name].failures:
            print(f"FAILED {lane.name}: {sentence}")
            for line in lines:
                print(f"    {line}")
    if was_interrupted:
        return 130
    return 1 if any(result.failures for result in run.results.values()) else 0


if __name__ == "__main__":
    sys.exit(main())
