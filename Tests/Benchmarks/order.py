#!/usr/bin/env python3
"""order.py: which functions of the released programs and plugins lie beside one another: those of a command's run, in the daemon, in its
host and in its plugin, in the order in which they are first called.

A run most often comes when another program has had the caches, and the memory too: what is on fewer lines and pages is there sooner.
`order.py` steps through a run (as root) and writes Sources/functions.order, by which they are linked; `order.py --judge` says
whether enough of its functions still exist. Those that do not do no harm.
"""
import sys
from pathlib import Path

sys.dont_write_bytecode = True  # the sources stay as they are
import callgrind
import steps
from frame import Bench, Missing

ROOT = Path(__file__).resolve().parent.parent.parent
FILE = ROOT / "Sources/functions.order"
SECTION = ".text."
# With so many of them gone much of a run is where it comes to lie.
ENOUGH = 0.7


def write(bench):
    ordered = {}
    for name in steps.PARTS:
        ordered.update(dict.fromkeys(steps.named(bench, name)[0]))
    known = defined(bench)
    functions = [function for function in ordered if function in known]
    FILE.write_text("".join(f"{SECTION}{function}\n" for function in functions))
    print(f"{len(functions)} functions; `make build` links by {FILE.relative_to(ROOT)} anew")
    return 0


def judge(bench):
    functions, known = [line.removeprefix(SECTION) for line in FILE.read_text().split()], defined(bench)
    there = sum(function in known for function in functions)
    print(f"{there} of the {len(functions)} functions that lie beside one another exist")
    if there >= ENOUGH * len(functions):
        return 0
    print(f"TOO FEW: the programs have changed since {FILE.relative_to(ROOT)} was written; as root, make order")
    return 1


def defined(bench):
    """The functions of what a run goes through."""
    return {name for file in steps.OURS for _, name in callgrind.functions(bench, file)}


if __name__ == "__main__":
    try:
        sys.exit((judge if sys.argv[1:] == ["--judge"] else write)(Bench(ROOT, 1)))
    except Missing as reason:
        sys.exit(f"order.py: {reason}")
