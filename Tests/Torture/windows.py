"""The windows: each target needs a run of its own, soon after its instant."""

from bisect import bisect_right

from facts import ABSENCES, FULL, SECOND, WAITING


# Longer than anything here has to wait for others; `buffer-all` has the longest queue.
STARVED = 30 * SECOND


def match(judge, name):
    runs = [run for run in judge.by_job[name] if run.number == 1 and not judge.is_own(run)]
    used = set()
    for era in judge.eras[name]:
        for begin, end, offset in judge.case.stretches(era.came[1], era.went[0] if era.went else judge.case.end):
            # What the clock had shown before it went back was decided then.
            low = max(begin + offset, high_water(judge, begin) + 1)
            for nominal in era.job.schedule.between(low, end + offset - judge.case.bound):
                match_one(judge, name, era.job, nominal, nominal - offset, runs, used, offset)
    for run in runs:
        if id(run) not in used and (name, run.nominal) not in judge.exact:
            if not judge.case.disturbance(name, run.began, run.ended or run.began, FULL):
                judge.verdict.blame("extra", f"{judge.name_of(name, run.nominal)}: a run that no record tells of", run.began)


def high_water(judge, when):
    """The furthest that the clock had been before."""
    stretches = judge.case.stretches(judge.case.begin, when)
    return max((end + offset for _, end, offset in stretches if end < when), default=0)


def match_one(judge, name, job, nominal, due, runs, used, offset):
    # Targets come in the order of their deadlines; each takes the earliest run left that is complete.
    index = bisect_right(runs, due, key=lambda run: run.began)
    found = None
    while index < len(runs) and runs[index].began <= due + judge.case.bound:
        if runs[index].outcome and id(runs[index]) not in used:
            found = runs[index]
            used.add(id(found))
            break
        index += 1
    calm = not judge.case.disturbance(name, due, due + judge.case.bound, ABSENCES | {"freeze-host"})
    judge.verdict.targets += 1
    judge.verdict.jumped -= 1
    judge.verdict.matched += found is not None
    judge.verdict.gone += found is None and judge.outcome_of(name, nominal) in ("missed", "lost", "unknown", None)
    judge.verdict.calm_targets += calm
    judge.verdict.calm_matched += calm and found is not None
    record = judge.exact.get((name, nominal))
    if record and record.cause == "schedule" and calm and judge.attempts[name, nominal]:
        first = judge.attempts[name, nominal][0]
        waits = job.overlap in WAITING or job.group
        if not waits:
            judge.verdict.lateness.append(first.began - due)
            if first.began - due > judge.case.bound:
                judge.verdict.blame(
                    "late", f"{judge.name_of(name, nominal)}: it began {(first.began - due) / 1e6:.0f} ms late", first.began)
        elif first.began - due > STARVED:
            judge.verdict.blame(
                "starved", f"{judge.name_of(name, nominal)}: it waited for {(first.began - due) / 1e9:.1f} s", first.began)
    elif found is None and calm and record and record.outcome == "succeeded" and record.cause == "schedule":
        judge.verdict.blame("lost", f"{judge.name_of(name, nominal)}: succeeded without a run in its window", due)
