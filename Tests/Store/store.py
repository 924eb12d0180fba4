"""Holds `timeline-store` against a real PostgreSQL or a real etcd, and prints what held.

usage: store.py [--store etcd] PROGRAM SCRATCH PAGE [CASE...]
Without cases, functions by their names, all are run. PAGE is docs/store.md: the rights that it lists are those that the nodes of these tests have.
"""

import argparse
import signal
import sys
import traceback

import etcd_faults
import faults
import promotion
import races
import rules
from adapter import Adapter
from etcd_world import an_etcd_world
from world import a_world


class Run:
    """The cases that are run, and how many failed."""

    def __init__(self, cases):
        self.cases, self.failures = cases, 0

    def check(self, test, *arguments, sentence=None):
        name = test.__name__ if sentence is None else sentence.replace(" ", "_")
        if self.cases and name not in self.cases:
            return
        sentence = name.replace("_", " ")
        try:
            test(*arguments)
            print(f"ok - {sentence}", flush=True)
        except Exception:  # noqa: BLE001 - whatever it is, it is shown
            self.failures += 1
            print(f"NOT OK - {sentence}", flush=True)
            print("\n".join("    " + line for line in traceback.format_exc().splitlines()[-12:]), flush=True)

    def rules(self, adapter):
        for number, test in enumerate(rules.ALL):
            self.check(lambda test=test: test(rules.Cluster(adapter, f"rule-{number}")), sentence=test.__name__)
        self.check(lambda: ends(adapter), sentence="an adapter ends with its socket")


def ends(adapter):
    assert adapter.end() == 0


def with_postgresql(run, scratch, page):
    with a_world(scratch, page) as world:
        for test in faults.BEFORE_TABLES:
            run.check(test, world)
        world.prepare()
        run.rules(world.adapter("node"))
        for test in races.OF_POSTGRESQL + races.EVERY + faults.ALL + promotion.ALL:
            run.check(test, world)


def with_etcd(run, scratch, page):
    with an_etcd_world(scratch) as world:
        for test in etcd_faults.BEFORE_KEYS:
            run.check(test, world)
        run.rules(world.adapter())
        for test in races.EVERY:
            run.check(test, world)
        for test in etcd_faults.ALL:
            run.check(test, world, page)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--store", choices=["postgresql", "etcd"], default="postgresql")
    for name in ("program", "scratch", "page"):
        parser.add_argument(name)
    parser.add_argument("cases", nargs="*")
    options = parser.parse_args()
    # Servers are stopped however this ends.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    Adapter.program = options.program
    run = Run(options.cases)
    {"postgresql": with_postgresql, "etcd": with_etcd}[options.store](run, options.scratch, options.page)
    sys.exit(1 if run.failures else 0)


if __name__ == "__main__":
    main()
