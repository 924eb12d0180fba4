"""Each outcome, and the cause that it must have in the evidence, the schedule or the faults. Nearness to a fault is no cause."""

from facts import (
    ABSENCES, ABSENT, CONCURRENT_MAX, CRASHES, DEATHS, DROPPING, FULL, HOSTS_MAX, LOSSES, OMITTED, RAN, SECOND, STEPS, STOPPING, STOPS, WAITING,
    WAITING_MAX)
from repeats import DURABLE, SLACK, ended_by_itself, host_fault

# From the note of a start to the plugin's first line of evidence: a plugin host may have to be started in between.
DELIVERED = SECOND // 2

# The reason of an entry that still waited when its instant lay ahead of the clock again.
SET_BACK = "the clock was set back before it could start"


def fault_of(judge, job, record, attempts):
    """The sentence that speaks against the outcome, `None` when nothing does."""
    if record.outcome not in RULES:
        return "the judge does not know the outcome"
    if record.outcome is not None and record.outcome not in RAN and attempts:
        return f"it ran: pid {attempts[0].pid}"
    return (RULES[record.outcome](judge, job, record, attempts) or made_up_for(judge, job, record, attempts)
            or recorded_times(judge, record, attempts))


# What the record says of a run, beside the evidence.


def recorded_times(judge, record, attempts):
    """What is wrong with the start and the end in the record, `None` when they are those of the evidence."""
    if not attempts or record.outcome is None:
        return None
    first, last, bound = attempts[0], attempts[-1], judge.case.bound
    excused = ABSENT | STEPS | FULL | LOSSES
    if record.started is None:
        return "it ran, and no start is recorded"
    if not judge.case.cause(record.job, first.began - bound, first.began + bound, excused | {"no-descriptors", "freeze-host"}):
        if not any(first.began - bound <= when <= first.began + SLACK for when in judge.case.times(record.started)):
            return f"its start is recorded {distance(judge, record.started, first.began)} from the evidence"
    # The end of a run that outlived its daemon is seen by nobody; the next daemon settles it.
    if record.outcome in ("unknown", "lost") or last.ended is None:
        return None
    if judge.case.cause(record.job, last.ended - SLACK, last.ended + bound, excused):
        return None
    # A plugin host that is frozen or killed has the evidence written and the result not sent.
    if judge.case.cause(record.job, last.ended - SLACK, last.ended + bound, {"freeze-host", "kill-host"}):
        return None
    if any(last.ended - SLACK <= when <= last.ended + bound for when in judge.case.times(record.ended)):
        return None
    return f"its end is recorded {distance(judge, record.ended, last.ended)} from the evidence"


def distance(judge, instant, when):
    nearest = min((shown - when for shown in judge.case.times(instant)), key=abs, default=None)
    return "at no time" if nearest is None else f"{nearest / 1e6:+.0f} ms"


