"""The daemon under torture: started, stopped, killed and asked, with a record of what was done to it and when.

Times here are the system's, in nanoseconds; what the daemon's clock shows is such a time plus the offset in force.
"""

import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

from descriptors import DescriptorStore
from facts import Copy, Era, Fault
from jobs import configuration

sys.path.append(str(Path(__file__).resolve().parent.parent))
from freezing import frozen  # noqa: E402 - it lies above
from patience import patience  # noqa: E402

PATIENCE = patience(30)  # seconds that anything may take before it counts as stuck


class Stuck(Exception):
    """The daemon did not do in half a minute what it should do at once."""


class World:
    def __init__(self, programs, directory, seed):
        self.programs, self.directory, self.seed = programs, directory, seed
        self.state = f"{directory}/state"
        self.faults, self.eras, self.surprises = [], [], []
        self.offsets = []  # (since when at the earliest, since when at the latest, nanoseconds)
        self.copies, self.is_anew, self.is_aged, self.is_cut = [], False, False, False
        self.triggers = []
        self.store = DescriptorStore(f"{directory}/notify.sock")
        self.daemon = None
        self.pids = []
        self.is_expected_dead = True
        self._log_offset = 0
        os.makedirs(self.state, exist_ok=True)
        os.makedirs(f"{directory}/zoneinfo/Europe", exist_ok=True)
        shutil.copy("/usr/share/zoneinfo/UTC", f"{directory}/zoneinfo/UTC")
        shutil.copy("/usr/share/zoneinfo/Europe/Berlin", f"{directory}/zoneinfo/Europe/Berlin")
        open(f"{directory}/evidence", "w").close()
        threading.Thread(target=self._notice_stalls, daemon=True).start()

    # What the daemon lives by.

    def configure(self, jobs):
        """Writes the configuration; it is in force once the daemon has read it."""
        self._replace("timelined.toml", configuration(jobs, self.seed, self.directory))

    def set_offset(self, offset):
        """Steps the clock of the daemon, running or not."""
        earliest = time.time_ns()
        self._replace("offset", f"{offset}ns\n")
        if self.daemon:
            mark = self.mark()
            os.kill(self.daemon.pid, signal.SIGUSR2)
            self.wait_for_line("the system clock moved", mark)
        self.offsets.append((earliest, time.time_ns(), offset))

    def set_rules(self, zone, is_used=True):
        """Gives Berlin the rules of another zone, as a new edition of the zone database would; a daemon with a job in it says so."""
        mark = self.mark()
        shutil.copy(f"/usr/share/zoneinfo/{zone}", f"{self.directory}/zoneinfo/Europe/Berlin.new")
        os.replace(f"{self.directory}/zoneinfo/Europe/Berlin.new", f"{self.directory}/zoneinfo/Europe/Berlin")
        if is_used:
            self.wait_for_line("the zone database has changed", mark)

    @property
    def offset(self):
        return self.offsets[-1][2]

    def _replace(self, name, text):
        path = f"{self.directory}/{name}"
        with open(path + ".new", "w") as file:
            file.write(text)
        os.replace(path + ".new", path)

    # Life and death.

    def start(self):
        """Starts the daemon and waits until it is ready."""
        mark = self.mark()
        log = open(f"{self.directory}/log", "ab")
        environment = {"PATH": "/usr/bin:/bin", "TZ": "UTC", "LC_ALL": "C.UTF-8", "TZDIR": f"{self.directory}/zoneinfo"}
        self.daemon = self.store.start(
            [f"{self.programs}/timelined", "--config", f"{self.directory}/timelined.toml", "--state", self.state,
             "--control", f"{self.directory}/control.sock", "--plugins", f"{self.programs}/plugins",
             "--host", f"{self.programs}/timeline-host", "--clock-offset-file", f"{self.directory}/offset"],
            stdin=subprocess.DEVNULL, stdout=log, stderr=log, env=environment)
        log.close()
        self.pids.append(self.daemon.pid)
        self.is_expected_dead = False
        self.wait_for_line("timelined 0.", mark)

    def kill(self, keeps=False):
        """SIGKILL, as a crash or the kernel would; with `keeps` the next daemon is handed the plugin hosts of this one."""
        self.is_expected_dead = True
        self.daemon.kill()
        self._bury()
        if not keeps:
            self.store.drop()

    def stop(self):
        """SIGTERM, and waits for the drain; a bad exit status is a surprise."""
        self.is_expected_dead = True
        self.daemon.terminate()
        status = self._bury()
        self.store.drop()
        if status != 0:
            self.surprises.append(f"the daemon ended with status {status} when it was asked to stop")

    def _bury(self):
        try:
            status = self.daemon.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self.daemon.kill()
            self.daemon.wait()
            self.surprises.append(f"the daemon did not end within {PATIENCE} s")
            status = None
        self.daemon = None
        return status

    def look_after(self):
        """Notes a death that nobody ordered, and starts anew."""
        if self.daemon and self.daemon.poll() is not None:
            self.surprises.append(f"the daemon died by itself with status {self.daemon.returncode}")
            now = time.time_ns()
            self.daemon = None
            self.store.drop()
            self.start()
            self.faults.append(Fault("death", now - 10**9, time.time_ns()))

    def ask(self, *words):
        """Asks timelinectl; gives its exit status and what it printed."""
        try:
            done = subprocess.run(
                [f"{self.programs}/timelinectl", "--socket", f"{self.directory}/control.sock", *words],
                stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=PATIENCE)
        except subprocess.TimeoutExpired:
            raise Stuck(f"timelinectl {' '.join(words)}") from None
        return done.returncode, done.stdout + done.stderr

    def hosts(self):
        """The processes of the daemon's hosts."""
        try:
            with open(f"/proc/{self.daemon.pid}/task/{self.daemon.pid}/children") as file:
                return [int(word) for word in file.read().split()]
        except OSError:
            return []

    def with_children(self, pids):
        """Processes and all that they have started."""
        found, fresh = set(), list(pids)
        while fresh:
            pid = fresh.pop()
            found.add(pid)
            try:
                with open(f"/proc/{pid}/task/{pid}/children") as file:
                    fresh += [int(word) for word in file.read().split() if int(word) not in found]
            except OSError:
                pass
        return frozenset(found)

    def jobs_of(self, pids):
        """The jobs whose runs have testified from one of the processes; an idle plugin host concerns them too."""
        with open(f"{self.directory}/evidence") as file:
            lines = [line.split("\t") for line in file]
        return frozenset(line[1] for line in lines if len(line) > 5 and int(line[5]) in pids)

    def snapshot(self):
        """Copies the ledger as it is; the daemon must not be writing just now."""
        place = f"{self.directory}/snapshot-{len(self.copies)}"
        shutil.copytree(self.state, place, ignore=shutil.ignore_patterns("filler"))
        self.copies.append(Copy(place, self.is_anew, self.is_aged, self.is_cut))
        self.is_anew = self.is_cut = False

    def snapshot_alive(self):
        """The same while the daemon lives, which is held for as long."""
        with frozen(self.daemon.pid):
            self.snapshot()

    # Eras.

    def bring(self, job, came):
        self.eras.append(Era(job, came))

    def take_away(self, name, went):
        for era in self.eras:
            if era.job.name == name and era.went is None:
                era.went = went

    def begin_anew(self, when):
        """Every job is as new: the daemon has lost its ledger."""
        self.is_anew = True
        for era in [era for era in self.eras if era.went is None]:
            era.went = when
            self.bring(era.job, when)

    # The log, and the machine's own pauses.

    def mark(self):
        try:
            return os.path.getsize(f"{self.directory}/log")
        except FileNotFoundError:
            return 0

    def wait_for_line(self, text, mark):
        limit = time.monotonic() + PATIENCE
        while time.monotonic() < limit:
            with open(f"{self.directory}/log", "rb") as file:
                file.seek(mark)
                if text.encode() in file.read():
                    return
            if self.daemon and self.daemon.poll() is not None:
                raise Stuck(f"the daemon ended with status {self.daemon.returncode} before it said '{text}'")
            time.sleep(0.01)
        raise Stuck(f"the daemon did not say '{text}'")

    def _notice_stalls(self):
        """A machine that lets nobody run for a while makes everything late; nobody is to blame for that."""
        before = time.time_ns()
        while True:
            time.sleep(0.02)
            now = time.time_ns()
            if now - before > 200_000_000:
                self.faults.append(Fault("stall", before, now))
            before = now
