#!/usr/bin/env python3
"""handover.py PROGRAMS: what the next owner of a job goes on with, in a cluster of two nodes with a PostgreSQL.

An incident goes on when its node is killed, and when it is stopped: what was reported once is not reported anew, and has one recovery. Cursors that
together are longer than a message to the store come through. A job that only a node that is gone had is listed by the other.
"""

import json
import sys
import tempfile
from pathlib import Path

import demonstrate

demonstrate.NODES, demonstrate.LEASE = ["a", "b"], 2
# Of cursors of 16,000 bytes as many that those on one node are more than a message to the store can have.
CURSORS = 20


def jobs(directory):
    reports = f'["/bin/sh", "-c", "echo \\"$TIMELINE_UPSTREAM\\" >>{directory}/reports"]'
    text = f"""
[job.check]
run-on      = "one"
plugin      = "exec"
schedule    = {{ periodic = {{ by = "1s" }} }}
with        = {{ command = ["/usr/bin/test", "!", "-e", "{directory}/broken"] }}
on-failure  = {{ job = "tell", after = 3, remind = "1h" }}
on-recovery = "tell"

[job.tell]
plugin   = "exec"
schedule = "on-demand"
with     = {{ command = {reports} }}
"""
    for number in range(CURSORS):
        text += f"""
[job.long{number}]
run-on   = "one"
plugin   = "process"
schedule = {{ periodic = {{ by = "4s" }} }}
with     = {{ command = ["/bin/sh", "{directory}/long"] }}
"""
    return text


# A job that no other node has.
OWN = """
[job.only-{node}]
run-on   = "one"
plugin   = "exec"
schedule = {{ periodic = {{ by = "1h" }} }}
with     = {{ command = ["/bin/true"] }}
"""


class Handover(demonstrate.Demonstration):
    def orphans(self, node):
        """The jobs that no node runs, as a node lists them."""
        return [line.split()[0] for line in self.ask(node, "cluster", "status")[1].splitlines() if " no node " in line]

    def reports(self):
        """Phase, number of failures and first failure of each report."""
        path = self.directory / "reports"
        incidents = [json.loads(line)["incident"] for line in path.read_text().splitlines()] if path.exists() else []
        return [(incident["phase"], incident["failures"], incident["since"]) for incident in incidents]

    def phases(self):
        return [phase for phase, _, _ in self.reports()]

    def last_failure(self, node):
        """The last entry that failed on a node; none, as in "", before the first."""
        lines = self.ask(node, "history", "check", "--json", "-n", "3")[1].splitlines()
        records = [record for record in map(json.loads, lines) if record.get("outcome") == "failed" and record["node"] == node]
        return records[-1]["entry"] if records else ""

    def expect(self, sentence, holds, found):
        if not holds:
            raise demonstrate.Failed(f"{sentence}: {found}")
        print(f"ok - {sentence}", flush=True)

    def run(self):
        broken = self.directory / "broken"
        cursor = "x" * 16_000
        (self.directory / "long").write_text(f"read -r run\necho '{{\"cursor\": \"{cursor}\"}}'\necho '{{\"status\": \"ok\"}}'\n")
        (self.directory / "long").chmod(0o755)
        demonstrate.JOBS = jobs(self.directory)
        self.make_store()
        for node in demonstrate.NODES:
            with open(self.directory / node / "timelined.toml", "a") as file:
                file.write(OWN.format(node=node))
            self.start(node)
        self.until("the job has a node", lambda: self.nodes_of("check", "a") in demonstrate.NODES)
        first = self.nodes_of("check", "a")
        second = next(node for node in demonstrate.NODES if node != first)
        self.until("cursors that are longer than a message come through", lambda: all(
            self.ask(second, "history", f"long{number}", "-n", "5")[1].count("succeeded") > 1 for number in range(CURSORS)))

        self.until("the job runs", lambda: self.ran_on("check", first, second))
        broken.touch()
        self.until("its incident is reported", lambda: self.phases() == ["opened"])
        # What the store has is what the next owner goes on with.
        self.until("the store has the incident", lambda: self.database.sql(
            "select incidents -> 0 ->> 'reportedAt' from timelined.job where name = 'check'").strip())
        self.until("each node has its own job", lambda: all(self.nodes_of(f"only-{node}", node) == node for node in demonstrate.NODES))
        self.expect("every job has a node", self.orphans(second) == [], self.orphans(second))
        self.daemons.pop(first).kill()
        self.until("the other node has the job", lambda: self.last_failure(second))
        self.until("a job of the node that is gone is listed by the other", lambda: self.orphans(second) == [f"only-{first}"])
        status, health = self.ask(second, "status", "--exit-code")
        self.expect("health tells of it", status == 1 and f"problem: job only-{first}: no node of the cluster runs it" in health, health)
        self.expect("a node that takes a job over does not report its incident anew", self.phases() == ["opened"], self.reports())
        story = self.ask(second, "why", "check", self.last_failure(second))[1]
        self.expect("it knows of the incident", "open since" in story, story)
        broken.unlink()
        self.until("the recovery is told", lambda: len(self.reports()) > 1)
        (_, _, since), (_, count, end) = self.reports()
        self.expect("its recovery has all failures, those before the take-over too", self.phases()[1] == "recovered" and count > 3 and since == end, self.reports())

        broken.touch()
        self.until("another incident is reported", lambda: self.phases()[2:] == ["opened"])
        self.start(first)
        self.until("the first node is a member again", lambda: self.ask(second, "cluster", "status")[1].count(" member ") == 2)
        self.daemons[second].terminate()
        self.daemons.pop(second).wait(demonstrate.LIMIT_SECONDS)
        self.until("it has the job", lambda: self.last_failure(first))
        broken.unlink()
        self.until("the recovery is told", lambda: len(self.phases()) > 3)
        self.until("the job runs on", lambda: self.ask(first, "history", "check", "-n", "5")[1].count("succeeded") > 2)
        self.expect("a job that is handed over in order takes its incident along", self.phases() == ["opened", "recovered"] * 2, self.reports())


def main():
    scene = Handover(sys.argv[1], tempfile.mkdtemp(prefix="timelined-handover-"))
    try:
        scene.run()
    except demonstrate.Failed as failure:
        print(f"NOT OK - {failure}; reports: {scene.reports()}", flush=True)
        return 1
    finally:
        scene.end()
    return 0


sys.exit(main())
