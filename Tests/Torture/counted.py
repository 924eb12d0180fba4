"""Counted jobs, of which the ledger keeps numbers and no entries: the evidence alone says what ran."""

from bisect import bisect_right

from facts import ABSENCES, SECOND
from schedules import Animation

# Faults that end or hold a run of the job, or keep it from beginning.
HELD = ABSENCES | {"freeze-host", "kill-host"}


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
                elif not own and not is_busy(runs, nominal, due):
                    judge.verdict.blame("no run", f"{judge.name_of(name, nominal)}: it never ran", due)


def is_busy(runs, nominal, due):
    """Whether a run was in the way of an entry: it still ran, or was of an earlier entry and waited for its plugin host."""
    place = bisect_right(runs, due, key=lambda run: run.began)
    before, after = runs[max(place - 1, 0):place], runs[place:place + 1]
    return any(run.ended is None or due <= run.ended + SECOND // 50 for run in before) \
        or any(run.nominal < nominal for run in after)


def check_pace(judge, name):
    """In quiet times one run follows the other, never sooner than the minimum and soon after the last has ended."""
    job, runs = judge.job(name), [run for run in judge.by_job[name] if run.number == 1]
    for before, after in zip(runs, runs[1:]):
        allowed = max(job.schedule.minimum, job.lasts[1] * 1_000_000) + judge.case.bound
        if after.began - before.began > allowed and not judge.case.disturbance(name, before.began, after.began, HELD):
            judge.verdict.blame(
                "no run", f"{name}: nothing ran for {(after.began - before.began) / 1e9:.1f} s", before.began)
    if not runs and judge.case.end - judge.case.begin > 10 * SECOND:
        judge.verdict.blame("no run", f"{name}: it never ran")
