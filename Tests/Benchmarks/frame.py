"""frame.py: what a row of the benchmark is given: builds, programs, interleaved rounds, goals, and a way to report.

A row is `rows/NAME.py` with one function, `measure(bench) -> dict`: it states its goals, measures ours and the peers in the
same rounds, and returns what `bench.report` returned (or a dict of several of those) for bench.json. `bench` is the `Bench`
below. A row imports nothing of the frame; what several rows share lies in a module beside this one (daemons.py).

A contestant of a build is named after it: `ours`, `ours, walking`, and beside it `base 8fd0e473`, `base 8fd0e473, walking`.
"""
import functools
import json
import statistics
import subprocess
import time
from dataclasses import dataclass


class Missing(Exception):
    """What a row cannot be measured without is not here; it is left out with these words."""


class UnequalWork(Exception):
    """Two contestants did not find the same entries, so that their times must not be compared."""


@dataclass
class Goal:
    """`who` takes at most (or, for rates, at least) `limit` times what `of` takes in the same rounds, or `limit` in the
    report's unit where `of` is None."""
    who: str
    limit: float
    of: str | None = None
    least: bool = False

    def judge(self, rounds, unit):
        """The median over the rounds of the ratio, whether that is enough, and a sentence; None when one of the two is not here."""
        if self.who not in rounds or (self.of is not None and self.of not in rounds):
            return None
        if self.of is None:
            measured = statistics.median(rounds[self.who])
            text, wanted = quantity(measured, unit), quantity(self.limit, unit)
        else:
            measured = median_ratio(rounds[self.who], rounds[self.of])
            text, wanted = f"{ratio(measured)} of {self.of}", f"{ratio(self.limit)} of {self.of}"
        met = measured >= self.limit if self.least else measured <= self.limit
        sentence = f"{'met    ' if met else 'NOT MET'}  {self.who}: {text} (goal: at {'least' if self.least else 'most'} {wanted})"
        return {"who": self.who, "of": self.of, "limit": self.limit, "measured": measured, "met": met, "sentence": sentence}


def median_ratio(mine, theirs):
    """The median over the rounds of the ratio in one round."""
    return statistics.median(one / other for one, other in zip(mine, theirs))


def ratio(value):
    """As people say it: 1/300 rather than 0.00333."""
    return f"1/{1 / value:,.0f}" if 0 < value < 0.05 else f"{value:.2f} x"


def quantity(value, unit):
    return f"{value:,.1f} {unit}" if value < 1000 else f"{value:,.0f} {unit}"


class Build:
    """The programs of one commit. `name`: what its contestants are named after; `stage`: the released programs; `program`: timeline-bench."""

    def __init__(self, name, root):
        self.name, self.root = name, root
        self.stage, self.program = root / ".build/stage", root / ".build/release/timeline-bench"

    def contestant(self, what=""):
        return f"{self.name}, {what}" if what else self.name

    @functools.cached_property
    def verbs(self):
        printed = subprocess.run([self.program], capture_output=True, text=True).stderr
        return printed.replace(",", " ").split()

    def verb(self, verb, *words):
        """The command of a verb of timeline-bench; `Missing` where this build has no such verb."""
        if verb not in self.verbs:
            raise Missing(f"timeline-bench has no verb {verb} yet")
        return [self.program, verb, *map(str, words)]

    def timelinectl(self, *words):
        return [self.stage / "timelinectl", *words]


