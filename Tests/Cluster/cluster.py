#!/usr/bin/env python3
"""Runs three daemons of a cluster on a real PostgreSQL or etcd, does terrible things to them, and judges by the evidence of their jobs.

The seed is printed, and decides what is done and when. Exits 0 when all promises were kept, 1 when one was not, 77 when the
machine cannot try it.
"""

import argparse
import random
import shutil
import signal
import sys
import tempfile
import time
from pathlib import Path

import jobs as mixes
from judge import Case, judge
from nemeses import Nemeses, plan, recovery, short_plan, strike
from network import Network
from world import ROOT, Stuck, World

sys.path.append(str(Path(__file__).resolve().parent.parent))
from share import share  # noqa: E402 - it lies above


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--store", choices=World.STORES, default="postgresql", help="the store that the nodes share")
    parser.add_argument("--seconds", type=float, default=120, help="how long the nodes are tormented")
    parser.add_argument(
        "--share", type=share, default=None, help="1/2: the first half of the faults of this store's part, each once, for as long as that takes")
    parser.add_argument("--seed", type=int, default=None, help="what decides the faults; a new one by default")
    parser.add_argument("--lease", type=int, default=3, help="seconds of a node's lease")
    parser.add_argument("--programs", default=f"{ROOT}/.build/stage", help="where timelined, timelinectl and the others are")
    parser.add_argument("--keep", default=None, help="a directory in which everything is left; otherwise only after a violation")
    parser.add_argument("--faults", default=None, help="only these kinds, separated by commas; 'none' for none")
    parser.add_argument("--judge", default=None, help="judge again what an earlier run has left in this directory")
    return parser.parse_args()


def torment(world, options):
    dice = random.Random(options.seed)
    nemeses = Nemeses(world, dice)
    kinds = options.faults.split(",") if options.faults else None
    clock = time.monotonic()
    try:
        world.open()
        time.sleep(recovery(world.lease))
        if options.share:
            script = short_plan(options.seed, world.lease, world.database, options.share)
        else:
            script = [] if kinds == ["none"] else plan(
                options.seed, options.seconds - recovery(world.lease), world.lease, world.database, kinds)
        for chosen, lasts, quiet in script:
            words = ", ".join(f"{kind} {node}" for kind, node in chosen)
            print(f"{time.monotonic() - clock:7.2f} s  {words} for {lasts:.1f} s", flush=True)
            strike(world, nemeses, chosen, lasts)
            time.sleep(quiet)
            world.look_after()
        if not options.share:
            time.sleep(max(0, options.seconds - (time.monotonic() - clock)))
        world.end = time.time_ns()
        # What runs ends, and the outcomes reach the store.
        time.sleep(recovery(world.lease) + 2)
        for node in world.nodes.values():
            node.stop()
        world.save(options.seed)
    finally:
        world.close()


def report(case, violations, options, directory):
    for line in case.figures():
        print(line)
    for line in violations[:40]:
        print(f"VIOLATION: {line}")
    if len(violations) > 40:
        print(f"and {len(violations) - 40} more")
    print(f"{len(violations)} violations; seed {case.seed}")
    if violations:
        print(f"everything is in {directory}; Tests/Cluster/cluster.py --judge {directory} judges it again")
    return 1 if violations else 0


def main():
    options = arguments()
    if options.judge:
        case = Case.read(options.judge)
        return report(case, judge(case), options, options.judge)
    part = options.share[0] if options.share else 1
    problem = Network.problem(options.store, part)
    if problem:
        print(problem)
        return 77
    if options.seed is None:
        options.seed = random.SystemRandom().randrange(10**6)
    length = f"share {options.share[0]} of {options.share[1]}" if options.share else f"for {options.seconds:.0f} s"
    print(f"seed {options.seed}: {options.store}, three nodes with leases of {options.lease} s, {length}", flush=True)
    directory = options.keep or tempfile.mkdtemp(prefix="timelined-cluster-", dir="/var/tmp")
    Path(directory).mkdir(exist_ok=True)
    # Whoever ends it, for example because it takes too long, leaves no namespace and no server behind.
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, lambda *_: sys.exit("ended by a signal"))
    world = World(options.programs, directory, options.lease, mixes.mix(options.lease), options.store, part)
    try:
        torment(world, options)
    except Stuck as stuck:
        print(f"STUCK: {stuck}\neverything is in {directory}")
        return 1
    case = Case.read(directory)
    status = report(case, judge(case), options, directory)
    if status == 0 and not options.keep:
        shutil.rmtree(directory)
    return status


if __name__ == "__main__":
    sys.exit(main())
