"""steps.py: what a run of a command takes in the daemon and in its host, instruction by instruction, which no counter shows: both are
stepped through while one command follows the other, each as soon as the one before it has ended.

A pass is what a process does between two waits. The shortest is told: in others it does besides what comes once in a while, the more
of it as it is so slow meanwhile. How many different places of code are touched matters as much as how many instructions: a command
leaves little of them in the caches.
"""
import bisect
import collections
import os
import subprocess
import time
from pathlib import Path

import callgrind
import daemons
import equipment
from frame import Missing

# Name -> the program, and the system call it waits in, by its number on x86_64: epoll_pwait2 and recvfrom.
PARTS = {"a command's run, the daemon": ("timelined", 441), "a command's run, its host": ("timeline-host", 45)}
# Files whose functions are named; of code elsewhere the library is named.
OURS = [program for program, _ in PARTS.values()] + ["bundled.so"]
PASSES = 12
LINE_BYTES, PAGE_BYTES = 64, 4096


def shortest(bench, name):
    """The addresses of the instructions of the shortest pass, and where code lies in memory, see `mapped`."""
    program, call = PARTS[name]
    stepper = equipment.c(bench, "steps")
    with daemons.daemon(bench, daemons.commands(limit=1, count=3)) as daemon:
        time.sleep(1)
        process = daemon.process.pid
        if program == "timeline-host":
            process = int(Path(f"/proc/{process}/task/{process}/children").read_text().split()[0])
        code = mapped(process)
        done = subprocess.run([str(stepper), str(process), str(call), str(PASSES)], capture_output=True, text=True, timeout=300)
    if done.returncode:
        raise Missing(done.stderr.strip())
    passes = [[int(line, 16) for line in lines.split()] for lines in done.stdout.split("pass\n")[1:]]
    # One that served something else, such as the end of a delay, is far shorter.
    longest = max(map(len, passes))
    return min((steps for steps in passes if len(steps) > longest / 8), key=len), code


def mapped(process):
    """Where a process has code: [(first, end, file, where the file begins)]."""
    found, begins = [], {}
    for line in open(f"/proc/{process}/maps"):
        words = line.split()
        first, end = (int(word, 16) for word in words[0].split("-"))
        path = words[5] if len(words) > 5 else "?"
        begin = begins.setdefault(path, first)
        if "x" in words[1]:
            found.append((first, end, path, begin))
    return found


def named(bench, name):
    """The function, or the library, of each instruction of the shortest pass, and the instructions' addresses."""
    steps, code = shortest(bench, name)
    tables = {}
    for _, _, path, _ in code:
        file = os.path.basename(path)
        if file in OURS:
            symbols = callgrind.functions(bench, file)
            tables[path] = ([address for address, _ in symbols], [function for _, function in symbols])
    found = []
    for step in steps:
        path, begin = next(((path, begin) for first, end, path, begin in code if first <= step < end), ("?", 0))
        if path in tables:
            addresses, functions = tables[path]
            found.append(functions[bisect.bisect_right(addresses, step - begin) - 1])
        else:
            found.append(os.path.basename(path))
    return found, steps


def functions(bench, name):
    """[(instructions, function)] of the shortest pass, the most first, and a sentence about all of it."""
    found, steps = named(bench, name)
    counts = collections.Counter(found)
    lines, pages = ({step // size for step in steps} for size in (LINE_BYTES, PAGE_BYTES))
    sentence = (f"{name}: {len(steps):,} instructions in {len(counts)} functions, "
                f"{len(lines):,} lines of code ({len(lines) * LINE_BYTES / 1024:.0f} KiB) on {len(pages)} pages:")
    return [(count, function) for function, count in counts.most_common()], sentence
