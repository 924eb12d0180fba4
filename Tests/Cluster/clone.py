#!/usr/bin/env python3
"""clone.py PROGRAMS: who a node is, in a cluster with a PostgreSQL. A state directory is no proof of it; what a service manager keeps is.

A daemon that is started with a copy of a node's state waits, and says for whom. Each entry is started once, also when the node dies and the copy
takes its place. A daemon that a service manager restarts after a kill has its jobs at once.
"""

import functools
import os
import shutil
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

import demonstrate
from demonstrate import Failed

sys.path[:0] = [str(Path(__file__).resolve().parent.parent / "Torture"), str(Path(__file__).resolve().parent.parent)]
from descriptors import DescriptorStore  # noqa: E402 - it lies above
from freezing import frozen  # noqa: E402 - it lies above

demonstrate.NODES, demonstrate.LEASE = ["a", "managed"], 2
HELD = "another daemon has the node name"


def jobs(directory):
    return "".join(f"""
[job.once{number}]
run-on   = "one"
where    = ["role=shared"]
plugin   = "exec"
schedule = {{ periodic = {{ by = "1s" }} }}
with     = {{ command = ["/bin/sh", "-c", "echo $TIMELINE_RUN_KEY >>{directory}/runs"] }}
""" for number in range(3)) + f"""
[job.kept]
run-on   = "one"
where    = ["!role=shared"]
plugin   = "exec"
schedule = {{ periodic = {{ by = "1s" }} }}
with     = {{ command = ["/bin/sh", "-c", "echo $TIMELINE_RUN_KEY >>{directory}/kept; sleep 0.8"] }}
"""


class Clone(demonstrate.Demonstration):
    def log(self, node):
        return (self.directory / node / "log").read_text()

    def runs(self):
        """The number of runs of each entry."""
        path = self.directory / "runs"
        return Counter(path.read_text().splitlines()) if path.exists() else Counter()

    def starts(self):
        """The number of runs of the job that a managed daemon has."""
        path = self.directory / "kept"
        return len(path.read_text().splitlines()) if path.exists() else 0

    def expect(self, sentence, holds, found):
        if not holds:
            raise Failed(f"{sentence}: {found}")
        print(f"ok - {sentence}", flush=True)

    def expect_once(self, sentence):
        twice = [key for key, count in self.runs().items() if count != 1]
        self.expect(sentence, not twice, twice)

    def runs_on(self):
        count = len(self.runs())
        self.until("the jobs run", lambda: len(self.runs()) > count + 5)

    def copy(self, node, name):
        """A directory of another daemon with this node's configuration, name and present state."""
        (self.directory / name).mkdir()
        shutil.copy(self.directory / node / "timelined.toml", self.directory / name)
        with frozen(self.daemons[node].pid):
            shutil.copytree(self.directory / node / "state", self.directory / name / "state")

    def waits(self, node):
        self.until(f"{node} waits", lambda: HELD in self.log(node))
        status, health = self.ask(node, "status", "--exit-code")
        found = f"problem: cluster: this node is not a member: {HELD} a (epoch "
        self.expect(f"{node} waits, and its health says for whom", status == 1 and found in health, health)
        for words in (["status"], ["cluster"]):
            text = self.ask(node, *words)[1]
            self.expect(f"so does timelinectl {words[0]}", f"{HELD} a (epoch " in text and "seen since" in text, text)

    def run(self):
        demonstrate.JOBS = jobs(self.directory)
        self.make_store()
        path = self.directory / "a" / "timelined.toml"
        path.write_text(path.read_text().replace('{ name = "a" }', '{ name = "a", labels = { role = "shared" } }'))

        self.start("a")
        self.until("a runs the jobs", lambda: len(self.runs()) > 5)
        self.copy("a", "copy")
        self.start("copy")
        self.waits("copy")
        self.until("the copy sees that a lives", lambda: f"{HELD} a" in self.log("copy") and "and renews its lease" in self.log("copy"))
        self.runs_on()
        self.expect_once("beside a copy of its node each entry is started once")
        status, text = self.ask("a", "cluster")
        self.expect("the node with the lease keeps it", status == 0 and self.log("a").count("is a member") == 1, text)
        self.expect("and its jobs", "is not run here any more" not in self.log("a") and "runs here now" not in self.log("copy"), self.log("a"))

        self.daemons.pop("a").kill()
        self.until("the copy is the member when that one has died", lambda: "is a member" in self.log("copy"))
        self.runs_on()
        self.start("a")
        self.until("the node waits for the copy then", lambda: self.log("a").count(HELD) > 0)
        self.runs_on()
        self.expect_once("after that, too, each entry is started once")
        self.restart_by_manager()

    def restart_by_manager(self):
        manager, node = DescriptorStore(str(self.directory / "notify.sock")), "managed"
        spawn = functools.partial(manager.start, env=dict(os.environ))
        self.start(node, spawn)
        self.until("a daemon of a service manager has its job", lambda: "job kept runs here now" in self.log(node))
        before = len(self.log(node))
        self.daemons.pop(node).kill()
        killed = time.monotonic()
        self.start(node, spawn)
        self.until("it has the job again", lambda: "job kept runs here now" in self.log(node)[before:])
        self.expect("a daemon that a service manager restarts after a kill waits for nothing", HELD not in self.log(node), self.log(node))
        print(f"it had the job {time.monotonic() - killed:.1f} s after the kill", flush=True)

        starts = self.starts()
        self.until("a run begins", lambda: self.starts() > starts + 1)
        before = len(self.log(node))
        self.daemons.pop(node).kill()
        manager.drop()
        self.start(node, spawn)
        self.until("it has the job again", lambda: "job kept runs here now" in self.log(node)[before:])
        self.expect("without what the manager kept it waits for a lease", HELD in self.log(node)[before:], self.log(node))
        self.until("the job runs", lambda: " succeeded " in self.log(node)[before:])
        log = self.log(node)[before:]
        self.expect("the run that was active has an unknown outcome, and no log calls it split", "unknown" in log and "split" not in log, log)


def main():
    scene = Clone(sys.argv[1], tempfile.mkdtemp(prefix="timelined-clone-"))
    try:
        scene.run()
    except Failed as failure:
        print(f"NOT OK - {failure}", flush=True)
        for path in sorted(scene.directory.glob("*/log")):
            print(f"-- {path}\n{path.read_text()[-3000:]}", flush=True)
        return 1
    finally:
        scene.end()
    return 0


sys.exit(main())
