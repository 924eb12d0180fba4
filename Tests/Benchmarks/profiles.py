#!/usr/bin/env python3
"""profiles.py: where the instructions of the hot paths go: what kinds of work they are, and a table of functions for each path, in
.build/bench/profile-NAME.txt.

`profiles.py NAME...` profiles those paths of paths.py and parts of steps.py; without names the hottest.
"""
import re
import shutil
import subprocess
import sys
from pathlib import Path

sys.dont_write_bytecode = True  # the sources stay as they are
import callgrind
import paths
import steps
from frame import Bench, Missing

HOTTEST = ["dry run", "merge of 1,000 rules", "queue of 100,000", "engine, 1,000 jobs", "ledger", "check"]
SHOWN = 15
# The first that fits says what kind of work a function is.
KINDS = [
    ("the start of the process", r"ld-linux|dl-|swift_conformsToProtocol|getSwiftType|init_cacheinfo"),
    ("SQLite", r"libsqlite3"),
    ("taking and giving back memory", r"malloc|_int_free|\bfree\b|calloc|realloc|swift_(slow)?(Alloc|Dealloc)|swift_(alloc|dealloc)|operator (new|delete)"),
    ("counting references", r"swift_(bridgeObject)?_?(retain|release)|swift_bridgeObject|RefCounts|isUniquelyReferenced"),
    ("looking out for conflicting accesses", r"swift_(begin|end)Access|AccessSet|SwiftTLSContext"),
    ("hashing", r"Hasher|siphash|hashValue|_RawDictionaryStorage"),
    ("copying, comparing, clearing bytes", r"mem(move|cpy|set|cmp)|strlen|strcmp"),
    ("text", r"String|Substring|Unicode|UTF8|utf8"),
    ("TOML", r"toml"),
    ("the rest of the C library", r"libc\.so|libm\.so|libstdc\+\+|vdso"),
    ("ours", r""),
]


def kind(function):
    return next(name for name, pattern in KINDS if re.search(pattern, function))


def readable(function):
    return re.sub(r"\?\?\?:| \[[^\]]*\]$|^\S*/(?=[^/ ]*:)", "", function)


def profile(bench, name):
    found, sentence = steps.functions(bench, name) if name in steps.PARTS else counted(bench, name)
    functions = list(zip((count for count, _ in found), demangled(function for _, function in found)))
    whole, kinds = sum(count for count, _ in functions), {}
    for count, function in functions:
        kinds[kind(function)] = kinds.get(kind(function), 0) + count
    lines = [sentence]
    lines += [f"  {count / whole:6.1%}  {group}" for group, count in sorted(kinds.items(), key=lambda item: -item[1]) if count >= whole / 200]
    lines += ["", *(f"  {count / whole:6.1%}  {readable(function)[:140]}" for count, function in functions[:80])]
    target = bench.work / f"profile-{re.sub('[^a-z0-9]+', '-', name)}.txt"
    target.write_text("\n".join(lines) + "\n")
    print("\n" + "\n".join(lines[:len(kinds) + SHOWN]) + f"\n  ... in {target.relative_to(bench.root)}", flush=True)


def counted(bench, name):
    """[(instructions, function)] of a path's longer run, the most first, and a sentence about it."""
    raw = bench.work / "callgrind.out"
    with paths.commands(bench, name) as runs:
        words, _ = runs[-1]
        callgrind.instructions(bench, words, raw)
    told = bench.run(["callgrind_annotate", "--auto=no", "--threshold=100", raw])
    found = re.findall(r"^\s*([\d,]+) \(\s*[\d.]+%\)\s+(.*)$", told, re.MULTILINE)
    functions = [(int(count.replace(",", "")), function) for count, function in found if function != "PROGRAM TOTALS"]
    sentence = f"{name}: {paths.cost(bench, name):,.1f} instructions for one {paths.unit(name)}; of the longer run, its start included:"
    return functions, sentence


def demangled(functions):
    """The names as they are in the source, where a toolchain is here that can tell."""
    text = "\n".join(functions)
    if shutil.which("swift"):
        text = subprocess.run(["swift", "demangle", "--simplified", "--compact"], input=text, capture_output=True, text=True).stdout.rstrip("\n") or text
    return text.split("\n")


if __name__ == "__main__":
    frame = Bench(Path(__file__).resolve().parent.parent.parent, 1)
    for path in sys.argv[1:] or [*HOTTEST, *steps.PARTS]:
        try:
            profile(frame, path)
        except Missing as reason:
            print(f"left out: {path}: {reason}")