class Bench:
    """What a row is given.

    `work`: a directory of the benchmark's own, for what is built and written; `sources`: this directory; `rounds`: how often each
    contestant is measured; `short`: whether this is the short form; `builds`: name -> `Build`, ours and, if there is one, the base.
    `ours`, with its `stage` and `program`, is for what is measured without a base. A row raises `bench.Missing(reason)` where it
    cannot be measured here."""

    Missing, UnequalWork = Missing, UnequalWork

    def __init__(self, root, rounds, short=False, base=None):
        self.root, self.rounds, self.short, self.base = root, rounds, short, base
        self.work, self.sources = root / ".build/bench", root / "Tests/Benchmarks"
        self.ours = Build("ours", root)
        self.stage, self.program = self.ours.stage, self.ours.program
        self.builds = {build.name: build for build in (self.ours, base) if build}
        # For the end: goals that were judged, sentences of goals that were not, and ratios of ours to the base.
        self.judged, self.open, self.compared = [], [], []
        self.work.mkdir(parents=True, exist_ok=True)

    # The form.

    def choose(self, whole, short):
        """One of the two, by the form: for lengths and counts."""
        return short if self.short else whole

    def sizes(self, *counts):
        """The numbers of jobs, entries or deadlines to measure: all of `counts`, or 1,000 alone in the short form."""
        return self.choose(counts, (1_000,))

    # Programs.

    def run(self, words, **options):
        """Runs a command and returns what it printed; a failure is raised with its last words."""
        done = subprocess.run([str(word) for word in words], capture_output=True, text=True, **options)
        if done.returncode:
            last = (done.stderr.strip() or done.stdout.strip() or "it said nothing").splitlines()[-1]
            raise RuntimeError(f"{words[0]} ended with {done.returncode}: {last}")
        return done.stdout

    def process(self, words, output=subprocess.DEVNULL):
        """Runs a command to its end, its output to `output`: nanoseconds and standard error."""
        begin = time.perf_counter_ns()
        child = subprocess.Popen([str(word) for word in words], stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.PIPE, text=True)
        told = child.stderr.read()
        child.wait()
        elapsed = time.perf_counter_ns() - begin
        if child.returncode:
            raise RuntimeError(f"{words[0]} ended with {child.returncode}: {told[-300:]}")
        return elapsed, told

    def result(self, words):
        """The JSON object that a command prints."""
        return json.loads(self.run(words))

    def need_verb(self, verb):
        self.ours.verb(verb)

    # Contestants.

    def own(self, make, what=""):
        """The contestants of the builds: name -> `make(build)`."""
        found = {}
        for build in self.builds.values():
            try:
                found[build.contestant(what)] = make(build)
            except Exception as error:
                self.excuse(build.contestant(what), error)
        return found

    def excuse(self, name, error):
        """Leaves out a contestant that failed, or raises its error. A base may lack what is measured, and a peer may be missing; ours is
        neither, and unequal work is no excuse."""
        is_base = self.base is not None and name.split(", ")[0] == self.base.name
        is_peer = name.split(", ")[0] not in self.builds
        if isinstance(error, UnequalWork) or not (is_base or is_peer and isinstance(error, Missing)):
            raise error
        self.leave_out(name, str(error) if isinstance(error, (Missing, RuntimeError)) else repr(error))

    def leave_out(self, name, reason):
        print(f"  left out: {name}: {reason}", flush=True)

    def interleave(self, contestants, once, rounds=None):
        """`once(name, contestant)` for each of `contestants` (name -> anything) in each round, each round beginning with
        another: name -> what `once` returned, in the order of the rounds. See `excuse` for contestants that fail."""
        names, values = list(contestants), {name: [] for name in contestants}
        for turn in range(rounds or self.rounds):
            shift = turn % len(names)
            for name in names[shift:] + names[:shift]:
                if name not in values:
                    continue
                try:
                    values[name].append(once(name, contestants[name]))
                except Exception as error:
                    self.excuse(name, error)
                    del values[name]
        return values

    def pick(self, rounds, key):
        """Of rounds whose values are dicts, one key: name -> numbers."""
        return {name: [value[key] for value in values] for name, values in rounds.items()}

    def agreed(self, work):
        """The one count and sum of `work`: pairs of (name, (count, sum))."""
        found = {}
        for name, counted in work:
            found.setdefault(counted, set()).add(name)
        if len(found) > 1:
            raise UnequalWork("; ".join(f"{', '.join(sorted(names))}: count {count}, sum {total}" for (count, total), names in found.items()))
        return next(iter(found))

    def enumerate(self, contestants, rounds=None):
        """Interleaves commands (name -> words) that print {"count", "sum", "nanoseconds"}, or functions that return it:
        nanoseconds an entry, and the count and the sum of the instants, which must be the same for all. What is over in
        less than 20 ms is run five times in each round and its median taken, so that one turn of another process is no result."""
        work = []

        def once(name, words):
            times = []
            while not times or (len(times) < 5 and times[0][1] < 20_000_000):
                result = words() if callable(words) else self.result(words)
                work.append((name, (result["count"], result["sum"])))
                times.append((result["nanoseconds"] / max(1, result["count"]), result["nanoseconds"]))
            return statistics.median(time for time, _ in times)

        values = self.interleave(contestants, once, rounds)
        return values, *self.agreed(work)

    # Goals and reports.

    def goal(self, who, limit, of=None, least=False):
        """See `Goal`."""
        return Goal(who, limit, of, least)

    def report(self, title, unit, rounds, goals=(), reference=None, tail=False, **facts):
        """Prints the goals as ratios first, then each contestant's median, its spread and its ratio to `reference` (the first
        contestant by default); returns all of it, with every round and with `facts`, for the JSON. `tail`: a statistic that needs
        many values, such as a p99; the short form has too few for it."""
        if tail and self.short:
            self.open += [f"{goal.who}: too few values in the short form   [{title}]" for goal in goals]
            return {"title": title, "left out": "too few values in the short form"}
        reference = reference or next(iter(rounds))
        print(f"\n{title}" + "".join(f"; {name} {value:,}" if isinstance(value, int) else "" for name, value in facts.items()))
        verdicts = self.judge(title, unit, rounds, goals)
        medians, width = {name: statistics.median(values) for name, values in rounds.items()}, max(28, *map(len, rounds))
        # The best first: the least time, the highest rate.
        for name, median in sorted(medians.items(), key=lambda item: item[1], reverse=is_rate(unit)):
            times = f"{ratio(median / medians[reference])}" if medians[reference] else ""
            print(f"  {times:>12}  {name:{width}} {median:14,.1f} {unit}   ({min(rounds[name]):,.1f} to {max(rounds[name]):,.1f})", flush=True)
        return {"title": title, "unit": unit, "reference": reference, "medians": medians, "goals": verdicts,
                "to base": self.compare(title, unit, rounds), "rounds": rounds, **facts}

    def judge(self, title, unit, rounds, goals):
        """Prints the verdicts on the goals, and returns those that could be judged."""
        verdicts = []
        for goal in goals:
            verdict = goal.judge(rounds, unit)
            if verdict is None:
                print(f"  open     {goal.who}: not measured beside {goal.of}")
                self.open.append(f"{goal.who}: not measured beside {goal.of}   [{title}]")
                continue
            print(f"  {verdict['sentence']}")
            verdicts.append(verdict)
            self.judged.append({"title": title, **verdict})
        return verdicts

    def compare(self, title, unit, rounds):
        """The ratio of each contestant of ours to that of the base, in the same rounds: name of ours -> ratio."""
        found = {}
        for name, values in rounds.items():
            theirs = self.base and rounds.get(self.base.name + name.removeprefix(self.ours.name))
            if name.split(", ")[0] == self.ours.name and theirs and all(theirs):
                found[name] = median_ratio(values, theirs)
                self.compared.append({"title": title, "unit": unit, "who": name, "ratio": found[name]})
        return found


def is_rate(unit):
    """Whether more is better."""
    return unit.endswith("a second")
