"""The judge: evidence, schedules and ledger must agree, whatever was done to the daemon."""

from bisect import bisect_left
from collections import Counter, defaultdict
from dataclasses import dataclass, field

from counted import check_counted
from coverage import check_coverage
from facts import ABSENT, CONCURRENT_MAX, CROWDING, DEATHS, FAILURES, LOSSES, OWN_CAUSES, SECOND, STEPS
from outcomes import fault_of
from repeats import check_repeats
from triggers import check_triggers
from windows import match

# A host whose daemon was killed may take two seconds to end its run.
ORPHAN_LIFE = 3 * SECOND
# A stop may take as long, and entries fall due meanwhile.
DRAIN = 10 * SECOND


@dataclass
class Verdict:
    violations: list = field(default_factory=list)  # (kind, sentence, when)
    outcomes: Counter = field(default_factory=Counter)
    lateness: list = field(default_factory=list)
    targets: int = 0
    jumped: int = 0
    matched: int = 0
    gone: int = 0
    calm_targets: int = 0
    calm_matched: int = 0
    duplicates: int = 0
    orphan_overlaps: int = 0
    ledger_gaps: int = 0
    runs: int = 0
    complete: int = 0

    def blame(self, kind, sentence, when=None):
        self.violations.append((kind, sentence, when))


def judge(case, calm_share=0):
    """Everything that is wrong, and the figures; fewer than `calm_share` percent of entries in quiet times are wrong too."""
    verdict = Judge(case).verdict
    if verdict.calm_targets * 100 < verdict.targets * calm_share:
        verdict.blame(
            "calm", f"only {verdict.calm_targets} of {verdict.targets} entries were due in quiet times; {calm_share} % are needed")
    return verdict


