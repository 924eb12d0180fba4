#!/usr/bin/env python3
"""profile.py: where the instructions of the hot paths go: a table of functions for each, in .build/bench/profile-NAME.txt.

`profile.py NAME...` profiles those paths of paths.py; without names the hottest.
"""
import re
import shutil
import subprocess
import sys
from pathlib import Path

sys.dont_write_bytecode = True  # the sources stay as they are
import callgrind
import paths
from frame import Bench, Missing

HOTTEST = ["dry run", "queue of 100,000", "ledger", "check"]
SHOWN = 25


def profile(bench, name):
    raw = bench.work / "callgrind.out"
    with paths.commands(bench, name) as runs:
        words, _ = runs[-1]
        callgrind.instructions(bench, words, raw)
    told = bench.run(["callgrind_annotate", "--auto=no", "--threshold=100", raw])
    if shutil.which("swift"):
        told = subprocess.run(["swift", "demangle", "--simplified", "--compact"], input=told, capture_output=True, text=True).stdout or told
    lines = [line for line in told.splitlines() if re.match(r"\s*[\d,]+ \(", line)]
    lines = [re.sub(r"\?\?\?:| \[[^\]]*\]$|\S*/(?=[^/ ]*:)", "", line) for line in lines]
    target = bench.work / f"profile-{re.sub('[^a-z0-9]+', '-', name)}.txt"
    cost = paths.cost(bench, name)
    head = f"{name}: {cost:,.1f} instructions for one {paths.unit(name)}; of the longer run, whose start is in it:"
    target.write_text("\n".join([head, *lines[:120]]) + "\n")
    print(f"\n{head}")
    for line in lines[1:SHOWN + 1]:
        print(f"  {line.strip()[:150]}")
    print(f"  ... in {target.relative_to(bench.root)}", flush=True)


if __name__ == "__main__":
    frame = Bench(Path(__file__).resolve().parent.parent.parent, 1)
    for path in sys.argv[1:] or HOTTEST:
        try:
            profile(frame, path)
        except Missing as reason:
            print(f"left out: {path}: {reason}")
