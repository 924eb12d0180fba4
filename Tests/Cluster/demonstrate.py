#!/usr/bin/env python3
"""Shows a cluster of three nodes on one machine, for about a minute.

PostgreSQL as an ordinary user, three daemons and their state are in a temporary directory that is removed at the end, also by Ctrl-C.

usage: demonstrate.py PROGRAMS
"""

import contextlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path[:0] = [str(Path(__file__).resolve().parent.parent / "Store"), str(Path(__file__).resolve().parent.parent)]
from patience import patience  # noqa: E402 - it lies above
from server import Server  # noqa: E402 - it lies beside

NODES = ["a", "b", "c"]
LEASE = 5
READING_SECONDS = 8
LIMIT_SECONDS = patience(30)
ENDING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
# The nodes have the same jobs; what differs is the name of the node.
JOBS = """
[job.report]
run-on   = "one"
plugin   = "exec"
schedule = { periodic = { by = "2s" } }
with     = { command = ["/bin/sh", "-c", "echo the report with token $TIMELINE_FENCING_TOKEN"] }

[job.backup]
run-on   = "one"
plugin   = "log"
schedule = { periodic = { by = "5s" } }
with     = { message = "the backup of {nominal}" }
"""


class Failed(Exception):
    """A step of the demonstration did not come to pass."""


@contextlib.contextmanager
def deferred_signals():
    """Has the signals that end this program wait for the end of the body."""
    arrived = []
    former = {number: signal.signal(number, lambda number, _: arrived.append(number)) for number in ENDING}
    try:
        yield
    finally:
        for number, handler in former.items():
            signal.signal(number, handler)
        for number in arrived:
            signal.raise_signal(number)


