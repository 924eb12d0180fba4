#!/usr/bin/env python3
"""Tests the judge on made-up evidence: it finds each violation that is planted, and nothing where nothing is."""

import sys

from judge import SECOND, Attempt, Case, judge, read_evidence, read_splits
from nemeses import OF_NODES, may_be_pair, short_plan
from world import World

# The entries of a case are those from second 8 on: two leases and two seconds after its begin.
LEASE, END = 3, 60
JOBS = {
    "once": {"period": 1, "delivery": "at-most-once", "is_shared": True, "is_short": True, "lasts": [20, 150]},
    "least": {"period": 1, "delivery": "at-least-once", "is_shared": True, "is_short": True, "lasts": [20, 150]},
    "long": {"period": 10, "delivery": "at-most-once", "is_shared": True, "is_short": False, "lasts": [4000, 4000]},
    "alone": {"period": 1, "delivery": "at-least-once", "is_shared": True, "is_short": True, "lasts": [20, 150], "store_down": "owner-runs"},
    "counted": {"period": 0.5, "delivery": "at-most-once", "is_shared": True, "is_short": False, "lasts": [20, 150]},
    "every": {"period": 1, "delivery": "at-most-once", "is_shared": False, "is_short": True, "lasts": [20, 150]},
}


def at(second):
    return int(second * SECOND)


def attempt(job, second, node="a", late=0.01, lasts=0.1, token=None, number=1, cursor="-", outcome="succeeded"):
    start = at(second + late)
    token = int(second * 10 + 1000) if token is None else token
    end = (start + at(lasts), outcome) if outcome else (0, "")
    return Attempt(job, at(second), number, token, node, start, cursor, *end)


def record(job, second, outcome="succeeded", node="a", first=None, cause="schedule"):
    return {
        "job": job, "nominal": at(second), "first": at(second if first is None else first), "outcome": outcome, "node": node,
        "cause": cause}


def fault(kind, begin, end, *nodes, healing=None, struck=None):
    healing = end if healing is None else healing
    struck = begin if struck is None else struck
    return {"kind": kind, "nodes": list(nodes), "begin": at(begin), "healing": at(healing), "end": at(end), "struck": at(struck)}


class Scene:
    """A case in which all is well: a has the shared jobs, a and b run the other one."""

    def __init__(self, *jobs):
        self.attempts, self.records, self.faults, self.splits, self.election = [], [], [], set(), 0
        self.jobs = {name: JOBS[name] for name in jobs}
        for name, job in self.jobs.items():
            for second in (place * job["period"] for place in range(round(END / job["period"]))):
                lasts = 4 if name == "long" else 0.1
                for node in ["a"] if job["is_shared"] else ["a", "b"]:
                    self.attempts.append(attempt(name, second, node, lasts=lasts, token=None if job["is_shared"] else 0))
                if job["is_shared"]:
                    self.records.append(record(name, second))

    def without(self, job, *seconds, records=True, node=None):
        gone = {at(second) for second in seconds}
        self.attempts = [
            one for one in self.attempts if one.job != job or one.nominal not in gone or node and one.node != node]
        if records:
            self.records = [one for one in self.records if one["job"] != job or one["nominal"] not in gone]
        return self

    def add(self, *things):
        for one in things:
            (self.attempts if isinstance(one, Attempt) else self.faults if "kind" in one else self.records).append(one)
        return self

    def split(self, job, second):
        self.splits.add((job, at(second)))
        return self

    def electing(self, seconds):
        self.election = seconds
        return self

    def judge(self):
        attempts = sorted(self.attempts, key=lambda one: one.start)
        return judge(Case(
            lease=LEASE, begin=0, end=at(END), jobs=self.jobs, attempts=attempts, faults=self.faults, records=self.records,
            splits=self.splits, election=self.election))


def twice(scene, second=30):
    """An entry that b starts again a second later."""
    return scene.add(attempt("once", second, "b", late=1.5, token=second * 10 + 1016))


def moved(scene, last, first, job="once"):
    """The job is on b from `first` on, and nothing is started after `last`."""
    scene.without(job, *range(last + 1, END))
    scene.add(*(attempt(job, second, "b") for second in range(first, END)))
    scene.add(*(record(job, second, node="b") for second in range(first, END)))
    return scene.add(record(job, first - 1, "missed", "b", first=last + 1))


