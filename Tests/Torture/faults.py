"""What is done to the daemon: a plan that the seed alone decides, and the hands that carry it out."""

import json
import os
import random
import resource
import signal
import time
from dataclasses import replace

from jobs import FEATURES, guest
from schedules import Cron, SECOND
from world import Fault

HOUR = 3600 * SECOND
DECADE = 3652 * 24 * HOUR

# Each kind with how often it is drawn.
WEIGHTS = {
    "kill": 4, "kill-host": 4, "reload": 4, "freeze": 3, "pause": 3, "restart": 2, "freeze-host": 2, "no-descriptors": 2,
    "step-second": 2, "trigger": 2, "cancel": 2, "bad-reload": 1, "kill-in-reload": 1, "zones": 1, "disk-full": 1, "step-hour": 1,
    "step-back": 1, "step-back-death": 1, "sleep-hour": 1, "kill-disk-full": 1, "garble": 1,
}


def plan(seed, seconds, kinds=None, has_small_disk=True):
    """The faults of a run, in their order: (kind, seconds before it, its length in seconds, dice of its own)."""
    dice = random.Random(seed)
    weights = {kind: weight for kind, weight in WEIGHTS.items()
               if kinds is None or kind in kinds}
    if not has_small_disk:
        weights = {kind: weight for kind, weight in weights.items() if "disk-full" not in kind}
    weights = {kind: weight for kind, weight in weights.items() if FEATURES.get(kind, True)}
    faults = []
    # The first of each kind comes before the second of any, as far as the time goes.
    fresh = sorted(weights)
    dice.shuffle(fresh)
    # More than the time can hold; whoever carries them out stops when it is up.
    while weights and len(faults) < seconds:
        kind = fresh.pop() if fresh else dice.choices(list(weights), list(weights.values()))[0]
        faults.append((kind, dice.uniform(1.5, 4.0), dice.uniform(0.3, 2.5), dice.random()))
    return faults