class Judge:
    def __init__(self, case):
        self.case, self.verdict = case, Verdict()
        self.eras = defaultdict(list)
        for era in case.eras:
            self.eras[era.job.name].append(era)
        self.attempts = defaultdict(list)
        self.by_job = defaultdict(list)
        for attempt in case.attempts:
            self.attempts[attempt.job, attempt.nominal].append(attempt)
            self.by_job[attempt.job].append(attempt)
        self.name_jobs_of_stopped_hosts()
        self.name_jobs_of_killed_hosts()
        self.records = defaultdict(list)
        for record in sorted(case.records, key=lambda record: record.nominal):
            self.records[record.job].append(record)
        self.exact = {(record.job, record.nominal): record for record in case.records}
        for sentence in case.surprises:
            self.verdict.blame("surprise", sentence)
        self.check_attempts()
        for name in self.eras:
            self.check_overlap(name, self.by_job[name], self.concurrency(name))
            self.check_order(name)
            if self.job(name).is_counted:
                check_counted(self, name)
            else:
                check_coverage(self, name)
                for record in self.records[name]:
                    self.check_record(name, record)
                match(self, name)
                self.check_reactions(name)
        check_triggers(self)
        for group, limit in case.group_limits.items():
            members = [name for name in self.eras if self.job(name).group == group]
            runs = sorted((run for name in members for run in self.by_job[name]), key=lambda run: run.began)
            self.check_overlap(f"group {group}", runs, limit)

    def name_jobs_of_stopped_hosts(self):
        """A host that is stopped also concerns the jobs that were given to it while nobody could know that."""
        for fault in self.case.faults:
            if fault.kind == "freeze-host" and fault.jobs is not None:
                fault.jobs |= {
                    attempt.job for attempt in self.case.attempts
                    if attempt.pid in fault.pids and fault.begin <= attempt.began <= fault.end + SECOND}

    def name_jobs_of_killed_hosts(self):
        """A host that is killed while it loads its plugin has testified nothing; the record of the run that it was for names the job."""
        for fault in self.case.faults:
            if fault.kind == "kill-host" and fault.pids and fault.jobs == frozenset():
                ended = [
                    record.job for record in self.case.records
                    if record.outcome == "failed" and "crashed while it was loaded: SIGKILL" in record.reason
                    and any(fault.begin <= when <= fault.end + SECOND // 4 for when in self.case.times(record.ended))]
                # It had one run.
                fault.jobs = frozenset(ended[:1])

    # Small questions.

    def job(self, name):
        return self.eras[name][-1].job

    def concurrency(self, name):
        return CONCURRENT_MAX if self.job(name).overlap in CROWDING else self.job(name).concurrency

    def era_of(self, name, instant, when=None):
        """The era whose schedule names the instant, with room for the time in which a reload is taken in."""
        for era in self.eras[name]:
            low, high = self.wide_range(era)
            if low <= instant <= high and era.job.schedule.count(instant, instant):
                return era
        return None

    def wide_range(self, era):
        """All that the clock may have shown while the era was in force, and while it came and went."""
        until = era.went[1] if era.went else self.case.end + DRAIN
        shown = [self.case.shown(when) for when in (era.came[0], until)]
        for begin, end, offset in self.case.stretches(era.came[0], until):
            shown += [(begin + offset, end + offset)]
        # While a step is being made the clock may show either side of it.
        for first, last, _ in self.case.offsets:
            if era.came[0] <= first <= until:
                low, high = self.case.shown(first)
                shown.append((low, high + last - first))
        return min(low for low, _ in shown), max(high for _, high in shown)

    def certain_range(self, era):
        """What the clock passed or jumped over while the era was certainly in force, without coming back to it."""
        until = era.went[0] if era.went else self.case.end
        if until <= era.came[1]:
            return None
        low = self.case.shown(era.came[1])[1]
        return low, max(end + offset for _, end, offset in self.case.stretches(era.came[1], until))

    def name_of(self, name, nominal):
        shown = self.case.shown(self.case.begin)[0]
        return f"{name} at {nominal} ({(nominal - shown) / SECOND:+.3f} s)"

    # The evidence alone.

    def check_attempts(self):
        for attempt in self.case.attempts:
            self.verdict.runs += 1
            self.verdict.complete += attempt.outcome is not None
            label = self.name_of(attempt.job, attempt.nominal)
            if attempt.job not in self.eras:
                self.verdict.blame("stranger", f"{label}: nobody knows the job", attempt.began)
                continue
            shown = min(attempt.actual, self.case.shown(attempt.began)[1])
            if shown < attempt.nominal and not self.has_shown(attempt.nominal, attempt.began):
                early = attempt.nominal - shown
                self.verdict.blame("early", f"{label}: it began {early / 1e6:.3f} ms before its time", attempt.began)
            planned, _ = self.job(attempt.job).plan(self.case.seed, attempt.nominal, attempt.number)
            if attempt.outcome and attempt.outcome not in (planned, "cancelled"):
                self.verdict.blame("dice", f"{label}: it ended {attempt.outcome}, the dice say {planned}", attempt.began)
        for (name, nominal), attempts in self.attempts.items():
            if name in self.eras:
                check_repeats(self, name, nominal, attempts)

    def has_shown(self, instant, when):
        """Whether the clock had come to the instant before it was set back: an entry may have waited through that."""
        changes = zip(self.case.offsets, self.case.offsets[1:])
        return any(old[2] + new[1] >= instant for old, new in changes if new[2] < old[2] and new[0] <= when)

    def outcome_of(self, name, nominal):
        """The outcome of an entry, alone or among others."""
        records = self.records[name]
        index = bisect_left(records, nominal, key=lambda record: record.nominal)
        covers = index < len(records) and records[index].first <= nominal
        return records[index].outcome if covers else None

    def check_overlap(self, name, runs, limit):
        running = []
        for run in runs:
            running = [other for other in running if other.ended and other.ended > run.began]
            orphans = [other for other in running if self.is_orphan(other, run.began)]
            if len(running) - len(orphans) >= limit:
                with_whom = ", ".join(f"pid {other.pid} of {other.nominal}" for other in running)
                self.verdict.blame(
                    "overlap", f"{name}: pid {run.pid} of {run.nominal} ran beside {with_whom}; the limit is {limit}",
                    run.began)
            elif len(running) >= limit:
                self.verdict.orphan_overlaps += 1
            for other in running:
                if other.pid == run.pid:
                    self.verdict.blame("overlap", f"{name}: two runs at once in process {run.pid}", run.began)
            running.append(run)

    def is_orphan(self, run, when):
        """Whether the daemon of the run had been killed by then, but not long before."""
        return any(
            fault.kind in DEATHS and run.began <= fault.end and fault.begin <= when
            and run.ended <= fault.end + ORPHAN_LIFE for fault in self.case.faults)

    def check_order(self, name):
        if self.concurrency(name) > 1 or self.job(name).is_counted:
            return
        back = self.case.steps_back()
        runs = [run for run in self.by_job[name] if run.number == 1 and not self.is_own(run)]
        for before, after in zip(runs, runs[1:]):
            if after.nominal < before.nominal and not any(
                    before.began <= latest + self.case.bound and earliest <= after.began for earliest, latest in back):
                self.verdict.blame(
                    "order", f"{name}: {after.nominal} began after {before.nominal} had begun", after.began)

    def is_own(self, run):
        record = self.exact.get((run.job, run.nominal))
        return record is not None and record.cause in OWN_CAUSES

    def when(self, nominal):
        return self.case.due(nominal, self.case.begin, self.case.end)

    def is_busy(self, name, listener, begin, record):
        """Whether something kept the end of an entry from being recorded, or its reaction from being started."""
        end = self.when(record.ended) if record and record.ended else None
        end = max(begin, end or begin) + self.case.bound
        kinds = ABSENT | STEPS | {"kill-disk-full", "no-descriptors"} | LOSSES
        return (self.case.disturbance(name, begin, end, kinds | {"pause"})
                or self.case.disturbance(listener, begin, end, kinds | {"pause"}))

    # The ledger and the evidence.

    def check_record(self, name, record):
        attempts = self.attempts[name, record.nominal]
        sentence = fault_of(self, self.job(name), record, attempts)
        if sentence:
            when = attempts[0].began if attempts else self.when(record.nominal)
            self.verdict.blame(
                "outcome", f"{self.name_of(name, record.nominal)}: {record.outcome} ({record.reason}), but {sentence}",
                when)

    def check_reactions(self, name):
        """Each failure is told once to the job that is to hear of it, and nothing else is."""
        listener = self.job(name).on_failure
        if listener is None:
            return
        told = {record.nominal for record in self.records[listener] if record.cause == "reaction"}
        told |= {nominal for (job, nominal), cause in self.case.kept.items() if job == listener and cause == "reaction"}
        told, unexplained = sorted(told), []
        for record in sorted(self.records[name], key=lambda record: record.ended or 0):
            if record.outcome not in FAILURES:
                continue
            while told and told[0] < record.ended:
                unexplained.append(told.pop(0))
            if told and told[0] - record.ended <= self.case.bound:
                told.pop(0)
                continue
            when = self.when(record.nominal)
            if when is None or not self.is_busy(name, listener, when, record):
                self.verdict.blame("reaction", f"{self.name_of(name, record.nominal)}: {listener} was not told", when)
        for nominal in unexplained + told:
            when = self.when(nominal) or self.case.begin
            if not self.is_busy(name, listener, when - self.case.bound, None):
                self.verdict.blame("reaction", f"{self.name_of(listener, nominal)}: it was told of nothing", when)
