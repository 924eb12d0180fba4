"""Triggers: each one that the daemon accepted has a run or an outcome of its own."""

from facts import CRASHES, FULL, LOSSES, SECOND
from repeats import DURABLE


def check_triggers(judge):
    used = set()
    for trigger in judge.case.triggers:
        if not trigger.accepted:
            continue
        low, high = judge.case.shown(trigger.begin)[0], judge.case.shown(trigger.end)[1]
        found = next(iter(answers(judge, trigger, low, high, used)), None)
        if found is not None:
            used.add(found)
        elif not lost(judge, trigger) and not is_kept(judge, trigger, low, high):
            judge.verdict.blame("trigger", f"{trigger.job}: a trigger was accepted, and nothing came of it", trigger.begin)


def answers(judge, trigger, low, high, used):
    """The keys that the trigger may have made: a record of its own, or of a counted job a run."""
    if judge.job(trigger.job).is_counted:
        late = trigger.end + judge.case.bound
        for run in judge.by_job[trigger.job]:
            if trigger.begin - SECOND // 50 <= run.began <= late and (run.job, run.nominal) not in used:
                yield run.job, run.nominal
        return
    for record in judge.records[trigger.job]:
        # Its instant is its own: it may have to step aside for entries that have it already.
        if record.cause == "trigger" and low - SECOND <= record.nominal <= high + SECOND:
            if (record.job, record.nominal) not in used:
                yield record.job, record.nominal


def is_kept(judge, trigger, low, high):
    """Whether the last stop kept it for the next start."""
    return any(
        job == trigger.job and cause == "trigger" and low - SECOND <= nominal <= high + SECOND
        for (job, nominal), cause in judge.case.kept.items())


def lost(judge, trigger):
    """Whether the daemon died before the ledger knew of it, or the ledger was lost."""
    return (judge.case.crash(trigger.job, trigger.begin, trigger.end + DURABLE, CRASHES)
            or judge.case.disturbance(trigger.job, trigger.begin, trigger.end + 20 * SECOND, FULL | LOSSES))
