#!/usr/bin/env python3
"""Runs a real daemon with real hosts, does terrible things to it, and judges by the jobs' own evidence.

The seed is printed, and decides what is done and when. Exits 0 when all promises were kept, 1 when one was not, 77 when the
machine cannot try it.
"""

import argparse
import os
import pickle
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import jobs as mixes
from checker import judge
from facts import Case, instant, merge_ledgers, read_evidence, read_kept
from faults import Tormentor, plan
from report import print_report, svg
from schedules import SECOND
from world import Stuck, World

sys.path.append(str(Path(__file__).resolve().parent.parent))
from patience import patience  # noqa: E402 - it lies above
from share import share  # noqa: E402

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))

# What the daemon's clock shows at the start, by turns: a minute before clocks in Berlin are put forward, a minute before they are
# put back to 02:00, and a common day.
BEGINNINGS = ["2027-03-28T00:59:00Z", "2027-10-31T00:59:00Z", "2027-06-15T12:29:10Z"]

# Seconds of the last step and what follows it.
LAST = 12

# Percent of the entries that must fall due in quiet times, when nothing excuses anything.
CALM_SHARE = 25


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=120, help="how long the daemon is tortured")
    parser.add_argument("--share", type=share, default=None, help="1/2: each fault of the first of two shares once, for as long as that takes")
    parser.add_argument("--seed", type=int, default=None, help="what decides the faults; a new one by default")
    parser.add_argument("--programs", default=f"{ROOT}/.build/stage", help="where timelined, timelinectl and the host are")
    parser.add_argument("--keep", default=None, help="a directory in which everything is left; otherwise only after a violation")
    parser.add_argument("--faults", default=None, help="only these kinds, separated by commas; 'none' for none")
    parser.add_argument("--jobs", default=None, help="only these jobs, separated by commas")
    parser.add_argument("--bound", type=float, default=patience(2), help="seconds that a run may be late in quiet times")
    parser.add_argument("--judge", default=None, help="judge again what an earlier run has left in this directory")
    return parser.parse_args()


def with_small_disk():
    """Enters a mount namespace of our own where that can be had; whether we are in one."""
    if os.environ.get("TORTURE_NAMESPACE"):
        return True
    if os.geteuid() != 0 or subprocess.run(["unshare", "-m", "true"], capture_output=True).returncode != 0:
        print("not root, or no mount namespaces: the disk will not be full")
        return False
    os.environ["TORTURE_NAMESPACE"] = "1"
    os.execvp("unshare", ["unshare", "-m", "--propagation", "private", sys.executable, *sys.argv])


def compile_plugin(directory):
    subprocess.run(
        [os.environ.get("CC", "cc"), "-std=c17", "-O1", "-g", "-Wall", "-Wextra", "-Werror", "-D_GNU_SOURCE", "-fPIC",
         "-fvisibility=hidden", "-shared", f"-I{ROOT}/Sources/Base/CTimelinePlugin/include", "-o", f"{directory}/evidence.so",
         f"{HERE}/evidence.c"], check=True)
    shutil.copy(f"{HERE}/evidence.sh", directory)