PROMOTION = fault("store_promotion", 28, 31, "a", "b", "c")
# What is made up, the scene, and the beginnings of the violations that must be found: these kinds and no other.
CASES = [
    ("nothing", Scene(*JOBS), []),
    ("an entry started on two nodes", twice(Scene("once")), ["at most once", "quiet"]),
    ("an entry started twice on one node", Scene("once").add(attempt("once", 30, late=0.4)), ["at most once", "quiet"]),
    ("an attempt on another node than the first", Scene("long").add(attempt("long", 30, "b", late=5, number=2, token=1305)), ["at most once"]),
    ("a clone that waits", Scene("once", "every").add(fault("clone", 25, 35, "a"), attempt("every", 30, late=0.4, token=0)), []),
    ("an entry started by both lives of one node name", Scene("once").add(fault("clone", 25, 35, "a"), attempt("once", 30, late=0.4)),
     ["at most once", "quiet"]),
    ("an entry that neither of them runs", Scene("once").without("once", 30).add(record("once", 30, "unknown"), fault("clone", 25, 35, "a")),
     ["quiet"]),
    ("a second attempt on the same node", Scene("long").add(attempt("long", 30, late=5, number=2)), []),
    ("an entry started on two nodes after a promotion, and called split", twice(Scene("once").add(PROMOTION)).split("once", 30), []),
    ("the same, which no log calls split", twice(Scene("once").add(PROMOTION)), ["at most once"]),
    ("an entry called split without a promotion", twice(Scene("once")).split("once", 30), ["at most once", "quiet", "alarm"]),
    ("an entry called split that was started once", Scene("once").split("once", 30), ["alarm"]),
    ("an at-least-once entry that may have run twice", Scene("least").split("least", 30), []),
    ("an entry without a run", Scene("least").without("least", 30, records=False), ["at least once", "quiet"]),
    ("an entry whose run did not end", Scene("least").without("least", 30, records=False).add(attempt("least", 30, outcome="")),
     ["at least once", "quiet"]),
    ("an entry whose run was cancelled because its node was stopped",
     Scene("least").without("least", 30, records=False).add(attempt("least", 30, outcome="cancelled"), fault("stop", 30.05, 30.3, "a")), []),
    ("the same without a stop",
     Scene("least").without("least", 30, records=False).add(attempt("least", 30, outcome="cancelled")), ["at least once", "quiet"]),
    ("an entry that a policy drops after a fault",
     Scene("least").without("least", 30).add(record("least", 30, "missed"), fault("kill", 29, 30, "b")), []),
    ("the same in a quiet time", Scene("least").without("least", 30).add(record("least", 30, "missed")), ["quiet"]),
    ("a lower token than before", Scene("once").without("once", 30, records=False).add(attempt("once", 30, token=1)), ["tokens"]),
    ("the token of the entry before", Scene("once").without("once", 30, records=False).add(attempt("once", 30, token=1290)), ["tokens"]),
    ("the same of a job that goes on without the store, in a quiet time",
     Scene("alone").without("alone", 30, records=False).add(attempt("alone", 30, token=1290)), ["tokens"]),
    ("an entry that is run again elsewhere with the same token",
     Scene("least").add(fault("kill", 30.2, 31, "a"), attempt("least", 30, "b", late=0.5)), ["tokens"]),
    ("the same with a new token", Scene("least").add(fault("kill", 30.2, 31, "a"), attempt("least", 30, "b", late=0.5, token=1305)), []),
    ("an entry that is run again on its node with the same token",
     Scene("least").add(fault("kill", 30.2, 31, "a"), attempt("least", 30, late=0.5)), []),
    ("two entries in a window with its token", Scene("counted").without("counted", 29.5, records=False).add(attempt("counted", 29.5, token=1290)), []),
    ("the same on another node", Scene("counted").without("counted", 29.5, records=False).add(
        attempt("counted", 29.5, "b", token=1290)), ["window", "tokens"]),
    ("no token", Scene("once").without("once", 8, records=False).add(attempt("once", 8, token=0)), ["tokens", "tokens"]),
    ("a start after the lease of a node that was cut off", Scene("long").add(fault("cut", 21, 33, "a")), ["lease"]),
    ("a start within the lease of a node that was cut off later than the cut was begun",
     Scene("long").add(fault("cut", 21, 33, "a", struck=28)), []),
    ("a start while the cut is being healed", Scene("long").add(fault("cut", 21, 33, "a", healing=24)), []),
    ("a start within that lease", Scene("long").add(fault("cut", 28, 36, "a")), []),
    ("a start of a node that was not cut off", Scene("long").add(fault("cut", 21, 33, "b")), []),
    ("a run while another one is active elsewhere", Scene("long").add(attempt("long", 42, "b")), ["overlap"]),
    ("the same when that one's node was cut off", Scene("long").add(attempt("long", 42, "b"), fault("cut", 41, 43, "a")), []),
    ("the same when that one's node was asked to stop", Scene("long").add(attempt("long", 42, "b"), fault("stop", 41, 43, "a")),
     ["overlap"]),
    ("an entry without an outcome", Scene("long").without("long", 30).add(attempt("long", 30)), ["outcome"]),
    ("two outcomes of an entry", Scene("long").add(record("long", 30, "failed", "b")), ["outcome"]),
    ("one outcome that is known, and one that is not", Scene("long").add(record("long", 30, "unknown", "b")), []),
    ("two outcomes after a promotion, called split",
     Scene("long").add(record("long", 30, "failed", "b"), PROMOTION).split("long", 30), []),
    ("a takeover in time", moved(Scene("once").add(fault("kill", 20.5, 45, "a")), 20, 25), []),
    ("a takeover that is late", moved(Scene("once").add(fault("kill", 20.5, 45, "a")), 20, 30), ["takeover"]),
    ("the same where the store elects a leader meanwhile", moved(Scene("once").electing(3).add(fault("cut", 20.5, 45, "a")), 20, 30), []),
    ("a takeover that is late all the same", moved(Scene("once").electing(3).add(fault("cut", 20.5, 45, "a")), 20, 33), ["takeover"]),
    ("a late run in a quiet time", Scene("once").without("once", 30, records=False).add(attempt("once", 30, late=2.5)), ["tokens", "quiet"]),
    ("an entry that is not run because a run lasts that a fault has made late", Scene("once").without("once", *range(20, 31)).add(
        fault("kill", 20, 21, "b"), attempt("once", 20, late=5, lasts=5.5), record("once", 20),
        *(record("once", second, "overlapped") for second in range(21, 31))), []),
    ("the same because of a run that was in time", Scene("once").without("once", 29, 30).add(
        attempt("once", 29, lasts=1.5), record("once", 29), record("once", 30, "overlapped")), ["quiet"]),
    ("an entry that is not run because a run lasts that began late, but not too late", Scene("once").without("once", 29, 30).add(
        attempt("once", 29, late=0.8, lasts=0.3), record("once", 29), record("once", 30, "overlapped")), []),
    ("the same without a word of it in the store", Scene("once").without("once", 29, 30).add(
        attempt("once", 29, late=0.8, lasts=0.3), record("once", 29), record("once", 30, "missed")), ["quiet"]),
    ("the same after the end of that run", Scene("once").without("once", 29, 30).add(
        attempt("once", 29, late=0.4, lasts=0.3), record("once", 29), record("once", 30, "overlapped")), ["quiet"]),
    ("a late run on a machine that stood still",
     Scene("least").without("least", 30, records=False).add(attempt("least", 30, late=2.5, token=1315), fault("stall", 30, 31))
     .without("least", 31, 32, records=False).add(attempt("least", 31, late=1.6, token=1316), attempt("least", 32, late=0.7)), []),
    ("a cursor of a later run", Scene("once").without("once", 30, records=False).add(attempt("once", 30, cursor="1310")), ["cursor"]),
    ("a cursor older than one that was found", Scene("once").without("once", 30, 31, records=False).add(
        attempt("once", 30, cursor="1290"), attempt("once", 31, cursor="1280")), ["cursor"]),
    ("an owner that goes on without the store, with its last token", Scene("alone").without("alone", *range(24, 30), records=False).add(
        fault("store_crash", 20, 30, "a", "b", "c"), *(attempt("alone", second, token=1230) for second in range(24, 30))), []),
    ("an owner that does not go on", Scene("alone").without("alone", 25, records=False).add(
        fault("store_crash", 20, 30, "a", "b", "c"), attempt("alone", 25, late=5)), ["alone"]),
    ("an owner that goes on, with the lower token, while another node has the job", Scene("alone").add(
        fault("cut", 20, 30, "a"), *(attempt("alone", second, "b", token=second * 10 + 2000) for second in range(24, 30))), []),
    ("the same, begun on that node first", Scene("alone").add(
        fault("cut", 20, 30, "a"), *(attempt("alone", second, "b", late=0, token=second * 10 + 2000) for second in range(24, 30))), []),
    ("two nodes at the same time in a quiet time", Scene("alone").add(attempt("alone", 30, "b", late=0.05, token=1305, outcome="failed")),
     ["overlap"]),
    ("a lower token in a quiet time", Scene("alone").without("alone", 30, records=False).add(attempt("alone", 30, token=1)), ["tokens"]),
    ("a counted entry on another node in the same window", Scene("counted").without("counted", 30, records=False).add(
        attempt("counted", 30, "b")), ["window"]),
    ("the same in another window", Scene("counted").without("counted", 28.5, 29, 29.5, 30, records=False).add(
        *(attempt("counted", second, "b") for second in (28.5, 29, 29.5, 30))), []),
    ("the same after a promotion", Scene("counted").without("counted", 30, records=False).add(attempt("counted", 30, "b"), PROMOTION), []),
    ("a window that has two records", Scene("counted").add(record("counted", 30, first=28.5)), []),
    ("a window that has none", Scene("counted").without("counted", 28.5, 29, 29.5, 30).add(
        *(attempt("counted", second) for second in (28.5, 29, 29.5, 30))), ["outcome"] * 4),
    ("the control job without a run", Scene("every").without("every", 30, node="b"), ["control"]),
    ("the same on a node that was down", Scene("every").without("every", 30, node="b").add(fault("kill", 29, 31, "b")), []),
    ("the same on a node that was cut off", Scene("every").without("every", 30, node="b").add(fault("cut", 29, 31, "b")), ["control"]),
    ("the same while a run lasts that began late", Scene("every").without("every", 29, 30, node="b").add(
        attempt("every", 29, "b", late=0.8, lasts=0.3, token=0)), []),
    ("the same while a run lasts too long", Scene("every").without("every", 29, 30, node="b").add(
        attempt("every", 29, "b", lasts=1.2, token=0)), ["control"]),
    ("the control job twice", Scene("every").add(attempt("every", 30, "b", late=0.5, token=0)), ["control"]),
]