class Demonstration:
    def __init__(self, programs, directory):
        self.programs, self.directory = Path(programs).resolve(), Path(directory)
        self.daemons = {}
        self.database = None

    def say(self, sentence):
        # A person reads what is above first.
        if sys.stdout.isatty() and self.daemons:
            time.sleep(READING_SECONDS)
        print(f"\n== {sentence}", flush=True)

    def socket(self, node):
        return self.directory / node / "control.sock"

    def ask(self, node, *words):
        return self._run("--socket", str(self.socket(node)), *words)

    def _run(self, *words):
        done = subprocess.run(
            [self.programs / "timelinectl", *words], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, text=True, timeout=LIMIT_SECONDS)
        return done.returncode, done.stdout

    def show(self, node, *words):
        """Prints a command and what it prints."""
        print(f"$ timelinectl --socket {self.socket(node)} {' '.join(words)}", flush=True)
        print(self.ask(node, *words)[1], end="", flush=True)

    def until(self, sentence, condition):
        end = time.monotonic() + LIMIT_SECONDS
        while not condition():
            for node, daemon in self.daemons.items():
                if daemon.poll() is not None:
                    raise Failed(f"node {node} has ended: {(self.directory / node / 'log').read_text()[-2000:]}")
            if time.monotonic() > end:
                raise Failed(f"it did not come to pass within {LIMIT_SECONDS:.0f} s: {sentence}")
            time.sleep(0.2)

    # The store and the nodes.

    def make_store(self):
        (self.directory / "postgresql").mkdir()
        self.directory.chmod(0o755)
        self.database = Server(self.directory / "postgresql").create().start()
        credential = self.directory / "credential"
        credential.write_text(self.database.info() + "\n")
        credential.chmod(0o600)
        for node in NODES:
            (self.directory / node).mkdir()
            (self.directory / node / "timelined.toml").write_text(
                f'[daemon]\ndrain-timeout = "2s"\n\n[cluster]\nname  = "demo"\nstore = {{ postgresql = {{ credential = "{credential}" }} }}\n'
                f'node  = {{ name = "{node}" }}\nlease = "{LEASE}s"\n{JOBS}')
        configuration = self.directory / "a" / "timelined.toml"
        print(f"$ timelinectl cluster init --config {configuration}", flush=True)
        status, text = self._run("cluster", "init", "--config", str(configuration))
        print(text, end="", flush=True)
        if status != 0:
            raise Failed("the tables could not be made")

    def start(self, node, spawn=subprocess.Popen):
        directory = self.directory / node
        # A daemon that has been started is always one that ``end`` knows.
        with open(directory / "log", "ab") as log, deferred_signals():
            # A session of its own: Ctrl-C is for this program, which ends the daemons.
            self.daemons[node] = spawn(
                [self.programs / "timelined", "--config", directory / "timelined.toml", "--state", directory / "state",
                 "--control", self.socket(node), "--plugins", self.programs / "plugins",
                 "--host", self.programs / "timeline-host"],
                stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True)

    def nodes_of(self, job, asked):
        """The nodes that `cluster status` names for a job."""
        for line in self.ask(asked, "cluster", "status")[1].splitlines():
            words = line.split()
            if words[:1] == [job] and len(words) > 1:
                return words[1]
        return ""

    def ran_on(self, job, node, asked):
        return any(f" {node} " in line and "succeeded" in line for line in self.ask(asked, "history", job, "-n", "3")[1].splitlines())

    def end(self):
        for daemon in self.daemons.values():
            if daemon.poll() is None:
                daemon.terminate()
        for daemon in self.daemons.values():
            try:
                daemon.wait(LIMIT_SECONDS)
            except subprocess.TimeoutExpired:
                daemon.kill()
                daemon.wait()
        if self.database:
            self.database.stop("immediate")
        shutil.rmtree(self.directory, ignore_errors=True)

    # What is shown.

    def run(self):
        self.say(f"PostgreSQL is started as an ordinary user in {self.directory}, and gets the tables of the cluster.")
        self.make_store()
        self.say(f"Three nodes are started: {', '.join(NODES)}. Each has the same jobs, its own state, and a lease of {LEASE} s.")
        for node in NODES:
            self.start(node)
        self.until("all nodes are members, and each job has one", lambda: all(
            self.nodes_of(job, "a") in NODES for job in ["report", "backup"]) and self.ask("a", "cluster", "status")[1].count(" member ") == 3)
        first = self.nodes_of("report", "a")
        self.until("the job runs", lambda: self.ran_on("report", first, "a"))
        self.say(f"Each job runs on one node: report on {first}.")
        self.show("a", "cluster", "status")
        self.show("a", "history", "report", "-n", "3")

        other = next(node for node in NODES if node != first)
        self.say(f"Node {first} is killed, as by a power failure. The others wait until its lease has ended; it can run nothing after that.")
        print(f"$ kill -9 {self.daemons[first].pid}", flush=True)
        killed = time.monotonic()
        self.daemons.pop(first).kill()
        self.until("another node has the job", lambda: self.nodes_of("report", other) not in ("", "no", first))
        second = self.nodes_of("report", other)
        self.until("the job runs there", lambda: self.ran_on("report", second, other))
        self.say(f"After {time.monotonic() - killed:.0f} s report has run on node {second}. Its tokens ascend: a resource can refuse older ones.")
        self.show(other, "cluster", "status")
        self.show(other, "history", "report", "-n", "6")

        self.say(f"Node {first} is started again. The jobs stay where they are: a job has no need to move.")
        self.start(first)
        self.until("it is a member again", lambda: self.ask(other, "cluster", "status")[1].count(" member ") == 3)
        time.sleep(4)
        self.show(first, "cluster", "status")

        self.say("The nodes end, PostgreSQL too, and the directory is removed.")


def main():
    if len(sys.argv) != 2:
        raise SystemExit("usage: demonstrate.py PROGRAMS")
    directory = tempfile.mkdtemp(prefix="timelined-cluster-")
    demonstration = Demonstration(sys.argv[1], directory)
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, lambda *_: sys.exit(128 + number))
    try:
        demonstration.run()
    except Failed as failed:
        print(f"cluster: error: {failed}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("\n== It is interrupted: everything is ended and removed.")
        return 130
    finally:
        # A second Ctrl-C must not leave half of it behind.
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        demonstration.end()
    return 0


if __name__ == "__main__":
    sys.exit(main())
