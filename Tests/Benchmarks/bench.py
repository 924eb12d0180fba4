#!/usr/bin/env python3
"""bench.py: ours and the peers in one run, interleaved, medians, ratios first.

`make bench` builds the release and calls this; `bench.py NAME...` measures those rows alone. Each file of rows/ is a row
(frame.py says what it is given). A row or a peer that cannot be measured here is left out with a word. Every round is kept
in .build/bench.json. README.md says how to read all of it; on a shared machine trust the ratios.
"""
import importlib.util
import json
import os
import platform
import sys
import time
import traceback
from pathlib import Path

sys.dont_write_bytecode = True  # the sources stay as they are
from frame import Bench, Missing, UnequalWork

HERE = Path(__file__).resolve().parent
# From the pure to the whole; a row that is not named here comes after these.
ORDER = ["rule", "periodic", "sparse", "merge", "dryrun", "queue", "engine", "ledger", "lateness", "instant", "hosts", "exec", "start",
         "memory", "idle", "cluster", "web", "growth"]


def rows():
    """The rows there are, in order: name -> file."""
    found = {path.stem: path for path in sorted((HERE / "rows").glob("*.py")) if path.stem.isidentifier()}
    return {name: found[name] for name in sorted(found, key=lambda name: (ORDER.index(name) if name in ORDER else len(ORDER), name))}


def load(name, path):
    specification = importlib.util.spec_from_file_location(f"rows_{name}", path)
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    return module


def machine():
    """What the figures depend on, kept beside them."""
    model = [line.split(":")[1].strip() for line in Path("/proc/cpuinfo").read_text().splitlines() if line.startswith("model name")]
    return {"processor": model[0] if model else platform.machine(), "cores": os.cpu_count(), "kernel": platform.release(),
            "load": os.getloadavg(), "when": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())}


def main(names):
    found = rows()
    unknown = [name for name in names if name not in found]
    if unknown:
        sys.exit(f"there is no row {', '.join(unknown)}; there are {', '.join(found)}")
    if os.getloadavg()[0] > 0.5 * os.cpu_count():
        print(f"the machine is busy (load {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors): who is over soonest is disturbed least, "
              "which flatters the fast; measure again when it is idle", flush=True)
    bench, results, broken = Bench(HERE.parent.parent, int(os.environ.get("ROUNDS", "5"))), {"machine": machine()}, []
    for name in names or found:
        print(f"\n== {name}", flush=True)
        begin = time.monotonic()
        try:
            results[name] = load(name, found[name]).measure(bench)
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
    # A file whole or not at all, and beside rows of earlier runs that were not asked for now.
    path = bench.root / ".build/bench.json"
    kept = json.loads(path.read_text()) if names and path.exists() else {}
    path.with_suffix(".new").write_text(json.dumps({**kept, **results}, indent=1))
    path.with_suffix(".new").replace(path)
    met = sum(verdict["met"] for verdict in bench.judged)
    print(f"\n== goals: {met} of {len(bench.judged)} met; every round is in .build/bench.json")
    for verdict in bench.judged:
        print(f"  {verdict['sentence']}   [{verdict['title'].split(':')[0]}]")
    if broken:
        sys.exit(f"could not be measured: {', '.join(broken)}")


if __name__ == "__main__":
    main(sys.argv[1:])
