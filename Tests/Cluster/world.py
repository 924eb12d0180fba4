"""Three daemons with what belongs to them, each in a network namespace of its own, and one store."""

import json
import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from dataclasses import dataclass
from pathlib import Path

import jobs as mixes
from database import Database
from etcd_database import EtcdDatabase
from network import Network

sys.path.append(str(Path(__file__).resolve().parent.parent))
from freezing import frozen, send  # noqa: E402 - it lies above
from patience import patience  # noqa: E402

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
PATIENCE = patience(30)


class Stuck(Exception):
    """Something that must come to pass did not."""


def children(pid):
    try:
        return [int(word) for word in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    except OSError:
        return []


def descendants(pid):
    found = []
    for child in children(pid):
        found += [child, *descendants(child)]
    return found


def name_of(pid):
    try:
        return Path(f"/proc/{pid}/comm").read_text().strip()
    except OSError:
        return ""


@dataclass
class Fault:
    """Something that was done to nodes, and when by the system's clock. It has begun by `struck`, lasts until `healing`, and is over by `end`."""

    kind: str
    nodes: list
    begin: int
    healing: int = 0
    end: int = 0
    struck: int = 0

    def heal(self, healer):
        self.healing = time.time_ns()
        healer()
        self.end = time.time_ns()


class Node:
    """One daemon, its state, its configuration, its log, and its clock."""

    def __init__(self, world, name, directory=None):
        self.world, self.name = world, name
        self.directory = world.directory / (directory or name)
        self.directory.mkdir()
        self.process = None
        self.timeouts = {}
        self.set_offset(0)
        self.configure()

    def configure(self):
        text = mixes.configuration(self.name, self.world, self.timeouts)
        self._replace("timelined.toml", text)

    def set_offset(self, seconds):
        self._replace("offset", f"{seconds}s\n")

    def _replace(self, name, text):
        path = self.directory / f"{name}.new"
        path.write_text(text)
        path.rename(self.directory / name)

    def start(self):
        programs = self.world.programs
        with open(self.directory / "log", "ab") as log:
            mark = log.tell()
            self.process = subprocess.Popen(
                [*self.world.network.inside(self.name), f"{programs}/timelined", "--config", f"{self.directory}/timelined.toml",
                 "--state", f"{self.directory}/state", "--control", f"{self.directory}/control.sock",
                 "--plugins", f"{programs}/plugins", "--host", f"{programs}/timeline-host",
                 "--clock-offset-file", f"{self.directory}/offset"],
                stdin=subprocess.DEVNULL, stdout=log, stderr=log, env={"PATH": "/usr/sbin:/usr/bin:/bin", "LC_ALL": "C.UTF-8"})
        self._wait_for("timelined 0.", mark)

    def _wait_for(self, text, mark):
        limit = time.monotonic() + PATIENCE
        while time.monotonic() < limit:
            if text.encode() in (self.directory / "log").read_bytes()[mark:]:
                return
            if self.process.poll() is not None:
                raise Stuck(f"node {self.name}: ended with status {self.process.returncode} before its log had '{text}'")
            time.sleep(0.02)
        raise Stuck(f"node {self.name}: its log does not have '{text}'")

    def copy(self):
        """A node of the same name, with a copy of the state that this one has now."""
        copy = Node(self.world, self.name, f"{self.name}-{time.time_ns()}")
        with frozen(self.process.pid):
            shutil.copytree(self.directory / "state", copy.directory / "state")
        return copy

    def kill(self, with_hosts):
        pids = descendants(self.process.pid) if with_hosts else []
        send(signal.SIGKILL, [self.process.pid, *pids])
        self.process.wait(PATIENCE)

    def stop(self):
        """Asks the daemon to end; a bad exit status is a surprise."""
        send(signal.SIGTERM, [self.process.pid])
        try:
            status = self.process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self.kill(True)
            status = f"none within {PATIENCE} s"
        if status != 0:
            self.world.surprises.append(f"node {self.name}: ended with status {status} when it was asked to stop")

    def hosts(self):
        return [pid for pid in descendants(self.process.pid) if name_of(pid) != "timeline-store"]

    def adapters(self):
        return [pid for pid in children(self.process.pid) if name_of(pid) == "timeline-store"]

    def signal(self, number):
        send(number, [self.process.pid])

    def ask(self, *words):
        """Asks timelinectl; gives its exit status and what it printed."""
        try:
            done = subprocess.run(
                [f"{self.world.programs}/timelinectl", "--socket", f"{self.directory}/control.sock", *words],
                stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=PATIENCE)
        except subprocess.TimeoutExpired:
            raise Stuck(f"node {self.name}: timelinectl {' '.join(words)} does not end") from None
        return done.returncode, done.stdout + done.stderr


class World:
    """Everything; `close` removes what is not a file."""

    STORES = {"postgresql": Database, "etcd": EtcdDatabase}

    def __init__(self, programs, directory, lease, jobs, store="postgresql", part=1):
        self.store = store
        self.programs, self.directory, self.lease = Path(programs).resolve(), Path(directory), lease
        self.jobs = jobs
        self.faults, self.surprises = [], []
        self.network = Network(mixes.LABELS, store, part)
        self.database, self.register, self.nodes = None, None, {}
        self.is_closed = False
        self.begin, self.end = 0, 0

    def open(self):
        self.directory.chmod(0o755)
        self._compile()
        (self.directory / "evidence").touch()
        self.network.create()
        self.register = subprocess.Popen(
            [sys.executable, HERE / "register.py", self.directory], stdout=subprocess.PIPE, text=True)
        self.register.stdout.readline()
        self.database = self.STORES[self.store](self.directory / "database", self.network)
        self.database.prepare(self.directory)
        self.nodes = {name: Node(self, name) for name in self.network.nodes}
        self._initialize()
        self.begin = time.time_ns()
        for node in self.nodes.values():
            node.start()
        threading.Thread(target=self._notice_stalls, daemon=True).start()

    def _compile(self):
        subprocess.run(
            [os.environ.get("CC", "cc"), "-std=c17", "-O1", "-Wall", "-Wextra", "-Werror", "-D_GNU_SOURCE", "-fPIC",
             "-fvisibility=hidden", "-shared", f"-I{ROOT}/Sources/Base/CTimelinePlugin/include", "-o",
             self.directory / "evidence.so", HERE / "evidence.c"], check=True)
        shutil.copy(HERE / "evidence.sh", self.directory)

    def _initialize(self):
        done = subprocess.run(
            [self.programs / "timelinectl", "cluster", "init", "--config", self.directory / "a" / "timelined.toml",
             *self.database.initializing(self.directory)], capture_output=True, text=True, timeout=PATIENCE)
        if done.returncode != 0:
            raise Stuck(f"cluster init: {done.stdout}{done.stderr}")
        self.database.grant()

    def close(self):
        self.is_closed = True
        try:
            for node in self.nodes.values():
                if node.process and node.process.poll() is None:
                    node.kill(with_hosts=True)
            if self.register:
                self.register.kill()
                self.register.wait()
            if self.database:
                self.database.stop()
        finally:
            self.network.remove()

    def look_after(self):
        """Notes a death that nobody ordered, and starts anew."""
        for node in self.nodes.values():
            if node.process.poll() is not None:
                self.surprises.append(f"node {node.name}: died by itself with status {node.process.returncode}")
                fault = Fault("death", [node.name], time.time_ns() - 10**9)
                self.faults.append(fault)
                fault.heal(node.start)

    def save(self, seed):
        """Writes what the judge reads, beside the evidence."""
        facts = {
            "seed": seed, "lease": self.lease, "begin": self.begin, "end": self.end,
            "namespaces": {self.network.identity(node): node for node in self.nodes},
            "jobs": [vars(job) | {"is_short": job.is_short} for job in self.jobs],
            "faults": [vars(fault) for fault in self.faults], "surprises": self.surprises, "election": self.database.ELECTION}
        (self.directory / "facts.json").write_text(json.dumps(facts, indent=1))
        (self.directory / "store.json").write_text(self.database.dump())

    def _notice_stalls(self):
        """A machine that lets nobody run for a while makes everything late; nobody is to blame for that."""
        before = time.time_ns()
        while not self.is_closed:
            time.sleep(0.02)
            now = time.time_ns()
            if now - before > 250_000_000:
                self.faults.append(Fault("stall", [], before, now, now))
            before = now
