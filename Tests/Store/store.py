"""Holds `timeline-store` against a real PostgreSQL, and prints what held.

usage: store.py PROGRAM SCRATCH PAGE [CASE...]
Without cases, functions by their names, all are run. PAGE is docs/store.md: the rights that it lists are those that the nodes of these tests have.
"""

import sys
import traceback

import faults
import promotion
import races
import rules
from adapter import Adapter
from world import a_world

CASES = sys.argv[4:]
failures = 0


def check(sentence, test, *arguments):
    global failures
    if CASES and sentence.replace(" ", "_") not in CASES:
        return
    try:
        test(*arguments)
        print(f"ok - {sentence}", flush=True)
    except Exception:  # noqa: BLE001 - whatever it is, it is shown
        failures += 1
        print(f"NOT OK - {sentence}", flush=True)
        print("\n".join("    " + line for line in traceback.format_exc().splitlines()[-12:]), flush=True)


def sentence(function):
    return function.__name__.replace("_", " ")


def main():
    Adapter.program = sys.argv[1]
    with a_world(sys.argv[2], sys.argv[3]) as world:
        for test in faults.BEFORE_TABLES:
            check(sentence(test), test, world)
        world.prepare()
        adapter = Adapter(world.credential("node"))
        for number, test in enumerate(rules.ALL):
            check(sentence(test), lambda: test(rules.Cluster(adapter, f"rule-{number}")))
        check("an adapter ends with its socket", lambda: adapter.end() == 0)
        for module in (races, faults, promotion):
            for test in module.ALL:
                check(sentence(test), test, world)
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
