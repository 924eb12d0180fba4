"""frame.py: what a row of the benchmark is given: directories, programs, interleaved rounds, goals, and a way to report.

A row is `rows/NAME.py` with one function, `measure(bench) -> dict`: it states its goals, measures ours and the peers in the
same rounds, and returns what `bench.report` returned (or a dict of several of those) for bench.json. `bench` is the `Bench`
below. A row imports nothing of the frame; what several rows share lies in a module beside this one (daemons.py).
"""
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
        own = statistics.median(rounds[self.who])
        if self.of is None:
            measured, text, wanted = own, quantity(own, unit), quantity(self.limit, unit)
        else:
            measured = statistics.median(mine / peer for mine, peer in zip(rounds[self.who], rounds[self.of]))
            text, wanted = f"{ratio(measured)} of {self.of}", f"{ratio(self.limit)} of {self.of}"
        met = measured >= self.limit if self.least else measured <= self.limit
        sentence = f"{'met    ' if met else 'NOT MET'}  {self.who}: {text} (goal: at {'least' if self.least else 'most'} {wanted})"
        return {"who": self.who, "of": self.of, "limit": self.limit, "measured": measured, "met": met, "sentence": sentence}


def ratio(value):
    """As people say it: 1/300 rather than 0.00333."""
    return f"1/{1 / value:,.0f}" if 0 < value < 0.05 else f"{value:.2f} x"


def quantity(value, unit):
    return f"{value:,.1f} {unit}" if value < 1000 else f"{value:,.0f} {unit}"


class Bench:
    """What a row is given.

    `work`: a directory of the benchmark's own, for what is built and written; `stage`: the released programs;
    `program`: timeline-bench; `sources`: this directory; `rounds`: how often each contestant is measured. A row raises
    `bench.Missing(reason)` where it cannot be measured here."""

    Missing, UnequalWork = Missing, UnequalWork

    def __init__(self, root, rounds):
        self.root, self.rounds = root, rounds
        self.work, self.stage = root / ".build/bench", root / ".build/stage"
        self.program, self.sources = root / ".build/release/timeline-bench", root / "Tests/Benchmarks"
        self.judged = []
        self.work.mkdir(parents=True, exist_ok=True)

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

    def verb(self, *words):
        """The JSON object that a verb of timeline-bench prints; `Missing` where this build has no such verb."""
        self.need_verb(words[0])
        return json.loads(self.run([self.program, *words]))

    def need_verb(self, verb):
        told = subprocess.run([self.program], capture_output=True, text=True).stderr
        if verb not in told.replace(",", " ").split():
            raise Missing(f"timeline-bench has no verb {verb} yet")

    def leave_out(self, name, reason):
        print(f"  left out: {name}: {reason}", flush=True)

    def interleave(self, contestants, once, rounds=None):
        """`once(name, contestant)` for each of `contestants` (name -> anything) in each round, each round beginning with
        another: name -> what `once` returned, in the order of the rounds."""
        names, values = list(contestants), {name: [] for name in contestants}
        for turn in range(rounds or self.rounds):
            shift = turn % len(names)
            for name in names[shift:] + names[:shift]:
                values[name].append(once(name, contestants[name]))
        return values

    def pick(self, rounds, key):
        """Of rounds whose values are dicts, one key: name -> numbers."""
        return {name: [value[key] for value in values] for name, values in rounds.items()}

    def enumerate(self, contestants, rounds=None):
        """Interleaves commands (name -> words) that print {"count", "sum", "nanoseconds"}, or functions that return it:
        nanoseconds an entry, and the count and the sum of the instants, which must be the same for all. What is over in
        less than 20 ms is run five times in each round and its median taken, so that one turn of another process is no result."""
        work = {}

        def once(name, words):
            times = []
            while not times or (len(times) < 5 and times[0][1] < 20_000_000):
                result = words() if callable(words) else json.loads(self.run(words))
                work.setdefault((result["count"], result["sum"]), set()).add(name)
                times.append((result["nanoseconds"] / max(1, result["count"]), result["nanoseconds"]))
            return statistics.median(time for time, _ in times)

        values = self.interleave(contestants, once, rounds)
        if len(work) > 1:
            raise UnequalWork("; ".join(f"{', '.join(sorted(names))}: count {count}, sum {total}" for (count, total), names in work.items()))
        (count, total), = work
        return values, count, total

    def goal(self, who, limit, of=None, least=False):
        """See `Goal`."""
        return Goal(who, limit, of, least)

    def report(self, title, unit, rounds, goals=(), base=None, **facts):
        """Prints the goals as ratios first, then each contestant's median, its spread and its ratio to `base` (the first
        contestant unless told); returns all of it, with every round and with `facts`, for the JSON."""
        base = base or next(iter(rounds))
        print(f"\n{title}" + "".join(f"; {name} {value:,}" if isinstance(value, int) else "" for name, value in facts.items()))
        verdicts = []
        for goal in goals:
            verdict = goal.judge(rounds, unit)
            if verdict is None:
                print(f"  open     {goal.who}: not measured beside {goal.of}")
                continue
            print(f"  {verdict['sentence']}")
            verdicts.append(verdict)
            self.judged.append({"title": title, **verdict})
        medians = {name: statistics.median(values) for name, values in rounds.items()}
        # The best first: the least time, the highest rate.
        for name, median in sorted(medians.items(), key=lambda item: item[1], reverse=unit.endswith("a second")):
            times = f"{ratio(median / medians[base])}" if medians[base] else ""
            print(f"  {times:>12}  {name:28} {median:14,.1f} {unit}   ({min(rounds[name]):,.1f} to {max(rounds[name]):,.1f})", flush=True)
        return {"title": title, "unit": unit, "base": base, "medians": medians, "goals": verdicts, "rounds": rounds, **facts}