def torture(options, directory, has_small_disk):
    """Runs it all; gives the case to be judged."""
    compile_plugin(directory)
    world = World(os.path.abspath(options.programs), directory, options.seed)
    if has_small_disk:
        subprocess.run(["mount", "-t", "tmpfs", "-o", "size=8m,mode=0755", "torture", world.state], check=True)
    # Shares begin at different times.
    start = instant(BEGINNINGS[(options.seed + (options.share[0] if options.share else 0)) % len(BEGINNINGS)])
    world.set_offset(start - time.time_ns())
    jobs = mixes.mix(start)
    if options.jobs:
        jobs = [job for job in jobs if job.name in options.jobs.split(",")]
    world.configure(jobs)
    kinds = options.faults.split(",") if options.faults else None
    script = plan(options.seed, options.seconds, kinds, has_small_disk, options.share)
    before = time.time_ns()
    try:
        world.start()
        begin = time.time_ns()
        for job in jobs:
            world.bring(job, (before, begin))
        tormentor = Tormentor(world, jobs, start)
        clock = time.monotonic()
        for kind, pause, length, dice in script:
            # A decade later everything is far away: so that step is the last, and has some seconds for itself.
            if not options.share and time.monotonic() - clock > options.seconds - LAST:
                break
            time.sleep(pause)
            world.look_after()
            print(f"{time.monotonic() - clock:7.2f} s  {kind}", flush=True)
            tormentor.do(kind, length, dice)
        rest = LAST if options.share else options.seconds - (time.monotonic() - clock)
        if kinds is None:
            tormentor.do("step-decade", 0, 0)
        time.sleep(max(1, rest))
        world.look_after()
        end = time.time_ns()
        # A daemon that stops tidies up, and what is ten years old goes.
        world.snapshot_alive()
        world.stop()
    except SystemExit:
        if world.daemon:
            world.kill()
        if has_small_disk:
            subprocess.run(["umount", "--lazy", world.state], check=False)
        raise
    except Stuck as stuck:
        world.surprises.append(f"stuck: {stuck}")
        end = time.time_ns()
        if world.daemon:
            world.kill()
    time.sleep(0.5)
    left = leftovers(directory)
    if left:
        world.surprises.append(f"processes were left behind: {left}")
    world.snapshot()
    if has_small_disk:
        subprocess.run(["umount", "--lazy", world.state], check=False)
    attempts, senseless = read_evidence(f"{directory}/evidence")
    records, counts, damages = merge_ledgers(world.copies, offsets=world.offsets)
    return Case(
        seed=options.seed, eras=world.eras, attempts=attempts, records=records, faults=world.faults, offsets=world.offsets,
        begin=before, end=end, group_limits=mixes.GROUP_LIMITS if mixes.FEATURES["groups"] else {},
        surprises=world.surprises + senseless + damages, bound=int(options.bound * SECOND), triggers=world.triggers,
        counts=counts, kept=read_kept(world.copies[-1].place) if world.copies else {})


def leftovers(directory):
    """Processes of ours that outlived the daemon."""
    found = []
    for name in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{name}/cmdline", "rb") as file:
                words = file.read().replace(b"\0", b" ").decode(errors="replace").strip()
        except OSError:
            continue
        if directory in words and int(name) != os.getpid() and "torture.py" not in words:
            found.append(f"{name} ({words[:80]})")
    return found


def main():
    options = arguments()
    if options.judge:
        with open(f"{options.judge}/case", "rb") as file:
            case = pickle.load(file)
        directory = options.judge
    else:
        for program in ("timelined", "timelinectl", "timeline-host"):
            if not os.path.exists(f"{options.programs}/{program}"):
                print(f"{options.programs}/{program} is not there: build it first")
                return 77
        if options.seed is None:
            # Decided before the namespace is entered, which starts this program anew.
            options.seed = int.from_bytes(os.urandom(3))
            sys.argv += ["--seed", str(options.seed)]
        has_small_disk = with_small_disk()
        directory = options.keep or tempfile.mkdtemp(prefix="torture-")
        os.makedirs(directory, exist_ok=True)
        os.chmod(directory, 0o755)
        length = f"share {options.share[0]} of {options.share[1]}" if options.share else f"{options.seconds:.0f} s"
        print(f"seed {options.seed}, {length}, in {directory}", flush=True)
        # Whoever ends it, for example because it takes too long, leaves no daemon behind, and none that is frozen.
        for number in (signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, lambda *_: sys.exit("ended by a signal"))
        case = torture(options, directory, has_small_disk)
        with open(f"{directory}/case", "wb") as file:
            pickle.dump(case, file)
    # A run of its own choice of faults, or one too short for all of them, need not be quiet.
    is_long = options.share or case.end - case.begin > 90 * SECOND
    is_whole = options.faults is None and options.jobs is None and is_long
    verdict = judge(case, CALM_SHARE if is_whole else 0)
    picture = f"{directory}/torture.svg"
    svg(case, verdict, picture)
    print_report(case, verdict, picture)
    if verdict.violations:
        length = f"--share {options.share[0]}/{options.share[1]}" if options.share else f"--seconds {(case.end - case.begin) / SECOND:.0f}"
        print(f"FAILED; again with: Tests/Torture/torture.py --seed {case.seed} {length}")
        return 1
    if not options.keep and not options.judge:
        shutil.rmtree(directory, ignore_errors=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
