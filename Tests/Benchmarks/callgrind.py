"""callgrind.py: how many instructions a program of ours takes, and where, by valgrind. Counts are the same in each run, on
whatever machine and under whatever load; times are not.
"""
import os
import re
import shutil
import subprocess

from frame import Missing


def prepared(bench, program):
    """A copy that valgrind can read: with its symbols, without the debugging information, whose form it does not know."""
    source = bench.root / ".build/release" / program
    if not source.exists():
        raise Missing(f"{source} is not built")
    copy = bench.work / f"{program}.symbols"
    if not copy.exists() or source.stat().st_mtime > copy.stat().st_mtime:
        bench.run(["strip", "-g", "-o", copy, source])
    return copy


def instructions(bench, words, profile="/dev/null"):
    """Runs the words under callgrind: instructions, standard output and error."""
    if shutil.which("valgrind") is None:
        raise Missing("there is no valgrind here; apt-get install valgrind")
    # A hash that is seeded anew in each process would make each process take other steps.
    environment = dict(os.environ, SWIFT_DETERMINISTIC_HASHING="1", LC_ALL="C", TZ="UTC")
    words = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={profile}", *[str(word) for word in words]]
    done = subprocess.run(words, capture_output=True, text=True, env=environment, stdin=subprocess.DEVNULL)
    collected = re.search(r"Collected : (\d+)", done.stderr)
    if done.returncode or collected is None:
        raise RuntimeError(f"{' '.join(words[3:])} ended with {done.returncode} under valgrind: {done.stderr[-500:]}")
    told = "".join(line + "\n" for line in done.stderr.splitlines() if not line.startswith(("==", "###")))
    return int(collected[1]), done.stdout, told