class Tormentor:
    def __init__(self, world, jobs, begin):
        self.world, self.jobs, self.begin = world, jobs, begin
        self.variant = 0
        self.rules = "Europe/Berlin"

    def do(self, kind, length, dice):
        """One fault, from its first moment to the last of its own making."""
        begin = time.time_ns()
        detail = getattr(self, "_" + kind.replace("-", "_"))(length, dice) or ""
        concerned = detail.split(",")[0] if kind == "pause" else None
        self.world.faults.append(Fault(kind, begin, time.time_ns(), detail, concerned))

    def _kill(self, length, _):
        self.world.kill()
        self.world.snapshot()
        time.sleep(length)
        self.world.start()

    def _restart(self, length, _):
        self.world.stop()
        self.world.snapshot()
        time.sleep(length / 4)
        self.world.start()

    def _freeze(self, length, _):
        pid = self.world.daemon.pid
        os.kill(pid, signal.SIGSTOP)
        time.sleep(length)
        os.kill(pid, signal.SIGCONT)

    def _one_host(self, dice):
        hosts = self.world.hosts()
        return hosts[int(dice * len(hosts))] if hosts else None

    def _kill_host(self, _, dice):
        return self._signal_host(signal.SIGKILL, dice)

    def _freeze_host(self, length, dice):
        name = self._signal_host(signal.SIGSTOP, dice)
        time.sleep(length)
        self._signal_host(signal.SIGCONT, dice, name)
        return name

    def _signal_host(self, number, dice, name=None):
        pid = int(name) if name else self._one_host(dice)
        try:
            if pid:
                os.kill(pid, number)
        except ProcessLookupError:
            pass
        return str(pid or "")

    def _next_guest(self, dice):
        """Writes the configuration with the guest in another shape, and gives that and the guest."""
        variant = (self.variant + 1 + int(dice * 3)) % 4
        came = guest(variant, self.begin)
        self.world.configure(self.jobs + ([came] if came else []))
        return variant, came

    def _exchange_guest(self, variant, came, asked, done):
        self.world.take_away("guest", (asked, done))
        if came:
            self.world.bring(came, (asked, done))
        self.variant = variant
        return f"guest {variant}"

    def _zones(self, *_):
        """A new edition of the zone database: entries move, and none may come twice."""
        asked = time.time_ns()
        self.rules = "Europe/Helsinki" if self.rules == "Europe/Berlin" else "Europe/Berlin"
        self.world.set_rules(self.rules)
        done = time.time_ns()
        for index, job in enumerate(self.jobs):
            if isinstance(job.schedule, Cron) and job.schedule.name == "Europe/Berlin":
                self.jobs[index] = replace(job, schedule=Cron(job.schedule.text, "Europe/Berlin", self.rules))
                self.world.take_away(job.name, (asked, done))
                self.world.bring(self.jobs[index], (asked, done))
        return self.rules

    def _kill_in_reload(self, length, dice):
        """The daemon dies somewhere between being asked and being done."""
        asked = time.time_ns()
        variant, came = self._next_guest(dice)
        os.kill(self.world.daemon.pid, signal.SIGHUP)
        time.sleep(dice * 0.3)
        self.do("kill", length / 4, dice)
        return self._exchange_guest(variant, came, asked, time.time_ns())

    def _reload(self, _, dice):
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
            return "refused"
        return self._exchange_guest(variant, came, asked, done)

    def _bad_reload(self, *_):
        self.world._replace("timelined.toml", '[job.steady]\nplugin = "exec"\nshedule = "every-minute"\n')
        status, words = self.world.ask("reload")
        if status == 0:
            self.world.surprises.append(f"a wrong configuration was taken: {words.strip()}")
        came = guest(self.variant, self.begin)
        self.world.configure(self.jobs + ([came] if came else []))

    def _disk_full(self, length, _):
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

    def _kill_disk_full(self, length, _):
        """The daemon dies of, or beside, a full disk, and is started again before there is room."""
        filler = f"{self.world.state}/filler"
        self._fill(filler)
        time.sleep(length / 2)
        self.do("kill", length / 2, 0)
        time.sleep(1)
        os.unlink(filler)

    def _garble(self, length, _):
        """The ledger is damaged while nobody has it open: what it knew is gone, and the daemon has to live on."""
        asked = time.time_ns()
        self.world.kill()
        self.world.snapshot()
        with open(f"{self.world.state}/ledger.sqlite", "r+b") as file:
            file.write(os.urandom(8192))
        time.sleep(length / 4)
        self.world.start()
        # Somebody has looked at what was set aside; several of it would fill the small disk for good.
        for name in os.listdir(self.world.state):
            if ".damaged-" in name:
                os.unlink(f"{self.world.state}/{name}")
        self.world.begin_anew((asked, time.time_ns()))

    def _no_descriptors(self, length, _):
        pid = self.world.daemon.pid
        before = resource.prlimit(pid, resource.RLIMIT_NOFILE)
        highest = max(map(int, os.listdir(f"/proc/{pid}/fd")))
        resource.prlimit(pid, resource.RLIMIT_NOFILE, (highest + 1, before[1]))
        for host in self.world.hosts():
            try:
                os.kill(host, signal.SIGKILL)
            except ProcessLookupError:
                pass
        used = self._processor_time(pid)
        time.sleep(length)
        used = self._processor_time(pid) - used
        resource.prlimit(pid, resource.RLIMIT_NOFILE, before)
        if used > 0.8 * length:
            self.world.surprises.append(f"without descriptors the daemon was busy for {used:.1f} s of {length:.1f} s")
        return f"limit {highest + 1}"

    @staticmethod
    def _processor_time(pid):
        with open(f"/proc/{pid}/stat") as file:
            fields = file.read().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def _step_second(self, _, dice):
        step = SECOND if dice < 0.5 else -SECOND
        self.world.set_offset(self.world.offset + step)
        return f"{step // SECOND:+d} s"

    def _step_hour(self, *_):
        self.world.set_offset(self.world.offset + HOUR)
        return "+1 h"

    def _step_back(self, length, _):
        """An hour back, before the last entry, and forth again."""
        before = self.world.offset
        self.world.set_offset(before - HOUR)
        time.sleep(1 + length)
        self.world.set_offset(before)
        return "-1 h and back"

    def _step_back_death(self, length, dice):
        """The same, and the daemon dies while the clock is back."""
        before = self.world.offset
        self.world.set_offset(before - HOUR)
        time.sleep(1)
        self.do("kill", 0.2, dice)
        time.sleep(length)
        self.world.set_offset(before)
        return "-1 h, a death, and back"

    def _sleep_hour(self, length, dice):
        """The machine is off for an hour, orderly or not."""
        if dice < 0.5:
            self.world.kill()
        else:
            self.world.stop()
        self.world.set_offset(self.world.offset + HOUR)
        time.sleep(length / 4)
        self.world.start()
        return "killed" if dice < 0.5 else "stopped"

    def _step_decade(self, *_):
        # What is that old will be dropped from the ledger: it is read before, and not before a daemon that was just started
        # has settled what it missed.
        time.sleep(1)
        self.world.snapshot_alive()
        self.world.set_offset(self.world.offset + DECADE)
        return "+10 years"

    def _trigger(self, _, dice):
        job = self.jobs[int(dice * len(self.jobs))]
        status, words = self.world.ask("trigger", job.name)
        # 1 says that the job's policies did not let it run.
        if status not in (0, 1):
            self.world.surprises.append(f"{job.name} could not be triggered: {words.strip()}")
        return job.name

    def _pause(self, length, dice):
        job = self.jobs[int(dice * len(self.jobs))]
        choice = ("latest", "all", "skip")[int(dice * 1000) % 3]
        self._must("pause", job.name)
        time.sleep(1 + length)
        self._must("resume", job.name, "--catch-up", choice)
        return f"{job.name}, {choice}"

    def _cancel(self, _, dice):
        """One of the runs that are under way."""
        status, words = self.world.ask("list", "--json")
        runs = [run["run"] for line in words.splitlines() for run in json.loads(line)["running"]]
        if runs:
            # It may be over by the time that it is asked to stop.
            self.world.ask("cancel", str(runs[int(dice * len(runs))]))
        return f"{len(runs)} were running"

    def _must(self, *words):
        status, answer = self.world.ask(*words)
        if status != 0:
            self.world.surprises.append(f"timelinectl {' '.join(words)}: {answer.strip()}")
