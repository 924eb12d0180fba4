#!/usr/bin/env python3
"""instructions.py: the guard of the hot paths. It counts the instructions that each takes for one entry and fails where
there are more than thresholds.json allows, or where the answers of a rule take memory from the heap.

`instructions.py` judges; `instructions.py --renew [NAME...]` measures and writes the thresholds anew, a tenth above what it found.
"""
import json
import sys
from pathlib import Path

sys.dont_write_bytecode = True  # the sources stay as they are
import paths
from frame import Bench, Missing

HERE = Path(__file__).resolve().parent
FILE = HERE / "thresholds.json"
HEADROOM = 1.1
HOW = "make bench-thresholds"


def judge(bench, thresholds):
    over, slack = [], []
    print(f"{'instructions':>14}  {'at most':>10}")
    for name, limit in thresholds.items():
        try:
            cost = paths.cost(bench, name)
        except Missing as reason:
            over.append(f"{name}: {reason}")
            continue
        print(f"{cost:14,.1f}  {limit:10,}  for one {paths.unit(name)} of {name}", flush=True)
        if cost > limit:
            over.append(f"{name} takes {cost:,.1f} instructions for one {paths.unit(name)}, which is {cost / limit - 1:.0%} above the {limit:,} allowed")
        elif cost < 0.7 * limit:
            slack.append(name)
    if slack:
        print(f"much faster than allowed, so that the guard would not see them become slow again: {', '.join(slack)}; {HOW}")
    taking = {name: taken for name in paths.WITHOUT_MEMORY if (taken := paths.memory(bench, name))}
    print(f"{len(paths.WITHOUT_MEMORY) - len(taking)} kinds of answers of rules take no memory from the heap")
    for name, taken in taking.items():
        print(f"MEMORY IS TAKEN: the answers of {name} take memory {taken:,} times")
    for sentence in over:
        print(f"TOO MANY INSTRUCTIONS: {sentence}")
    if over:
        print(f"If the work has grown for a reason, say it in the commit and renew the thresholds: {HOW}")
    return 1 if over or taking else 0


def renew(bench, thresholds, names):
    for name in names or paths.names():
        try:
            cost = paths.cost(bench, name)
        except Missing as reason:
            print(f"left as it is: {name}: {reason}")
            continue
        allowed = round(cost * HEADROOM) if cost >= 100 else round(cost * HEADROOM, 1)
        print(f"{name}: {cost:,.1f}, allowed {thresholds.get(name, 'nothing')} -> {allowed}", flush=True)
        thresholds[name] = allowed
    ordered = {name: thresholds[name] for name in paths.names() if name in thresholds}
    FILE.write_text(json.dumps(ordered, indent=2) + "\n")
    return 0


if __name__ == "__main__":
    held = json.loads(FILE.read_text()) if FILE.exists() else {}
    frame = Bench(HERE.parent.parent, 1)
    sys.exit(renew(frame, held, sys.argv[2:]) if sys.argv[1:2] == ["--renew"] else judge(frame, held))