def made_up_for(judge, job, record, attempts):
    """What is wrong with a run that came late, `None` when nothing is; a resume decides over its own job's entries."""
    if not attempts or record.cause != "missed":
        return None
    due = judge.when(record.nominal)
    if due is not None and not judge.case.disturbance(record.job, due, max(due, attempts[0].began), ABSENCES, after=SECOND // 2):
        if not changed(judge, record):
            return "it is recorded as made up for, and nothing kept it from its time"
    if disturbed(judge, record, attempts, {"pause"}):
        return None
    if job.missed == "skip":
        return "missed entries of the job are skipped"
    late = attempts[0].actual - record.nominal
    if job.window and job.overlap not in WAITING and not job.group and late > job.window:
        return f"it was made up for {late / 1e6:.0f} ms late, beyond its window"
    return None


def life(judge, job, attempt):
    """The longest that an attempt without an end may have lived."""
    if attempt.ended is not None:
        return attempt.ended - attempt.began
    planned, lasts = job.plan(judge.case.seed, attempt.nominal, attempt.number)
    if planned == "hang":
        return (job.timeout or 10 * SECOND) + job.grace
    return lasts * 1_000_000 + SECOND


def settled_at(judge, record, attempts):
    """When the record was settled, by the system's time; of several times that its clock showed, the fitting one."""
    since = attempts[-1].ended or attempts[-1].began if attempts else judge.when(record.nominal) or judge.case.begin
    times = judge.case.times(record.ended) if record.ended else []
    later = [when for when in times if when >= since - SLACK]
    return later[0] if later else (times[-1] if times else judge.when(record.ended) if record.ended else None)


def span(judge, record, attempts):
    """When the entry was dealt with, by the system's time; of a run without an end, as long as it may have lived."""
    job = judge.job(record.job)
    begin = attempts[0].began if attempts else judge.when(record.nominal)
    if begin is None:
        begin = judge.case.begin
    ends = [attempt.began + life(judge, job, attempt) for attempt in attempts]
    return begin, max(ends + [begin, settled_at(judge, record, attempts) or begin])


def disturbed(judge, record, attempts, kinds):
    return judge.case.cause(record.job, *span(judge, record, attempts), kinds)


def at_the_end(judge, record, attempts):
    """Whether the daemon was being stopped for good: nothing is tried again then, and patience is short."""
    return judge.case.end - span(judge, record, attempts)[1] < 2 * SECOND


def forgotten(judge, name, when):
    """Whether the ledger was damaged before a run or an entry that waited could come to its end."""
    return judge.case.disturbance(name, when, when + 20 * SECOND, LOSSES)


def changed(judge, record):
    """Whether a reload changed the entry's job or took it away."""
    return any(era.went for era in judge.eras[record.job])


# Entries that ran.


def open_in_the_end(judge, job, record, attempts):
    if (record.job, record.nominal) in judge.case.kept:
        return None
    cut = attempts and attempts[-1].outcome in (None, "cancelled") and at_the_end(judge, record, attempts)
    if cut and job.delivery == "at-least-once":
        return None
    begin = span(judge, record, attempts)[0]
    if judge.case.disturbance(record.job, *span(judge, record, attempts), FULL) or forgotten(judge, record.job, begin):
        judge.verdict.ledger_gaps += 1
        return None
    return "it was started and never settled"


def succeeded(judge, job, record, attempts):
    complete = [attempt for attempt in attempts if attempt.outcome == "succeeded"]
    if not attempts:
        return "there is no evidence of a run"
    once_more = job.delivery == "at-least-once" and judge.case.crash(record.job, *span(judge, record, attempts), DEATHS)
    if not complete or attempts[-1] is not complete[-1] or (len(complete) > 1 and not once_more):
        return f"the evidence says {[attempt.outcome for attempt in attempts]}"
    if record.count == 1 and attempts[-1].entries > 1 and record.cause == "schedule":
        return f"the run was told that it stands for {attempts[-1].entries} entries"
    return None


def failed(judge, job, record, attempts):
    if not attempts:
        begin, end = span(judge, record, attempts)
        kinds = {"kill-host", "no-descriptors"} | FULL
        if record.reason == f"job {record.job} was taken out of the configuration":
            kinds |= {"reload", "kill-in-reload"}
        return None if judge.case.cause(record.job, begin - SLACK, end, kinds) else "there is no evidence of a run"
    last = attempts[-1]
    if last.outcome == "failed":
        return None
    if last.outcome == "retry" or last.outcome is None and ended_by_itself(judge, job, last):
        is_last = last.number >= job.attempts or job.attempts == 1
        if is_last or at_the_end(judge, record, attempts) or disturbed(judge, record, attempts, {"cancel", "no-descriptors"}):
            return None
        # A host that dies is not worth a retry by itself: only the plugin says so.
        return f"there was no attempt after number {last.number}" if last.outcome == "retry" else None
    if host_fault(judge, last) or forgotten(judge, record.job, last.began):
        return None
    planned, _ = job.plan(judge.case.seed, last.nominal, last.number)
    return f"the evidence says {last.outcome} and the dice {planned}"


def timed_out(judge, job, record, attempts):
    if job.timeout is None:
        return "the job has no timeout"
    if record.started is None:
        return "it never started"
    length = record.ended - record.started
    stepped = judge.case.disturbance(record.job, *span(judge, record, attempts), STEPS)
    if length < job.timeout and not stepped:
        return f"it lasted {length / 1e6:.0f} ms only"
    excuses = ABSENT | STEPS | {"freeze-host", "no-descriptors"}
    if attempts and not disturbed(judge, record, attempts, excuses):
        planned, lasts = job.plan(judge.case.seed, record.nominal, attempts[-1].number)
        if planned != "hang" and lasts * 1_000_000 < job.timeout - SLACK and attempts[-1].outcome != "cancelled":
            return f"it lasted {lasts} ms and was to have {job.timeout / 1e6:.0f}"
        if length > job.timeout + job.grace + judge.case.bound:
            return f"it was let live for {length / 1e6:.0f} ms"
    return None


def cancelled(judge, job, record, attempts):
    begin, end = span(judge, record, attempts)
    if judge.case.cause(record.job, begin, end, {"cancel"} | STOPS) or at_the_end(judge, record, attempts):
        return None
    if job.overlap in STOPPING:
        # A daemon that was held may have come to the later entry before it read the end.
        until = record.ended
        # A clock that was set back meanwhile shows an end before the entry that came.
        if attempts and any(attempts[0].began <= latest + SLACK and earliest <= end for earliest, latest in judge.case.steps_back()):
            until = max(until, attempts[0].actual + (attempts[-1].ended or end) - attempts[0].began + SECOND // 4)
            # The entry that came may be one that the clock had come to, or jumped over, before.
            if any(other.nominal < record.nominal and attempts[0].began <= other.began <= end + SECOND
                   for other in judge.by_job[record.job] if other.number == 1):
                return None
        until += SLACK + (2 * SECOND if judge.case.cause(record.job, begin, end, {"freeze", "stall"}) else 0)
        later = any(record.nominal < other.nominal <= until for other in judge.records[record.job])
        # The ledger may have been damaged before the entry that came had a record in it.
        if not later and forgotten(judge, record.job, begin):
            later = any(era.job.schedule.count(record.nominal + 1, until) for era in judge.eras[record.job])
        return None if later else "no later entry came while it ran"
    # Who takes over its plugin host reads how it ended, and not that its timeout had asked it to stop.
    last = attempts[-1] if attempts else None
    if last and last.ended and job.timeout and last.ended - last.began >= job.timeout - SLACK:
        if judge.case.crash(record.job, last.ended - SLACK, last.ended + DELIVERED, {"kill-kept"}):
            return None
    return "nobody asked for that"


def unknown(judge, job, record, attempts):
    if job.delivery == "at-least-once":
        return "its promise is to run it again"
    if not attempts:
        starts = judge.case.times(record.started) if record.started else []
        died = any(judge.case.crash(record.job, when - SLACK, when + DELIVERED, CRASHES) for when in starts)
        return None if died else "it never started, and no daemon died at its start"
    last = attempts[-1]
    until = last.began + life(judge, job, last) + DURABLE
    if judge.case.crash(record.job, last.began - DELIVERED, until, DEATHS):
        return None
    # With its descriptors kept, a run is only lost when its plugin host is gone too, or was not yet kept.
    kept = judge.case.crash(record.job, last.began - DELIVERED, until, {"kill-kept"})
    if kept and (last.outcome is None or kept.begin <= last.began + DELIVERED):
        return None
    return "no daemon died while it ran"


def lost(judge, job, record, attempts):
    if job.delivery != "at-least-once":
        return "its promise is not to run it again"
    allowed = job.attempts if job.attempts > 1 else 3
    if record.attempts < allowed:
        return f"it was given up after {record.attempts} of {allowed} attempts"
    return None if judge.case.crash(record.job, *span(judge, record, attempts), DEATHS) else "no daemon died while it ran"


# Entries that did not run.


def overlapped(judge, job, record, attempts):
    if job.overlap not in DROPPING:
        return f"its policy is {job.overlap}"
    if record.cause == "missed" and record.count > 1:
        return None if disturbed(judge, record, attempts, ABSENCES) else "nobody was away"
    # The daemon goes on until it is stopped, a moment after the end of the case.
    when = judge.case.due(record.nominal, judge.case.begin, judge.case.end + judge.case.bound)
    if when is None:
        return "its time never came"
    # Others ran by the evidence, or by the ledger, whose ends are those of the evidence.
    beside = sum(
        other.nominal != record.nominal and other.began - SLACK <= when
        and (other.ended is None or when <= other.ended + SLACK) for other in judge.by_job[record.job])
    recorded = sum(
        other.nominal != record.nominal and other.started is not None and other.ended is not None
        and other.started - SLACK <= record.ended <= other.ended + SLACK for other in judge.records[record.job])
    beside = max(beside, recorded)
    if beside >= min(judge.concurrency(record.job), CONCURRENT_MAX):
        return None
    if any(waited_before(judge, record, other, when) for other in judge.records[record.job]):
        return None
    if disturbed(judge, record, attempts, ABSENCES):
        return None
    return f"{beside} other runs were under way"


def waited_before(judge, record, other, when):
    """Whether an earlier entry of the job still waited for its group or its plugin host: its run began later."""
    if other.nominal >= record.nominal:
        return False
    runs = judge.attempts[other.job, other.nominal]
    return bool(runs) and when <= runs[0].began + SLACK


def superseded(judge, job, record, attempts):
    if job.overlap not in STOPPING:
        return f"its policy is {job.overlap}"
    begin, end = span(judge, record, attempts)
    if judge.case.cause(record.job, begin, end, CRASHES | STOPS | STEPS | {"pause", "freeze", "no-descriptors"} | LOSSES):
        return None
    if not any(record.nominal < other.nominal <= record.ended + SLACK for other in judge.records[record.job]):
        return "no later entry took its place"
    if not any(run.began - SLACK <= end and begin <= run.began + life(judge, job, run) + judge.case.bound
               for run in judge.by_job[record.job]):
        return "no run was in its way"
    return None


def missed(judge, job, record, attempts):
    if record.reason == SET_BACK:
        back = judge.case.steps_back()
        set_back = any(earliest - SLACK <= when <= latest + 2 * SECOND for when in judge.case.times(record.ended) for earliest, latest in back)
        return None if set_back or judge.case.cause(record.job, *span(judge, record, attempts), CRASHES | STOPS) else "the clock was not set back then"
    if job.missed == "all" and job.window and 0 <= record.ended - record.nominal <= job.window and not changed(judge, record):
        return f"it was {(record.ended - record.nominal) / 1e6:.0f} ms late only, and the job makes up for all"
    if job.missed == "latest" and not job.window and not changed(judge, record):
        following = [
            other for other in judge.records[record.job]
            if other.first > record.nominal and other.outcome == "missed" and other.ended == record.ended]
        # A clock that was set back may have cut one record in two, which have one end: of them the last one tells.
        if following and not is_followed(judge, max(following, key=lambda other: other.nominal)):
            return "the latest entry was missed like the others"
    if disturbed(judge, record, attempts, ABSENCES | {"reload", "kill-in-reload", "zones"}):
        return None
    if record.count > 1:
        begin = judge.when(record.first)
        if begin and judge.case.cause(record.job, begin, begin, ABSENCES):
            return None
    return "nobody was away"


def is_followed(judge, record):
    """Whether the latest of the entries that had passed when a record ended was to be made up for, and not missed like the record's.

    It may have had to wait, and the clock been set back meanwhile: that it is missed has its own reason then, which is judged by itself."""
    return any(
        record.nominal < other.first and other.nominal <= record.ended + SLACK and other.cause == "missed"
        and (other.reason == SET_BACK
             or other.outcome != "missed" and record.ended <= (other.started or other.ended or 0) + SLACK)
        for other in judge.records[record.job])


def shut_down(judge, job, record, attempts):
    if disturbed(judge, record, attempts, STOPS) or judge.when(record.nominal) is None:
        return None
    late = judge.case.end - judge.when(record.nominal) < 30 * SECOND
    return None if late else "the daemon was not stopping"


def limited(judge, job, record, attempts):
    ended = record.ended
    waiting = sum(
        other.nominal <= ended and other.nominal != record.nominal
        and (other.started or other.ended or ended) > ended for other in judge.records[record.job])
    if waiting >= WAITING_MAX:
        return None
    # A run may wait for a plugin host for no longer than its timeout: somebody else had the hosts, or none could be started.
    if job.timeout and not attempts and record.started is None:
        when = judge.when(record.nominal)
        begin = when if when is not None else ended
        if judge.case.cause(record.job, begin, begin + job.timeout + SLACK, {"no-descriptors"}):
            return None
        if all(hosts_in_use(judge, moment) >= HOSTS_MAX for moment in (begin + SLACK, begin + job.timeout - SLACK)):
            return None
    return f"{waiting} other entries of its job waited"


def hosts_in_use(judge, moment):
    """How many runs of any job were under way, each in a plugin host of its own."""
    return sum(
        run.began <= moment and (run.ended is None or moment <= run.ended) for runs in judge.by_job.values() for run in runs)


def paused(judge, job, record, attempts):
    return None if disturbed(judge, record, attempts, {"pause"}) else "it was not paused"


def left_to_cron(judge, job, record, attempts):
    return "no job is a crontab's"


def low_frequency(judge, job, record, attempts):
    return "the mode was never changed"


RULES = {
    None: open_in_the_end, "succeeded": succeeded, "failed": failed, "timed-out": timed_out, "cancelled": cancelled,
    "unknown": unknown, "lost": lost, "overlapped": overlapped, "superseded": superseded, "missed": missed,
    "low-frequency": low_frequency, "shut-down": shut_down, "limited": limited, "paused": paused,
    "left-to-cron": left_to_cron,
    **dict.fromkeys(OMITTED, lambda *_: None),
}
