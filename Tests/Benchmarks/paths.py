"""paths.py: the hot paths whose instructions are guarded and whose profiles are taken, each as a short and a longer command.

The difference of the two is the path alone: what a process costs before its first entry is in both.
"""
import json
import tempfile
from contextlib import contextmanager

import callgrind
import daemons
import starts
from frame import Missing

RULE = ["*/5 9-17 * * 1-5", "Europe/Berlin", "1767225600"]
YEAR, DAY = 31_536_000, 86_400


def later(words, seconds):
    return [*words, str(int(words[-1]) + seconds)]


def kind(name, series):
    """A series of a kind of rule, for 2 and for 20 years."""
    words = ["kind", name, series, RULE[-1]]
    return later(words, 2 * YEAR), later(words, 20 * YEAR)


# Name -> what one is, and the words after timeline-bench of the short and of the longer run.
VERBS = {
    "rule, walking": ("entry", ["cursor", *later(RULE, YEAR)], ["cursor", *later(RULE, 5 * YEAR)]),
    "rule, next(after:)": ("entry", ["next", *later(RULE, YEAR)], ["next", *later(RULE, 3 * YEAR)]),
    "civil": ("entry", *kind("civil", "weekdays")),
    "rrule": ("entry", *kind("rrule", "weekdays")),
    "pick": ("entry", *kind("pick", "month-end")),
    "move": ("entry", *kind("move", "month-end")),
    "periodic": ("entry", ["periodic", "100000"], ["periodic", "600000"]),
    "sparse": ("entry", ["sparse", "240"], ["sparse", "2400"]),
    "merge of 1,000 rules": ("entry", ["merge", "1000", "1767225600", "1767312000"], ["merge", "1000", "1767225600", "1767571200"]),
    "queue of 1,000": ("turn", ["queue", "1000", "20000"], ["queue", "1000", "120000"]),
    "queue of 100,000": ("turn", ["queue", "100000", "20000"], ["queue", "100000", "120000"]),
    "engine, 1,000 jobs": ("entry", ["engine", "1000", "5000"], ["engine", "1000", "25000"]),
    "ledger": ("entry", ["ledger", "1000"], ["ledger", "3000"]),
}
WHOLES = {
    "dry run": ("entry", [DAY, 4 * DAY], []),
    "dry run --json": ("entry", [DAY, 4 * DAY], ["--json"]),
    "check": ("job", [200, 1_000], []),
}
# At how many instants a daemon's jobs fall due in the short and in the longer run.
DAEMONS = {"making ready": ("start", [2, 10])}
# Commands of timeline-bench, short and longer, that take memory from the heap equally often: an answer takes none.
WITHOUT_MEMORY = {
    **{f"{name}, {series}": kind(name, series) for series in ("weekdays", "month-end")
       for name in ("cron", "civil", "rrule", "pick", "move")
       if (name, series) not in [("civil", "month-end"), ("move", "weekdays")]},
    **{f"{name}, the slowest": (["slowest", name, "1"], ["slowest", name, "9"]) for name in ("cron", "civil", "rrule", "pick", "move")},
}


def names():
    return [*VERBS, *WHOLES, *DAEMONS]


def unit(name):
    return (VERBS | WHOLES | DAEMONS)[name][0]


@contextmanager
def commands(bench, name):
    """The short and the longer command of a path, each with how many it counts, or None where its output tells that."""
    if name in DAEMONS:
        raise Missing("a daemon is no command that ends")
    if name in VERBS:
        _, short, longer = VERBS[name]
        bench.need_verb(short[0])
        program = callgrind.prepared(bench, "timeline-bench")
        yield [([program, *short], None), ([program, *longer], None)]
        return
    program = callgrind.prepared(bench, "timelinectl")
    with tempfile.TemporaryDirectory(dir=bench.work) as directory:
        if name == "check":
            found = []
            for count in WHOLES[name][1]:
                path = daemons.write(f"{directory}/{count}", daemons.configuration(count))
                found.append(([program, "check", "--skip-plugins", path], count))
            yield found
            return
        rules = bench.run([bench.program, "rules", "20"]).splitlines()
        jobs = "".join(daemons.job(f"j{number}", f'{{ cron = "{rule}" }}') for number, rule in enumerate(rules))
        path = daemons.write(directory, f'[daemon]\ntime-zone = "Europe/Berlin"\n{jobs}')
        _, spans, more = WHOLES[name]
        yield [([program, "dry-run", "-c", path, "--from", "2026-01-01T00:00:01Z", "--for", f"{span}s", *more], None) for span in spans]


def counted(printed, told):
    """How many a command has counted, by what it printed."""
    if printed.startswith('{"count":'):
        return json.loads(printed)["count"]
    return int(told.strip().splitlines()[-1].split()[1].replace(",", ""))


def runs(bench, name):
    """Instructions and count of the short and of the longer run."""
    if name in DAEMONS:
        for instants in DAEMONS[name][1]:
            yield starts.taken(bench, instants)
        return
    with commands(bench, name) as found:
        for words, count in found:
            instructions, printed, told = callgrind.instructions(bench, words)
            yield instructions, counted(printed, told) if count is None else count


def memory(bench, name):
    """How much more often the longer command of `WITHOUT_MEMORY` takes memory from the heap."""
    short, longer = (callgrind.allocations([callgrind.prepared(bench, "timeline-bench"), *words]) for words in WITHOUT_MEMORY[name])
    return longer - short


def cost(bench, name):
    """Instructions for one entry, turn, job or start of the path."""
    (few, less), (many, more) = runs(bench, name)
    return (many - few) / (more - less)
