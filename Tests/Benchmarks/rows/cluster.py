"""What a cluster takes: claims a second that three adapters have of one server, beside the bare SQL on it; how late jobs start that one node
runs, beside the same jobs in a daemon without a cluster; and how long a job of a node that was killed waits for another one.

All of it, the server included, is on this machine: claims are bound by its processors and its disk.
"""
import contextlib
import os
import re
import time
from concurrent.futures import ThreadPoolExecutor

import clusters  # before the modules of the store's tests, which it makes known
import daemons
import probe
from adapter import Node
from rules import granted
from server import until

NODES, BATCH = 3, 100
# A batch is of so many jobs, with as many entries of each.
JOBS = 10
CLAIM_SECONDS = 2
# The least that makes the rows of a batch as durable: one statement, one commit.
BARE = """\\set at :at + 1
insert into timelined.claim (job, nominal, epoch, token, entry_count)
select :job + 10 * :client_id + j, 10 * :at + e, '00000000000000000000000000000001'::uuid, nextval('timelined.token'), 1
from generate_series(0, 9) j, generate_series(0, 9) e on conflict do nothing;
"""
PUBLISHED = ("db-scheduler publishes 10,600 to 11,840 executions a second: 4 schedulers, PostgreSQL on 4 or 8 processors, "
             "each on a machine of its own (github.com/kagkarlsson/db-scheduler, docs/benchmark.md)")

# A job of a cluster has at most one entry a second; these come a tenth of a second after each other.
LATE_JOBS, LATE_SECONDS = 10, 4

# The shortest that there is: what a takeover takes besides is the largest part of it.
LEASE_SECONDS = 2
TAKEOVERS = 5


def measure(bench):
    with clusters.store(bench) as world:
        return {"claims": claims(bench, world), **lateness(bench, world), "takeover": takeovers(bench, world)}


def named(build, purpose):
    """The name of the cluster that a build has for a purpose."""
    return f"{purpose}-{build.name.split()[0]}"


def claims(bench, world):
    with contextlib.ExitStack() as stack:
        contestants = {
            "the bare SQL": Bare(world).claimed,
            **bench.own(lambda build: Claimants(world, stack, build, "own").claimed, "own jobs"),
            **bench.own(lambda build: Claimants(world, stack, build, "same", share=True).claimed, "the same entries"),
        }
        rounds = bench.interleave(contestants, lambda _, claimed: claimed(bench))
    report = bench.report("cluster: claims of 3 nodes, 100 at a time", "claims a second", rounds, published=PUBLISHED)
    print(f"     beside it  {PUBLISHED}")
    return report


