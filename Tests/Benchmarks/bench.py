#!/usr/bin/env python3
"""bench.py: ours and the peers in one run, interleaved, medians, ratios first.

`make bench` builds the release and calls this; `bench.py NAME...` measures those rows alone. Each file of rows/ is a row
(frame.py says what it is given). `--short` measures the rows of SHORT in their short form, one round each. `--base COMMIT` measures
the programs of that commit beside ours. A row or a peer that cannot be measured here is left out with a word. Every round is kept
in .build/bench.json, or .build/bench-short.json. Goals that are not met do not change the exit status. README.md says how to
read all of it; on a shared machine trust the ratios.
"""
import argparse
import importlib.util
import json
import os
import platform
import sys
import time
import traceback
from pathlib import Path

sys.dont_write_bytecode = True  # the sources stay as they are
import base
import equipment
from frame import Bench, Missing, UnequalWork, is_rate, ratio

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
# From the pure to the whole; a row that is not named here comes after these.
ORDER = ["rule", "kinds", "periodic", "sparse", "merge", "dryrun", "queue", "engine", "ledger", "lateness", "instant", "hosts", "exec", "start",
         "memory", "idle", "cluster", "web", "growth"]
SHORT = ["merge", "dryrun", "queue", "ledger", "lateness", "hosts", "exec", "start", "memory"]


def options(words):
    parser = argparse.ArgumentParser()
    parser.add_argument("names", nargs="*", metavar="ROW")
    parser.add_argument("--short", action="store_true")
    parser.add_argument("--base", metavar="COMMIT")
    return parser.parse_args(words)


def rows():
    """The rows there are, in order: name -> file."""
    found = {path.stem: path for path in sorted((HERE / "rows").glob("*.py")) if path.stem.isidentifier()}
    return {name: found[name] for name in sorted(found, key=lambda name: (ORDER.index(name) if name in ORDER else len(ORDER), name))}


def load(name, path):
    specification = importlib.util.spec_from_file_location(f"rows_{name}", path)
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    return module


def machine(bench):
    """What the figures depend on, kept beside them."""
    model = [line.split(":")[1].strip() for line in Path("/proc/cpuinfo").read_text().splitlines() if line.startswith("model name")]
    return {"processor": model[0] if model else platform.machine(), "cores": os.cpu_count(), "kernel": platform.release(),
            "load": os.getloadavg(), "when": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()), "builds": list(bench.builds)}


def measure(bench, files):
    """Measures the rows (name -> file): name -> what the row returned, and the names of those that failed."""
    results, broken = {}, []
    for name, path in files.items():
        print(f"\n== {name}", flush=True)
        begin = time.monotonic()
        try:
            results[name] = load(name, path).measure(bench)
        except Missing as reason:
            print(f"  left out: {reason}")
            results[name] = {"left out": str(reason)}
        except UnequalWork as difference:
            print(f"  NOT THE SAME WORK: {difference}")
            broken.append(name)
        except Exception:  # the other rows are worth measuring all the same
            traceback.print_exc()
            broken.append(name)
        print(f"  ({time.monotonic() - begin:.0f} s)", flush=True)
    return results, broken


def keep(path, results, every):
    """Writes the results, whole or not at all, beside those of rows that were measured earlier and not now."""
    kept = json.loads(path.read_text()) if not every and path.exists() else {}
    path.with_suffix(".new").write_text(json.dumps({**kept, **results}, indent=1))
    path.with_suffix(".new").replace(path)


def print_goals(bench):
    """How many goals are met, and each that is not or could not be judged."""
    missed = [verdict for verdict in bench.judged if not verdict["met"]]
    print(f"\n== goals: {len(bench.judged) - len(missed)} of {len(bench.judged)} met" + (f", {len(bench.open)} not judged" if bench.open else ""))
    for verdict in missed:
        print(f"  {verdict['sentence']}   [{verdict['title']}]")
    for sentence in bench.open:
        print(f"  open     {sentence}")


def print_base(bench):
    """The ratio of ours to the base for each contestant."""
    print(f"\n== ours / {bench.base.name}: below 1 ours takes less; of rates (+), above 1 ours does more")
    for one in bench.compared:
        print(f"  {ratio(one['ratio']):>8} {'+' if is_rate(one['unit']) else ' '}  {one['title']}   [{one['who']}]")
    if not bench.compared:
        print("  nothing was measured of both")


def main(words):
    chosen, found = options(words), rows()
    unknown = [name for name in chosen.names if name not in found]
    if unknown:
        sys.exit(f"there is no row {', '.join(unknown)}; there are {', '.join(found)}")
    other = base.build(ROOT, chosen.base) if chosen.base else None
    if os.getloadavg()[0] > 0.5 * os.cpu_count():
        print(f"the machine is busy (load {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors): who is over soonest is disturbed least, "
              "which flatters the fast; measure again when it is idle", flush=True)
    bench = Bench(ROOT, 1 if chosen.short else int(os.environ.get("ROUNDS", "5")), chosen.short, other)
    names = chosen.names or (SHORT if chosen.short else list(found))
    begin = time.monotonic()
    results, broken = measure(bench, {name: found[name] for name in names})
    path = ROOT / (".build/bench-short.json" if chosen.short else ".build/bench.json")
    keep(path, {"machine": machine(bench), **results}, every=not chosen.names)
    print(f"\n== {len(names)} rows in {time.monotonic() - begin:.0f} s{equipment.share()}; every round is in {path.relative_to(ROOT)}")
    if bench.base:
        print_base(bench)
    print_goals(bench)
    if broken:
        sys.exit(f"could not be measured: {', '.join(broken)}")


if __name__ == "__main__":
    main(sys.argv[1:])
