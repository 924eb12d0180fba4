"""Holds `timeline-store` against a real PostgreSQL, and prints what held.

usage: store.py PROGRAM SCRATCH PAGE [CASE...]
Without cases, functions by their names, all are run. PAGE is docs/store.md: the rights that it lists are those that the nodes of these tests have.
"""

import re
import subprocess
import sys
import traceback
from pathlib import Path

import faults
import promotion
import races
import rules
from adapter import Adapter
from server import Server

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


class World:
    """The server, and credential files for it."""

    def __init__(self, scratch, page):
        self.scratch = Path(scratch)
        (self.scratch / "server").mkdir()
        self.scratch.chmod(0o755)
        self.server = Server(self.scratch / "server").create().start()
        self.page = Path(page).read_text()
        self.server.sql("create role owner login; create role node login; create role pw login password 'right'")

    def credential(self, name, text=None, mode=0o600):
        file = self.scratch / name
        file.write_text((text or self.server.info("node")) + "\n")
        file.chmod(mode)
        return file

    def prepare(self):
        """Makes the tables as an administrator does, by the page."""
        make, grant = re.findall(r"```sql\n(.*?)```", self.page, re.S)
        self.server.sql(make)
        owner = Adapter(self.credential("owner", self.server.info("owner")))
        owner.call("initialize", cluster="main")
        owner.end()
        self.server.sql(grant, user="owner")


def main():
    Adapter.program = sys.argv[1]
    world = World(sys.argv[2], sys.argv[3])
    try:
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
    finally:
        world.server.stop("immediate")
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
