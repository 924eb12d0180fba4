"""Which dispositions a policy allows, and what each must have behind it in evidence and faults."""

from facts import ABSENCES, CONCURRENT_MAX, OMITTED, RAN, SECOND, STEPS, WAITING

KILLS = {"kill", "death", "sleep-hour", "garble"}
# What waits in memory for room on the disk is lost with the daemon; as long as that lives, a full disk excuses nothing.
FULL = {"kill-disk-full"}
STOPS = {"restart", "sleep-hour"}
HOST_FAULTS = {"kill-host", "freeze-host", "no-descriptors", "freeze", "stall"} | FULL | KILLS | STOPS
# How far a timeout may be from its time by what evidence and ledger say: they look at different moments.
SLACK = SECOND // 50


def fault_of(judge, job, record, attempts):
    """What speaks against the disposition, `None` when nothing does."""
    rules = {
        None: open_in_the_end, "succeeded": succeeded, "failed": failed, "timed-out": timed_out, "cancelled": cancelled,
        "unknown": unknown, "lost": unknown, "overlapped": overlapped, "superseded": superseded, "missed": missed,
        "shut-down": shut_down, "limited": limited, "paused": paused,
        **dict.fromkeys(OMITTED, lambda *_: None),
    }
    if record.disposition not in rules:
        return "no schedule here leaves anything out"
    if record.disposition is not None and record.disposition not in RAN and attempts:
        return f"it ran: pid {attempts[0].pid}"
    return rules[record.disposition](judge, job, record, attempts) or made_up_for(judge, job, record, attempts)


def made_up_for(judge, job, record, attempts):
    """What is wrong with a run that came late, `None` when nothing is; whoever resumes a job has the say over its entries."""
    if not attempts or record.cause != "missed" or disturbed(judge, record, attempts, {"pause"}):
        return None
    if job.missed == "skip":
        return "missed entries of the job are skipped"
    late = attempts[0].actual - record.nominal
    if job.window and job.overlap not in WAITING and not job.group and late > job.window:
        return f"it was made up for {late / 1e6:.0f} ms late, beyond its window"
    return None


def span(judge, record, attempts):
    """When the entry was dealt with, by the system's time; of a run without an end, as long as it may have lived."""
    job = judge.job(record.job)
    begin = attempts[0].began if attempts else judge.when(record.nominal)
    if begin is None:
        begin = judge.case.begin
    life = job.timeout + job.grace if job.timeout else SECOND
    ends = [attempt.ended or attempt.began + life for attempt in attempts]
    settled = judge.when(record.ended) if record.ended else None
    return begin, max(ends + [begin, settled or begin])


def disturbed(judge, record, attempts, kinds):
    return judge.case.disturbance(record.job, *span(judge, record, attempts), kinds)


def open_in_the_end(judge, job, record, attempts):
    begin = span(judge, record, attempts)[0]
    if disturbed(judge, record, attempts, FULL) or forgotten(judge, record.job, begin):
        judge.verdict.ledger_gaps += 1
        return None
    return "it was started and never settled"


def at_the_end(judge, record, attempts):
    """Whether the daemon was being stopped for good: nothing is tried again then, and patience is short."""
    return judge.case.end - span(judge, record, attempts)[1] < 2 * SECOND


def forgotten(judge, name, when):
    """Whether the ledger was damaged before a run or an entry that waited could come to its end."""
    return judge.case.disturbance(name, when, when + 20 * SECOND, {"garble"})


def succeeded(judge, job, record, attempts):
    complete = [attempt for attempt in attempts if attempt.outcome == "succeeded"]
    if not attempts:
        return "there is no evidence of a run"
    once_more = job.delivery == "at-least-once" and disturbed(judge, record, attempts, KILLS)
    if not complete or attempts[-1] is not complete[-1] or (len(complete) > 1 and not once_more):
        return f"the evidence says {[attempt.outcome for attempt in attempts]}"
    if record.count == 1 and attempts[-1].entries > 1 and record.cause == "schedule":
        return f"the run was told that it stands for {attempts[-1].entries} entries"
    return None