EVIDENCE = (
    "start\tonce\t30000000000\tkey\t1\t7\t42\t5\t30010000000\t-\n"
    "end\tonce\t30000000000\tkey\t1\t7\t42\t6\t30110000000\tsucceeded\n"
    "start\tonce\t31000000000\tkey\t1\t8\t43\t5\t31010000000\t7\n"
    "start\tonce\t31000000000\tkey\t1\t8\t43\t5\t31020000000\t7\n"
    "end\tonce\t31000")
LOG = "12:00:01.2 error: cluster proof: split: entry 1970-01-01 00:00:30 of job once has an outcome or a claim of node c, too: both may have run it\n"


def main():
    failures = 0
    for sentence, scene, wanted in CASES:
        found = scene.judge()
        kinds = [violation.split(":")[0] for violation in found]
        if kinds != wanted:
            failures += 1
            print(f"NOT OK - {sentence}: expected {wanted}, found {found}")
    read = read_evidence(EVIDENCE, {"42": "a", "43": "b"})
    if [(one.node, one.end, one.outcome, one.cursor) for one in read] != [
            ("a", 30110000000, "succeeded", "-"), ("b", 0, "", "7"), ("b", 0, "", "7")]:
        failures += 1
        print(f"NOT OK - evidence is read: {read}")
    if list(read_splits(LOG)) != [("once", 30 * SECOND)]:
        failures += 1
        print("NOT OK - entries that a log calls split are read")
    for words in wrong_plans():
        failures += 1
        print(f"NOT OK - short plans: {words}")
    print(f"{len(CASES)} cases of made-up evidence, {failures} judged wrongly")
    return 1 if failures else 0


def wrong_plans():
    """What is wrong about the short plans of some seeds: together they have each kind once, and no fault beside one that must be alone."""
    stores = World.STORES.values()
    for seed in range(20):
        plans = [[*short_plan(seed, LEASE, store, (1, 2)), *short_plan(seed, LEASE, store, (2, 2))] for store in stores]
        kinds = [kind for script in plans for chosen, *_ in script for kind, _ in chosen]
        wanted = [*OF_NODES, *(kind for store in stores for kind in store.NEMESES)]
        if sorted(kinds) != sorted(wanted):
            yield f"seed {seed} has {sorted(kinds)}"
        for store, script in zip(stores, plans):
            for chosen, *_ in script:
                if len(chosen) == 2 and not may_be_pair(chosen[0][0], chosen[1][0], store):
                    yield f"seed {seed} has {chosen} at once"
                if len({node for _, node in chosen}) < len(chosen):
                    yield f"seed {seed} has two faults on one node: {chosen}"


if __name__ == "__main__":
    sys.exit(main())