class Claimants:
    """Three adapters that claim at the same time: entries of jobs that each has for itself, or, with `share`, the same ones for one node, so
    that each entry is answered three times."""

    def __init__(self, world, stack, build, purpose, share=False):
        cluster = named(build, purpose)
        clusters.make(world, build, cluster)
        self.at, self.share = 0, share
        self.nodes = [Node(stack.enter_context(clusters.adapter(world, build)), cluster, f"n{number}") for number in range(NODES)]
        for number, node in enumerate(self.nodes):
            if share:
                node.name, node.epoch = self.nodes[0].name, self.nodes[0].epoch
            node.join()
            node.acquire(*self.jobs(number))

    def jobs(self, number):
        return [f"j{0 if self.share else number}-{job}" for job in range(JOBS)]

    def claimed(self, bench):
        """Answers a second."""
        for node in self.nodes:
            node.renew()
        with ThreadPoolExecutor(NODES) as pool:
            done = list(pool.map(lambda number: self.claim(bench, number), range(NODES)))
        self.at = max(at for at, _ in done)
        return sum(rate for _, rate in done)

    def claim(self, bench, number):
        """Claims with one adapter, from the instant at which all begin: the first instant that is not claimed, and answers a second."""
        jobs, at, begin = self.jobs(number), self.at, time.monotonic()
        while time.monotonic() < begin + CLAIM_SECONDS:
            answers = granted(self.nodes[number].claim(*((job, at + entry) for job in jobs for entry in range(BATCH // JOBS))))
            if answers != [True] * BATCH:
                raise bench.UnequalWork(f"{answers.count(True)} of {BATCH} claims were granted")
            at += BATCH // JOBS
        return at, (at - self.at) * JOBS / (time.monotonic() - begin)


class Bare:
    """As many sessions of pgbench, each of which inserts the rows that a batch of an adapter makes."""

    def __init__(self, world):
        self.server, self.job = world.server, 1_000_000
        self.script = world.scratch / "bare.sql"
        self.script.write_text(BARE)
        self.script.chmod(0o644)

    def claimed(self, bench):
        self.job += 1_000
        told = self.server.run(
            "pgbench", "-n", "-M", "extended", "-c", NODES, "-j", NODES, "-T", CLAIM_SECONDS, "-D", "at=0", "-D", f"job={self.job}",
            "-f", self.script, self.server.info("node"), env=os.environ | {"PGOPTIONS": "-c synchronous_commit=on"})
        calls = int(re.search(r"actually processed: (\d+)", told)[1])
        made = int(self.server.sql(f"select count(*) from timelined.claim where job >= {self.job}"))
        if made != BATCH * calls:
            raise bench.UnequalWork(f"{calls} statements made {made} rows")
        return BATCH * float(re.search(r"tps = ([\d.]+)", told)[1])


def lateness(bench, world):
    """The same evidence as in the row `lateness`: when the job's own code was called."""
    text = "".join(probe.job(
        bench, f"probe{job}", '{ periodic = { from = 2026-01-01T00:00:00.%dZ, by = "1s" } }' % job, 'run-on = "one"') for job in range(LATE_JOBS))
    bench.own(lambda build: clusters.make(world, build, named(build, "late")))
    contestants = {
        **bench.own(lambda build: lambda: clusters.node(bench, world, build, named(build, "late"), "a", text), "with a cluster"),
        **bench.own(lambda build: lambda: daemons.daemon(bench, text.replace('run-on = "one"', ""), build=build), "without"),
    }

    def once(_, daemon):
        with probe.sheet(bench, LATE_JOBS * 300) as sheet, daemon():
            until(lambda: len(sheet.calls()) >= LATE_JOBS, "the jobs run")
            time.sleep(1)  # what a start leaves to do is not what is asked
            begin = time.time_ns()
            time.sleep(LATE_SECONDS)
            return [late / 1000 for nominal, late in sheet.calls() if nominal > begin]

    rounds = bench.interleave(contestants, once)
    for build in bench.builds.values():
        claimed = world.claims(named(build, "late"))
        if claimed < sum(map(len, rounds.get(build.contestant("with a cluster"), []))):
            raise bench.UnequalWork(f"{build.name}: only {claimed} of the entries that were started had been claimed")
    # One median of all: that of a round's few starts varies by more than the goal allows.
    every = {who: sum(each, []) for who, each in rounds.items()}
    middles, tails = ({who: [probe.share(values, part)] for who, values in every.items()} for part in (.5, .99))
    starts = min(map(len, every.values()))
    return {
        "p50": bench.report("cluster: start late by, p50", "us", middles, [bench.goal("ours, with a cluster", 1.1, "ours, without")], reference="ours, without",
                            starts=starts, every=every),
        "p99": bench.report("cluster: start late by, p99", "us", tails, reference="ours, without", starts=starts, tail=True),
    }


def takeovers(bench, world):
    """Kills the node that runs a job, again and again, beside two others."""
    found = bench.own(lambda build: taken_over(bench, world, build))
    rounds = {f"{name}, from the kill to the next start": taken for name, taken in found.items()}
    rounds |= {f"{name}, the longest of them": [max(taken)] for name, taken in found.items()}
    return bench.report(f"cluster: takeover from a killed node, lease {LEASE_SECONDS} s", "leases", rounds, [bench.goal("ours, the longest of them", 2)],
                        takeovers=TAKEOVERS)


def taken_over(bench, world, build):
    """How long each takeover of a build took, in leases."""
    text = probe.job(bench, "probe", '{ periodic = { by = "1s" } }', 'run-on = "one"')
    cluster = named(build, "takeover")
    clusters.make(world, build, cluster)
    taken, nodes = [], {}
    with probe.sheet(bench, 1_000) as sheet, contextlib.ExitStack() as stack:
        for turn in range(TAKEOVERS):
            while len(nodes) < NODES:
                name = f"n{turn}-{len(nodes)}"
                nodes[name] = stack.enter_context(clusters.node(bench, world, build, cluster, name, text, f"{LEASE_SECONDS}s"))
            # Not always as long after a renewal, and less than a second after a start.
            taken.append(takeover(sheet, nodes, LEASE_SECONDS / 3 * turn / TAKEOVERS) / LEASE_SECONDS)
    return taken


def takeover(sheet, nodes, delay):
    """Seconds from the end of the node that runs the job to the next start, on another one. The kill comes `delay` seconds after a start, and
    takes the node out of `nodes`."""
    def owners():
        return [name for name, daemon in nodes.items() if clusters.runs_jobs(daemon)]

    def next_call(instant):
        return next((called for called in (nominal + late for nominal, late in sheet.calls()) if called > instant), None)

    until(lambda: len(owners()) == 1, "one node runs the job")
    owner, = owners()
    now = time.time_ns()
    until(lambda: next_call(now), "the job runs")
    time.sleep(delay)
    process = nodes.pop(owner).process
    killed = time.time_ns()
    process.kill()
    process.wait()
    until(lambda: next_call(killed), "another node runs the job")
    return (next_call(killed) - killed) / 1e9
