"""The ledger and the schedules: each target has one outcome, and nothing else has any."""

from itertools import islice

from facts import FULL, OMITTED, OWN_CAUSES, SECOND
from outcomes import forgotten


def check_coverage(judge, name):
    scheduled = []
    for record in judge.records[name]:
        judge.verdict.outcomes[record.outcome or "open"] += record.count
        if record.outcome in OMITTED:
            check_omission(judge, name, record)
        elif record.cause not in OWN_CAUSES:
            scheduled.append(record)
    shared = [record for record in scheduled if record.is_lost or is_replaced(judge, name, record)]
    held = [record for record in scheduled if record not in shared]
    for before, after in zip(held, held[1:]):
        era = judge.era_of(name, before.nominal)
        if era and after.first <= before.nominal:
            twice = era.job.schedule.count(max(before.first, after.first), before.nominal)
            if twice:
                judge.verdict.blame(
                    "two outcomes", f"{judge.name_of(name, before.nominal)}: {twice} entries are"
                    f" {before.outcome} and again {after.outcome}", judge.when(before.nominal))
    for record in scheduled:
        era = judge.era_of(name, record.nominal)
        if era is None:
            judge.verdict.blame("no target", f"{judge.name_of(name, record.nominal)}: no schedule names it", None)
        elif record.outcome and era.job.schedule.count(record.first, record.nominal) != record.count:
            judge.verdict.blame(
                "miscounted", f"{judge.name_of(name, record.nominal)}: it stands for {record.count} entries, there are"
                f" {era.job.schedule.count(record.first, record.nominal)}", judge.when(record.nominal))
    for era in judge.eras[name]:
        check_gaps(judge, name, era, held, [
            (record.first, record.nominal) for record in shared
            if era.job.schedule.count(record.first, record.nominal) == record.count])


def is_replaced(judge, name, record):
    """Whether a reload replaced the schedule of a record of several entries before a clock that was set back showed their time again.

    The present schedule decides about its own entries then, and the record stands for those of the former one."""
    if record.count == 1 or not record.ended:
        return False
    settled = min(judge.case.times(record.ended), default=judge.case.begin)
    gone = [era.went for era in judge.eras[name] if era.went and settled <= era.went[1]]
    return any(
        new[2] < old[2] and new[0] + new[2] < record.nominal and any(went[0] <= new[1] for went in gone)
        for old, new in zip(judge.case.offsets, judge.case.offsets[1:]))


def check_omission(judge, name, record):
    # It may lie among entries that share a record: the rule's own instants and these are told apart.
    omissions = {era.job.schedule.leaves_out(record.nominal) for era in judge.eras[name]}
    if record.outcome not in omissions or record.count != 1:
        judge.verdict.blame("no target", f"{judge.name_of(name, record.nominal)}: {record.outcome} without cause")


def check_gaps(judge, name, era, held, lost):
    certain = judge.certain_range(era)
    if certain is None:
        return
    low, high = certain
    judge.verdict.jumped += era.job.schedule.count(low, high)
    covered = low - 1
    for record in held + [None]:
        begin = record.first if record else high + 1
        for first, last in outside(covered + 1, min(begin - 1, high), lost):
            for nominal in islice(era.job.schedule.between(first, last), 100):
                blame_gap(judge, name, era, nominal)
        if record:
            covered = max(covered, record.nominal)


def outside(first, last, ranges):
    """The parts of a range that lie in none of the others."""
    for low, high in sorted(ranges):
        if first < low <= last:
            yield first, low - 1
        first = max(first, high + 1) if low <= last else first
    if first <= last:
        yield first, last


def blame_gap(judge, name, era, nominal):
    when = judge.case.due(nominal, era.came[0], judge.case.end)
    # What waits at the last stop, or fell due as that began, is the next daemon's.
    if (name, nominal) in judge.case.kept or when and judge.case.end - when < SECOND // 20:
        return
    ends = [attempt.ended or attempt.began for attempt in judge.attempts[name, nominal]]
    if when and (judge.case.disturbance(name, when, max([when, *ends]), FULL) or forgotten(judge, name, when)):
        judge.verdict.ledger_gaps += 1
    else:
        ran = "it ran" if judge.attempts[name, nominal] else "it did not run"
        judge.verdict.blame("no outcome", f"{judge.name_of(name, nominal)}: {ran}", when)
