"""The promises of delivery: an at-most-once key never runs twice, an at-least-once key again only after a crash."""

from facts import DEATHS, FULL, LOSSES, SECOND, STOPS

# An end that the daemon was told of is in the ledger by then.
DURABLE = SECOND
# A clock that is read twice: by the daemon for its record, by the plugin for its evidence.
SLACK = SECOND // 50


def check_repeats(judge, name, nominal, attempts):
    job, label = judge.job(name), judge.name_of(name, nominal)
    for before, after in zip(attempts, attempts[1:]):
        if is_retry(judge, job, before, after) or is_recovery(judge, job, before, after):
            continue
        judge.verdict.duplicates += 1
        judge.verdict.blame(
            "duplicate", f"{label}: it ran twice: attempts {before.number} (pid {before.pid}, {before.outcome or 'no end'})"
            f" and {after.number} (pid {after.pid})", after.began)
    check_settled(judge, name, nominal, attempts, label)


def check_settled(judge, name, nominal, attempts, label):
    """No attempt begins after the key was settled, whatever the job promises."""
    record = judge.exact.get((name, nominal))
    if not record or not record.ended or not record.outcome:
        return
    for attempt in attempts:
        settled = [when for when in judge.case.times(record.ended) if when > attempts[0].began - SLACK]
        # What is to run at least once runs again when its end is lost.
        if judge.job(name).delivery == "at-least-once" and judge.case.disturbance(name, attempts[0].began, attempt.began, LOSSES):
            continue
        if settled and all(when + SLACK < attempt.began for when in settled) and attempt.actual > record.ended + SLACK:
            judge.verdict.duplicates += 1
            judge.verdict.blame(
                "duplicate", f"{label}: attempt {attempt.number} (pid {attempt.pid}) began after it was settled as"
                f" {record.outcome}", attempt.began)


def is_retry(judge, job, before, after):
    """Whether the first attempt failed by itself, so that the job's retry policy allows the next one."""
    if after.number != before.number + 1 or after.number > job.attempts:
        return False
    if before.outcome:
        return before.outcome == "retry"
    return ended_by_itself(judge, job, before)


def ended_by_itself(judge, job, attempt):
    """Whether an attempt without an end died while its daemon lived: the daemon knows then that it failed."""
    planned, _ = job.plan(judge.case.seed, attempt.nominal, attempt.number)
    return planned == "crash" or host_fault(judge, attempt) is not None


def host_fault(judge, attempt):
    """The fault that ended the attempt's own process, if there is one."""
    for fault in judge.case.faults:
        if fault.kind in ("kill-host", "no-descriptors") and attempt.pid in fault.pids and attempt.began <= fault.end:
            if attempt.ended is None or fault.begin <= attempt.ended + SECOND // 4:
                return fault
    return None


def is_recovery(judge, job, before, after):
    """Whether a daemon died or stopped before it had the end of the first attempt, and the job promises at least one."""
    if job.delivery != "at-least-once":
        return False
    known = after.began if before.ended is None else min(before.ended + DURABLE, after.began)
    crash = judge.case.crash(job.name, before.began, known, DEATHS)
    if crash is None and before.outcome in (None, "cancelled"):
        # A stop that did not wait for its end.
        crash = judge.case.cause(job.name, before.began, known, STOPS)
    return crash is not None or judge.case.disturbance(job.name, before.began, after.began, FULL | LOSSES) is not None
