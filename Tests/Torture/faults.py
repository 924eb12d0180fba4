"""Everything done to the daemon: a plan that the seed alone decides, and the hands that carry it out."""

import json
import os
import random
import resource
import signal
import sys
import time
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from facts import Fault, Trigger
from filings import has_filed_commits_in_log
from jobs import FEATURES, guest
from schedules import Cron, SECOND

sys.path.append(str(Path(__file__).resolve().parent.parent))
from freezing import freeze, frozen, send, thaw  # noqa: E402 - it lies above
from share import taken  # noqa: E402

HOUR = 3600 * SECOND
DECADE = 3652 * 24 * HOUR

# Each kind with how often it is drawn.
WEIGHTS = {
    "kill": 4, "kill-kept": 3, "kill-host": 4, "reload": 4, "freeze": 3, "pause": 3, "restart": 2, "freeze-host": 2, "no-descriptors": 2,
    "step-second": 2, "trigger": 2, "cancel": 2, "bad-reload": 1, "kill-in-reload": 1, "zones": 1, "disk-full": 1, "step-hour": 1,
    "step-back": 1, "step-back-death": 1, "sleep-hour": 1, "kill-disk-full": 1, "garble": 1, "lose-log": 1,
}
# Faults of one burst at most, and the seconds of quiet after one.
BURST_MAX = 3
QUIET = (7.0, 10.0)


def plan(seed, seconds, kinds=None, has_small_disk=True, share=None):
    """The faults of a run, in their order: (kind, seconds before it, its length in seconds, dice of its own).

    With a share (1, 2), the first of two, it has each kind of this share once. All shares of a seed have each kind."""
    dice = random.Random(seed)
    weights = {kind: weight for kind, weight in WEIGHTS.items()
               if kinds is None or kind in kinds}
    if not has_small_disk:
        weights = {kind: weight for kind, weight in weights.items() if "disk-full" not in kind}
    weights = {kind: weight for kind, weight in weights.items() if FEATURES.get(kind, True)}
    faults = []
    # Faults come in bursts, and after each burst everything is quiet: a promise is proved in quiet times too.
    left_in_burst = dice.randint(1, BURST_MAX)
    # The first of each kind comes before the second of any, as far as the time goes.
    fresh = sorted(weights)
    dice.shuffle(fresh)
    if share:
        fresh = taken(fresh, share)
    # Without a share more than the time can hold: the run ends when it is up.
    count = len(fresh) if share else seconds
    while weights and len(faults) < count:
        kind = fresh.pop() if fresh else dice.choices(list(weights), list(weights.values()))[0]
        left_in_burst -= 1
        pause = dice.uniform(1.0, 3.0)
        if left_in_burst < 0:
            left_in_burst, pause = dice.randint(0, BURST_MAX - 1), dice.uniform(*QUIET)
        faults.append((kind, pause, dice.uniform(0.3, 2.5), dice.random()))
    return faults


