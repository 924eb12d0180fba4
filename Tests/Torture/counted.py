"""Counted jobs, of which the ledger keeps numbers and no entries: the evidence alone says what ran."""

from bisect import bisect_right

from facts import ABSENCES, SECOND
from schedules import Animation

# Faults that end or hold a run of the job, or keep it from beginning.
HELD = ABSENCES | {"freeze-host", "kill-host"}
# How long one holds the job up beyond its end.
AFTERMATH = 2 * SECOND
# How long a plugin host that has to be started first may delay a run.
DELIVERED = SECOND // 2
# From this lateness on, a daemon comes so late to an entry that it may have come too late to the one before.
TARDY = SECOND // 10


def check_counted(judge, name):
    if isinstance(judge.job(name).schedule, Animation):
        check_pace(judge, name)
    else:
        check_entries(judge, name)
    seen = sum(attempt.outcome == "succeeded" for attempt in judge.by_job[name])
    counted = judge.case.counts.get(name, 0)
    if counted > seen:
        judge.verdict.blame("count", f"{name}: the ledger counts {counted} successes, and {seen} were seen")


def check_entries(judge, name):
    """Each entry in quiet times has a run in time, or falls into one."""
    runs = judge.by_job[name]
    for era in judge.eras[name]:
        for begin, end, offset in judge.case.stretches(era.came[1], era.went[0] if era.went else judge.case.end):
            for nominal in era.job.schedule.between(begin + offset, end + offset - judge.case.bound):
                due = nominal - offset
                judge.verdict.targets += 1
                if judge.case.disturbance(name, due, due + judge.case.bound, HELD):
                    continue
                judge.verdict.calm_targets += 1
                own = judge.attempts[name, nominal]
                judge.verdict.matched += bool(own)
                judge.verdict.calm_matched += bool(own)
                if own and own[0].began - due > judge.case.bound:
                    judge.verdict.blame(
                        "late", f"{judge.name_of(name, nominal)}: it began {(own[0].began - due) / 1e6:.0f} ms late", due)
                elif not own and not is_busy(runs, nominal, due, judge.case.bound):
                    judge.verdict.blame("no run", f"{judge.name_of(name, nominal)}: it never ran", due)


def is_busy(runs, nominal, due, bound):
    """Whether a run was in the way of an entry: it still ran, or was of an earlier entry and waited for its plugin host, or was of a
    later entry to which the daemon came late: of several entries that are due at once, the last is run."""
    place = bisect_right(runs, due, key=lambda run: run.began)
    before, after = runs[max(place - 1, 0):place], runs[place:place + 1]
    return any(run.ended is None or due <= run.ended + SECOND // 50 for run in before) \
        or any(run.nominal < nominal or run.actual - run.nominal > TARDY and run.actual - nominal <= bound for run in after)


def check_pace(judge, name):
    """One run follows the other: never sooner than the minimum, over restarts and crashes too, and soon after that or its last end.

    A last start that is later than now, by a clock that was set back, counts as now: nothing waits until the clock has come there."""
    job, runs = judge.job(name), [run for run in judge.by_job[name] if run.number == 1 and not judge.is_own(run)]
    minimum = job.schedule.minimum
    allowed = max(minimum, job.lasts[1] * 1_000_000) + judge.case.bound
    for before, after in zip(runs, runs[1:] + [None]):
        until = after.began if after else judge.case.end
        silent = until - max([before.began] + calm_again(judge, name, before.began, until))
        if silent > allowed:
            judge.verdict.blame("no run", f"{name}: nothing ran for {silent / 1e9:.1f} s", until - silent)
        # Each of the two may be delivered late to its plugin host.
        if after and after.actual - before.actual < minimum - DELIVERED and not excuses_haste(judge, name, before, after):
            judge.verdict.blame(
                "too soon", f"{name}: a run began {(after.actual - before.actual) / 1e6:.0f} ms after the one before it",
                after.began)
    if not runs and judge.case.end - judge.case.begin > 10 * SECOND:
        judge.verdict.blame("no run", f"{name}: it never ran")


def calm_again(judge, name, begin, end):
    """When the faults that touch a stretch of time were over with their aftermath."""
    return [fault.end + AFTERMATH for fault in judge.case.faults
            if fault.kind in HELD and fault.concerns(name) and fault.begin <= end and begin <= fault.end + AFTERMATH]


def excuses_haste(judge, name, before, after):
    """Whether the clock was set between two runs, so that its times tell nothing, or the last start was lost."""
    # The daemon took the start of the first before its plugin host wrote the evidence of it.
    taken = before.began - DELIVERED
    return (any(earliest <= after.began and taken <= latest for earliest, latest, _ in judge.case.offsets[1:])
            or judge.case.cause(name, before.began, after.began, {"garble"}) is not None)
