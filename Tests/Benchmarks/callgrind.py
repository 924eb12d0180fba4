"""callgrind.py: how many instructions a program of ours takes, and where, by valgrind. Counts are the same in each run, on
whatever machine and under whatever load; times are not.
"""
import os
import re
import shutil
import subprocess

from frame import Missing


def prepared(bench, program):
    """A copy that valgrind can read: with its symbols, without the debugging information, whose form it does not know. A program, or a
    plugin in Swift by the name of its library."""
    plugin = program.endswith(".so")
    built = "timelined" if program == "timelinectl" else program  # one file, whose name decides
    source = bench.root / (f".build/plugins/release/lib{built}" if plugin else f".build/release/{built}")
    if not source.exists():
        raise Missing(f"{source} is not built")
    copy = bench.work / f"{program}.symbols"
    if not copy.exists() or source.stat().st_mtime > copy.stat().st_mtime:
        bench.run(["strip", "-g", "-o", copy, source])
    return copy


def functions(bench, program):
    """Where a program or a plugin has its functions: [(address, name)] in the order of the addresses."""
    words = (line.split(None, 2) for line in bench.run(["nm", "--defined-only", prepared(bench, program)]).splitlines())
    return sorted((int(parts[0], 16), parts[2]) for parts in words if len(parts) == 3 and parts[1] in "tTwW")


# A hash that is seeded anew in each process would make each process take other steps.
ENVIRONMENT = {"SWIFT_DETERMINISTIC_HASHING": "1", "LC_ALL": "C", "TZ": "UTC"}


def words(program, *options, profile="/dev/null"):
    """What a command begins with that runs the program under callgrind."""
    if shutil.which("valgrind") is None:
        raise Missing("there is no valgrind here; apt-get install valgrind")
    return ["valgrind", "--tool=callgrind", f"--callgrind-out-file={profile}", *options, str(program)]


def collected(told):
    """The instructions that valgrind tells of, or None."""
    found = re.search(r"Collected : (\d+)", told)
    return found and int(found[1])


def instructions(bench, command, profile="/dev/null"):
    """Runs the command under callgrind: instructions, standard output and error."""
    program, *rest = command
    begun = [*words(program, profile=profile), *map(str, rest)]
    done = subprocess.run(begun, capture_output=True, text=True, env=os.environ | ENVIRONMENT, stdin=subprocess.DEVNULL)
    count = collected(done.stderr)
    if done.returncode or count is None:
        raise RuntimeError(f"{' '.join(map(str, command))} ended with {done.returncode} under valgrind: {done.stderr[-500:]}")
    told = "".join(line + "\n" for line in done.stderr.splitlines() if not line.startswith(("==", "###")))
    return count, done.stdout, told


def allocations(command):
    """How often the command takes memory from the heap, by the summary of memcheck."""
    words = ["valgrind", "--tool=memcheck", "--leak-check=no", "--undef-value-errors=no", *map(str, command)]
    done = subprocess.run(words, capture_output=True, text=True, env=os.environ | ENVIRONMENT, stdin=subprocess.DEVNULL)
    found = re.search(r"total heap usage: ([\d,]+) allocs", done.stderr)
    if done.returncode or not found:
        raise RuntimeError(f"{' '.join(words)} ended with {done.returncode}: {done.stderr[-500:]}")
    return int(found[1].replace(",", ""))