class Tormentor:
    def __init__(self, world, jobs, begin):
        self.world, self.jobs, self.begin = world, jobs, begin
        self.variant = 0
        self.rules = "Europe/Berlin"

    def do(self, kind, length, dice):
        """One fault, from its first moment to the last of its own making."""
        with self.during(kind) as fault:
            getattr(self, "_" + kind.replace("-", "_"))(fault, length, dice)

    @contextmanager
    def during(self, kind):
        """A fault that lasts as long as the body; the body says whom it concerns."""
        fault = Fault(kind, time.time_ns(), 0)
        try:
            yield fault
        finally:
            fault.end = time.time_ns()
            self.world.faults.append(fault)

    def crash(self, pause, kind="kill", meanwhile=lambda: None):
        """A kill and a new start, with something done while no daemon is there."""
        with self.during(kind):
            self.world.kill()
            self.world.snapshot()
            meanwhile()
            time.sleep(pause)
            self.world.start()

    def stop(self, pause, meanwhile=lambda: None):
        """An orderly stop and a new start."""
        with self.during("restart"):
            self.world.stop()
            self.world.snapshot()
            meanwhile()
            time.sleep(pause)
            self.world.start()

    def _kill(self, fault, length, _):
        # This very fault is the crash.
        self.world.kill()
        self.world.snapshot()
        time.sleep(length)
        self.world.start()

    def _kill_kept(self, fault, length, _):
        """A crash under a service manager that keeps the descriptors: runs go on, and the next daemon has their results."""
        self.world.kill(keeps=True)
        self.world.snapshot()
        time.sleep(length / 2)
        self.world.start()

    def _restart(self, fault, length, _):
        self.world.stop()
        self.world.snapshot()
        time.sleep(length / 4)
        self.world.start()

    def _freeze(self, fault, length, _):
        with frozen(self.world.daemon.pid):
            time.sleep(length)

    def _kill_host(self, fault, _, dice):
        pid = self._choose_host(fault, dice)
        if pid:
            send(signal.SIGKILL, [pid])

    def _freeze_host(self, fault, length, dice):
        pid = self._choose_host(fault, dice)
        if pid:
            freeze(pid)
        try:
            time.sleep(length)
        finally:
            if pid:
                thaw(pid)

    def _choose_host(self, fault, dice):
        """One plugin host, if there is one; the fault then names it, its children and the jobs that it has run."""
        hosts = self.world.hosts()
        if not hosts:
            fault.jobs = frozenset()
            return None
        pid = hosts[int(dice * len(hosts))]
        fault.pids = self.world.with_children([pid])
        fault.jobs = self.world.jobs_of(fault.pids)
        fault.detail = str(pid)
        return pid

    def _next_guest(self, dice):
        """Writes the configuration with the guest in another shape, and gives that and the guest."""
        variant = (self.variant + 1 + int(dice * 3)) % 4
        came = guest(variant, self.begin)
        self.world.configure(self.jobs + ([came] if came else []))
        return variant, came

    def _exchange_guest(self, fault, variant, came, asked, done):
        self.world.take_away("guest", (asked, done))
        if came:
            self.world.bring(came, (asked, done))
        self.variant = variant
        fault.detail, fault.jobs = f"guest {variant}", frozenset(["guest"])

    def _zones(self, fault, *_):
        """A new edition of the zone database: entries move, and none may come twice."""
        asked = time.time_ns()
        self.rules = "Europe/Helsinki" if self.rules == "Europe/Berlin" else "Europe/Berlin"
        fault.detail = self.rules
        fault.jobs = frozenset(
            job.name for job in self.jobs if isinstance(job.schedule, Cron) and job.schedule.name == "Europe/Berlin")
        self.world.set_rules(self.rules, is_used=bool(fault.jobs))
        done = time.time_ns()
        for index, job in enumerate(self.jobs):
            if job.name in fault.jobs:
                self.jobs[index] = replace(job, schedule=Cron(job.schedule.text, "Europe/Berlin", self.rules))
                self.world.take_away(job.name, (asked, done))
                self.world.bring(self.jobs[index], (asked, done))

    def _kill_in_reload(self, fault, length, dice):
        """The daemon dies somewhere between being asked and being done."""
        asked = time.time_ns()
        variant, came = self._next_guest(dice)
        os.kill(self.world.daemon.pid, signal.SIGHUP)
        time.sleep(dice * 0.3)
        self.crash(length / 4)
        self._exchange_guest(fault, variant, came, asked, time.time_ns())

    def _reload(self, fault, _, dice):
        asked = time.time_ns()
        variant, came = self._next_guest(dice)
        if dice < 0.5:
            status, words = self.world.ask("reload")
        else:
            # The other door; what follows through the first one has it done.
            os.kill(self.world.daemon.pid, signal.SIGHUP)
            status, words = self.world.ask("reload")
        done = time.time_ns()
        if status != 0:
            self.world.surprises.append(f"a reload was refused: {words.strip()}")
        else:
            self._exchange_guest(fault, variant, came, asked, done)

    def _bad_reload(self, fault, *_):
        fault.jobs = frozenset()
        self.world._replace("timelined.toml", '[job.steady]\nplugin = "exec"\nshedule = "every-minute"\n')
        status, words = self.world.ask("reload")
        if status == 0:
            self.world.surprises.append(f"a wrong configuration was taken: {words.strip()}")
        came = guest(self.variant, self.begin)
        self.world.configure(self.jobs + ([came] if came else []))

    def _disk_full(self, fault, length, _):
        filler = f"{self.world.state}/filler"
        self._fill(filler)
        time.sleep(length + 1)
        os.unlink(filler)

    @staticmethod
    def _fill(path):
        """Takes all room that there is, to the last block."""
        with open(path, "wb", buffering=0) as file:
            for size in (65536, 512):
                try:
                    while True:
                        file.write(bytes(size))
                except OSError:
                    pass

    def _kill_disk_full(self, fault, length, _):
        """The daemon dies of, or beside, a full disk, and is started again before there is room."""
        filler = f"{self.world.state}/filler"
        self._fill(filler)
        time.sleep(length / 2)
        self.crash(length / 2)
        time.sleep(1)
        os.unlink(filler)

    def _garble(self, fault, length, _):
        """The ledger is damaged while nobody has it open: its content is lost, and the daemon has to live on."""
        asked = time.time_ns()
        self.crash(length / 4, meanwhile=self._damage)
        # An operator has looked at the damaged files; several of them would fill the small disk for good.
        for name in os.listdir(self.world.state):
            if ".damaged-" in name:
                os.unlink(f"{self.world.state}/{name}")
        self.world.begin_anew((asked, time.time_ns()))

    def _damage(self):
        with open(f"{self.world.state}/ledger.sqlite", "r+b") as file:
            file.write(os.urandom(8192))

    def _lose_log(self, fault, length, dice):
        """The ledger's write-ahead log is removed, cut or overwritten while nobody has it open, and with it what it alone had."""
        mark = self.world.mark()
        fault.detail = ("removed", "cut", "garbled")[int(dice * 3)]
        self.crash(length / 4, meanwhile=lambda: self._lose(fault.detail))
        self.world.is_cut = True
        # What is cut off may be a remainder of an earlier log, and after a checkpoint the log may have no commit that is filed.
        if fault.detail != "cut" and has_filed_commits_in_log(self.world.copies[-1].place):
            self.world.wait_for_line("lost its write-ahead log", mark)

    def _lose(self, how):
        log = f"{self.world.state}/ledger.sqlite-wal"
        if how == "removed":
            os.unlink(log)
        elif how == "cut":
            os.truncate(log, os.path.getsize(log) // 2)
        else:
            with open(log, "r+b") as file:
                file.write(os.urandom(os.path.getsize(log)))

    def _no_descriptors(self, fault, length, _):
        pid = self.world.daemon.pid
        before = resource.prlimit(pid, resource.RLIMIT_NOFILE)
        highest = max(map(int, os.listdir(f"/proc/{pid}/fd")))
        resource.prlimit(pid, resource.RLIMIT_NOFILE, (highest + 1, before[1]))
        hosts = self.world.hosts()
        fault.detail, fault.pids = f"limit {highest + 1}", self.world.with_children(hosts)
        for host in hosts:
            send(signal.SIGKILL, [host])
        used = self._processor_time(pid)
        time.sleep(length)
        used = self._processor_time(pid) - used
        resource.prlimit(pid, resource.RLIMIT_NOFILE, before)
        if used > 0.8 * length:
            self.world.surprises.append(f"without descriptors the daemon was busy for {used:.1f} s of {length:.1f} s")

    @staticmethod
    def _processor_time(pid):
        with open(f"/proc/{pid}/stat") as file:
            fields = file.read().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def _step_second(self, fault, _, dice):
        step = SECOND if dice < 0.5 else -SECOND
        self.world.set_offset(self.world.offset + step)
        fault.detail = f"{step // SECOND:+d} s"

    def _step_hour(self, fault, *_):
        self.world.set_offset(self.world.offset + HOUR)

    def _step_back(self, fault, length, _):
        """An hour back, before the last entry, and forth again."""
        before = self.world.offset
        self.world.set_offset(before - HOUR)
        time.sleep(1 + length)
        self.world.set_offset(before)

    def _step_back_death(self, fault, length, dice):
        """The same, and the daemon dies while the clock is back."""
        before = self.world.offset
        self.world.set_offset(before - HOUR)
        time.sleep(1)
        self.crash(0.2)
        time.sleep(length)
        self.world.set_offset(before)

    def _sleep_hour(self, fault, length, dice):
        """The machine is off for an hour, orderly or not."""
        end = self.crash if dice < 0.5 else self.stop
        end(length / 4, meanwhile=lambda: self.world.set_offset(self.world.offset + HOUR))

    def _step_decade(self, fault, *_):
        # Rows that old are dropped from the ledger: it is copied before, but only after a daemon that was just started has
        # settled the entries that it missed.
        time.sleep(1)
        self.world.snapshot_alive()
        self.world.set_offset(self.world.offset + DECADE)
        self.world.is_aged = True

    def _trigger(self, fault, _, dice):
        job = self.jobs[int(dice * len(self.jobs))]
        status, words = self.world.ask("trigger", job.name)
        # 1 says that the job's policies did not let it run.
        if status not in (0, 1):
            self.world.surprises.append(f"{job.name} could not be triggered: {words.strip()}")
        fault.detail, fault.jobs = job.name, frozenset([job.name])
        self.world.triggers.append(Trigger(job.name, fault.begin, time.time_ns(), status == 0))

    def _pause(self, fault, length, dice):
        job = self.jobs[int(dice * len(self.jobs))]
        choice = ("latest", "all", "skip")[int(dice * 1000) % 3]
        fault.detail, fault.jobs = f"{job.name}, {choice}", frozenset([job.name])
        self._must("pause", job.name)
        time.sleep(1 + length)
        self._must("resume", job.name, "--catch-up", choice)

    def _cancel(self, fault, _, dice):
        """Cancels one of the active runs."""
        status, words = self.world.ask("list", "--json")
        jobs = [json.loads(line) for line in words.splitlines()] if status == 0 else []
        runs = [(run["run"], job["name"]) for job in jobs for run in job["running"]]
        fault.jobs = frozenset()
        if runs:
            run, job = runs[int(dice * len(runs))]
            fault.detail, fault.jobs = f"run {run} of {job}", frozenset([job])
            # It may be over by the time that it is asked to stop.
            self.world.ask("cancel", str(run))

    def _must(self, *words):
        status, answer = self.world.ask(*words)
        if status != 0:
            self.world.surprises.append(f"timelinectl {' '.join(words)}: {answer.strip()}")