def failed(judge, job, record, attempts):
    if not attempts:
        return None if disturbed(judge, record, attempts, HOST_FAULTS) else "there is no evidence of a run"
    last = attempts[-1]
    planned, _ = job.plan(judge.case.seed, last.nominal, last.number)
    if last.outcome in ("failed", "retry"):
        excused = disturbed(judge, record, attempts, None) or at_the_end(judge, record, attempts)
        if last.outcome == "retry" and last.number < job.attempts and not excused:
            return f"there was no attempt after number {last.number}"
        return None
    if last.outcome is None and planned == "crash":
        return None
    if disturbed(judge, record, attempts, HOST_FAULTS):
        return None
    return f"the evidence says {last.outcome} and the dice {planned}"


def timed_out(judge, job, record, attempts):
    if job.timeout is None:
        return "the job has no timeout"
    length = record.ended - record.started
    stepped = disturbed(judge, record, attempts, STEPS)
    if length < job.timeout and not stepped:
        return f"it lasted {length / 1e6:.0f} ms only"
    if attempts and not disturbed(judge, record, attempts, None):
        planned, lasts = job.plan(judge.case.seed, record.nominal, attempts[-1].number)
        if planned != "hang" and lasts * 1_000_000 < job.timeout - SLACK and attempts[-1].outcome != "cancelled":
            return f"it lasted {lasts} ms and was to have {job.timeout / 1e6:.0f}"
        if length > job.timeout + job.grace + judge.case.bound:
            return f"it was let live for {length / 1e6:.0f} ms"
    return None


def cancelled(judge, job, record, attempts):
    if job.overlap in ("cancel-other", "terminate-other"):
        return None
    if disturbed(judge, record, attempts, KILLS | STOPS | {"cancel"}):
        return None
    if at_the_end(judge, record, attempts):
        return None
    return "nobody asked for that"


def unknown(judge, job, record, attempts):
    if not disturbed(judge, record, attempts, KILLS | FULL):
        return "the daemon had not died"
    if record.disposition == "unknown" and job.delivery == "at-least-once":
        return "its promise is to run it again"
    return None


def overlapped(judge, job, record, attempts):
    if job.overlap not in ("skip", "buffer-one"):
        return f"its policy is {job.overlap}"
    if record.cause == "missed" and record.count > 1:
        return None if disturbed(judge, record, attempts, ABSENCES) else "nobody was away"
    when = judge.when(record.nominal)
    if when is None:
        return "its time never came"
    # Somebody ran by the evidence, or by the ledger: which a clock that is set makes vague.
    beside = sum(
        other.nominal != record.nominal and other.began - SLACK <= when
        and (other.ended is None or when <= other.ended + SLACK) for other in judge.by_job[record.job])
    recorded = sum(
        other.nominal != record.nominal and other.started is not None and other.ended is not None
        and other.started - SLACK <= record.ended <= other.ended + SLACK for other in judge.records[record.job])
    beside = max(beside, recorded)
    if beside >= min(judge.concurrency(record.job), CONCURRENT_MAX):
        return None
    if disturbed(judge, record, attempts, ABSENCES):
        return None
    return f"{beside} other runs were under way"


def superseded(judge, job, record, attempts):
    return None if job.overlap in ("cancel-other", "terminate-other", "buffer-one") else f"its policy is {job.overlap}"


def missed(judge, job, record, attempts):
    if job.missed == "all" and job.window and 0 <= record.ended - record.nominal <= job.window and not removed(judge, record):
        return f"it was {(record.ended - record.nominal) / 1e6:.0f} ms late only, and the job makes up for all"
    if job.missed == "latest" and not job.window and not removed(judge, record):
        following = [
            other for other in judge.records[record.job]
            if other.first > record.nominal and other.disposition == "missed" and other.ended == record.ended]
        if following:
            return "the latest entry was missed like the others"
    if disturbed(judge, record, attempts, ABSENCES | {"reload"}):
        return None
    if record.count > 1:
        begin = judge.when(record.first)
        if begin and judge.case.disturbance(record.job, begin, begin, ABSENCES):
            return None
    return "nobody was away"


def removed(judge, record):
    """Whether the entry was let go because its job changed or went away."""
    return any(era.went for era in judge.eras[record.job])


def shut_down(judge, job, record, attempts):
    if disturbed(judge, record, attempts, STOPS) or judge.when(record.nominal) is None:
        return None
    late = judge.case.end - judge.when(record.nominal) < 30 * SECOND
    return None if late else "the daemon was not stopping"


def limited(judge, job, record, attempts):
    return None if job.overlap in WAITING | {"allow-all"} else f"its policy is {job.overlap}"


def paused(judge, job, record, attempts):
    return None if disturbed(judge, record, attempts, {"pause"}) else "it was not paused"
