"""Judges what the jobs of a cluster left as evidence. It shares no code with the product.

Instants are nanoseconds of the machine's clock, which nobody sets: the clocks that are off are those of daemons.
"""

import json
import re
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from pathlib import Path

SECOND = 1_000_000_000
# Seconds that a run may be late in quiet times, on a machine that others use too.
LATE = 2
# Nanoseconds after the end of a run until its daemon knows of it, on such a machine.
NOTICED = SECOND // 4
# Length of the windows by which jobs with more than one entry a second are claimed.
WINDOW = 2 * SECOND
# Faults during which a node has no way to renew its lease, so that nothing may be started after the lease's end.
CUTS = {"cut", "cut_in", "cut_out", "store_crash", "store_freeze", "quorum_freeze"}
# Faults after which another node must have the victim's jobs within two leases. A frozen host or adapter does not cost the lease.
DEATHS = {"kill", "kill_all", "stop", "freeze", "freeze_all", "leave", "cut", "cut_in", "cut_out"}
# Faults during which runs that were active may be taken over, because their node does not answer.
LOSSES = DEATHS | {"restart", "death", "store_crash", "store_freeze", "store_promotion", "standby_freeze", "loss", "clock",
                   "freeze_hosts", "freeze_adapter", "stall", "leader_kill", "leader_freeze", "quorum_freeze", "peers_cut"}
# Faults that are orders to end, which a daemon follows by its policies.
STOPS = {"stop", "leave"}
# Faults that no job of the cluster may notice.
UNNOTICED = {"clone"}
# Outcomes of entries that a policy drops, so that they have no run.
DROPPED = {"missed", "overlapped", "skipped", "shut-down", "superseded"}


@dataclass(frozen=True)
class Attempt:
    """One attempt of a run: its start, and its end if it had one."""

    job: str
    nominal: int
    number: int
    token: int
    node: str
    start: int
    cursor: str
    end: int = 0
    outcome: str = ""


@dataclass
class Case:
    """All that is judged."""

    lease: int
    begin: int
    end: int
    jobs: dict
    attempts: list
    faults: list
    records: list = field(default_factory=list)
    refusals: list = field(default_factory=list)
    # Entries that logs call split, as pairs of job and nominal instant, and surprises of the suite.
    splits: set = field(default_factory=set)
    surprises: list = field(default_factory=list)
    seed: int = 0
    # Seconds by which the lease of a node lasts longer if the leader of the store is lost with it.
    election: int = 0

    @staticmethod
    def read(directory):
        directory = Path(directory)
        facts = json.loads((directory / "facts.json").read_text())
        store = json.loads((directory / "store.json").read_text())
        refusals = [line.split("\t") for line in (directory / "register.log").read_text().splitlines()]
        logs = [path.read_text(errors="replace") for path in sorted(directory.glob("*/log"))]
        return Case(
            lease=facts["lease"], begin=facts["begin"], end=facts["end"], jobs={job["name"]: job for job in facts["jobs"]},
            attempts=read_evidence((directory / "evidence").read_text(), facts["namespaces"]), faults=facts["faults"],
            records=store["records"] or [], splits={one for log in logs for one in read_splits(log)},
            refusals=[(job, int(token), int(nominal)) for job, token, nominal, verdict in refusals if verdict == "refused"],
            surprises=facts["surprises"], seed=facts["seed"], election=facts["election"])

    @property
    def recovery(self):
        return (2 * self.lease + 2) * SECOND

    def is_quiet(self, begin, end, kinds=None, node=None):
        """Whether no fault, or none of these kinds, or none of this node, is near."""
        for fault in self.faults:
            if (fault["kind"] not in kinds if kinds else fault["kind"] in UNNOTICED) or node and fault["nodes"] and node not in fault["nodes"]:
                continue
            after = SECOND if fault["kind"] == "stall" else self.recovery
            if fault["begin"] - SECOND < end and begin < (fault["end"] or self.end) + after:
                return False
        return True

    def entries(self, job):
        """The nominal instants of a job's entries that the case is about."""
        period = round(self.jobs[job]["period"] * SECOND)
        first = -(-(self.begin + self.recovery) // period) * period
        return range(first, self.end - 3 * SECOND, period)

    def figures(self):
        shared = [attempt for attempt in self.attempts if self.jobs[attempt.job]["is_shared"]]
        entries = [(job, at) for job in self.jobs if self.jobs[job]["is_shared"] for at in self.entries(job)]
        quiet = sum(self.is_quiet(at, at + LATE * SECOND) for _, at in entries)
        outcomes = Counter(record["outcome"] for record in self.records)
        faults = Counter(fault["kind"] for fault in self.faults)
        yield f"{len(entries)} entries of shared jobs, {100 * quiet // max(1, len(entries))} % in quiet times; {len(shared)} attempts of them"
        yield "outcomes in the store: " + ", ".join(f"{count} {name}" for name, count in outcomes.most_common())
        yield f"{sum(faults.values())} faults: " + ", ".join(f"{count} {name}" for name, count in sorted(faults.items()))
        yield f"{len(self.refusals)} refusals of the register; {len(self.splits)} entries called split"


def read_evidence(text, namespaces):
    """The attempts of evidence; a last line that was cut off is no line."""
    attempts = {}
    for line in text.splitlines():
        words = line.split("\t")
        if len(words) != 10:
            continue
        what, job, nominal, _, number, token, space, _, clock, detail = words
        node = namespaces.get(space, f"unknown namespace {space}")
        key = (job, int(nominal), int(number), int(token), node)
        if what == "start":
            # A second start of the same is a violation, and must not hide the first.
            while key in attempts:
                key = (*key, "again")
            attempts[key] = Attempt(job, int(nominal), int(number), int(token), node, int(clock), detail)
        elif key in attempts:
            began = attempts[key]
            attempts[key] = Attempt(
                began.job, began.nominal, began.number, began.token, node, began.start, began.cursor, int(clock), detail)
    return sorted(attempts.values(), key=lambda attempt: attempt.start)


def read_splits(log):
    """The entries that a log calls split or run twice, which the operator is told of."""
    from datetime import datetime, timezone
    for date, time, job in re.findall(r"entry (\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d) of job (\S+) has an outcome or a claim of", log):
        moment = datetime.fromisoformat(f"{date}T{time}").replace(tzinfo=timezone.utc)
        yield job, int(moment.timestamp()) * SECOND


def judge(case):
    """All violations as sentences."""
    rules = [at_most_once, one_node_in_a_window, at_least_once, tokens_ascend, no_start_without_lease, one_node_at_a_time, one_outcome,
             takeover_in_time, quiet_times, cursors_ascend, false_alarms, control_job, owner_goes_on]
    return list(case.surprises) + [sentence for rule in rules for sentence in rule(case)]


def text(at):
    return f"{at // SECOND % 86400 // 3600:02}:{at // SECOND % 3600 // 60:02}:{at % (60 * SECOND) / SECOND:06.3f}"


def shared(case, delivery=None):
    for name, job in case.jobs.items():
        if job["is_shared"] and (delivery is None or job["delivery"] == delivery):
            yield name


def by_entry(case, job):
    found = defaultdict(list)
    for attempt in case.attempts:
        if attempt.job == job:
            found[attempt.nominal].append(attempt)
    return found


def was_lost(case, at):
    """Whether an acknowledged claim for an instant may have been lost by the promotion of a standby that lagged."""
    return any(
        fault["kind"] == "store_promotion" and fault["begin"] - 2 * SECOND < at < fault["end"] + case.recovery for fault in case.faults)


def at_most_once(case):
    for job in shared(case, "at-most-once"):
        for nominal, attempts in by_entry(case, job).items():
            numbers = Counter(attempt.number for attempt in attempts)
            nodes = sorted({attempt.node for attempt in attempts})
            if max(numbers.values()) == 1 and len(nodes) == 1:
                continue
            if was_lost(case, nominal) and (job, nominal) in case.splits:
                continue
            yield f"at most once: {job} {text(nominal)} was started {len(attempts)} times, on {', '.join(nodes)}"


def is_counted(case, job):
    """Whether a job has more than one entry a second, so that it is claimed by windows."""
    return case.jobs[job]["period"] < 1


def one_node_in_a_window(case):
    for job in (job for job in shared(case) if is_counted(case, job)):
        nodes = defaultdict(set)
        for attempt in case.attempts:
            if attempt.job == job:
                nodes[-(-attempt.nominal // WINDOW) * WINDOW].add(attempt.node)
        for end, found in sorted(nodes.items()):
            if len(found) > 1 and not was_lost(case, end):
                yield f"window: {job} was started on {' and '.join(sorted(found))} in the window that ends at {text(end)}"


def was_stopped(case, attempt):
    """Whether an attempt ended while its daemon was being stopped: what lasts longer than a stop waits is cancelled, which is final."""
    return any(
        fault["kind"] in STOPS and attempt.node in fault["nodes"] and fault["begin"] <= attempt.end <= fault["end"] + case.recovery
        for fault in case.faults)


def at_least_once(case):
    for job in shared(case, "at-least-once"):
        found = by_entry(case, job)
        dropped = covered(case, job, DROPPED)
        for nominal in case.entries(job):
            if nominal in dropped or any(attempt.outcome == "succeeded" for attempt in found[nominal]):
                continue
            if any(attempt.outcome == "cancelled" and was_stopped(case, attempt) for attempt in found[nominal]):
                continue
            yield f"at least once: {job} {text(nominal)} has no complete run, and the store has {outcomes(case, job, nominal)}"


def covered(case, job, names=None):
    """The nominal instants of a job that records of the store stand for."""
    period = round(case.jobs[job]["period"] * SECOND)
    return {
        at for record in case.records if record["job"] == job and (names is None or record["outcome"] in names)
        for at in range(record["first"], record["nominal"] + 1, period)}


def outcomes(case, job, nominal):
    found = [
        f"{record['outcome']} of {record['node']}" for record in case.records
        if record["job"] == job and record["first"] <= nominal <= record["nominal"]]
    return " and ".join(found) or "no outcome"


def tokens_ascend(case):
    """Each entry is started with a higher token than the one before it. Only attempts of one entry on one node share a token, and runs
    of a counted job, which have that of their window."""
    for job in shared(case):
        highest = None
        for attempt in case.attempts:
            # Without the store a run has the last token of its node, and another node may have a higher one.
            if attempt.job != job or goes_on(case, job) and not case.is_quiet(attempt.nominal, attempt.start, LOSSES):
                continue
            if highest and not may_follow(case, highest, attempt):
                yield (
                    f"tokens: {job} {text(attempt.nominal)} was started on {attempt.node} at {text(attempt.start)} with token {attempt.token},"
                    f" after {highest.token} of {text(highest.nominal)} on {highest.node} at {text(highest.start)}")
            if not highest or attempt.token > highest.token:
                highest = attempt
        if any(attempt.token == 0 for attempt in case.attempts if attempt.job == job):
            yield f"tokens: {job} was started without one"


def may_follow(case, highest, attempt):
    """Whether an attempt may be started with its token after the one with the highest token so far."""
    if attempt.token != highest.token:
        return attempt.token > highest.token
    return attempt.node == highest.node and (attempt.nominal == highest.nominal or is_counted(case, attempt.job))


def no_start_without_lease(case):
    for fault in case.faults:
        if fault["kind"] not in CUTS:
            continue
        # Until then a lease may have been renewed.
        last = (fault.get("struck") or fault["begin"]) + case.lease * SECOND
        for attempt in case.attempts:
            is_bound = case.jobs[attempt.job]["is_shared"] and not goes_on(case, attempt.job)
            if is_bound and attempt.node in fault["nodes"] and last < attempt.start < fault["healing"]:
                yield (
                    f"lease: {attempt.job} {text(attempt.nominal)} was started on {attempt.node} at {text(attempt.start)}, which was without"
                    f" the store since {text(fault['begin'])} ({fault['kind']})")


def one_node_at_a_time(case):
    """A run may be active elsewhere only if its node was lost, or its job's definition was not the same; or if the other one goes on alone."""
    for job in shared(case):
        active = []
        for attempt in (attempt for attempt in case.attempts if attempt.job == job):
            active = [one for one in active if not one.end or one.end > attempt.start]
            for one in active:
                if one.node != attempt.node and one.end and case.is_quiet(
                        one.start, attempt.start, LOSSES - {"stop", "leave", "restart"}, None if goes_on(case, job) else one.node):
                    yield (
                        f"overlap: {job} {text(attempt.nominal)} was started on {attempt.node} at {text(attempt.start)}, while"
                        f" {text(one.nominal)} was active on {one.node}")
            active.append(attempt)


def one_outcome(case):
    for job in shared(case):
        found = defaultdict(list)
        for record in case.records:
            # An unknown outcome is what another node has to say; the node itself may come back and know.
            if record["job"] == job and record["cause"] != "manual":
                for at in range(record["first"], record["nominal"] + 1, round(case.jobs[job]["period"] * SECOND)):
                    found[at].append(record["outcome"])
        for nominal in case.entries(job):
            known = [outcome for outcome in found[nominal] if outcome != "unknown"]
            if not found[nominal]:
                yield f"outcome: {job} {text(nominal)} has none in the store"
            # A run that ends after the record of its window counts for a later one.
            elif len(known) > 1 and not is_counted(case, job) and case.jobs[job]["delivery"] == "at-most-once" and not (
                    was_lost(case, nominal) and (job, nominal) in case.splits):
                yield f"outcome: {job} {text(nominal)} has {outcomes(case, job, nominal)} in the store"


def takeover_in_time(case):
    """A job is started on another node within two leases, and an election, if it had been started on the one that died."""
    for fault in case.faults:
        alone = all(other is fault or other["kind"] == "stall" or other["begin"] > fault["end"]
                    or other["end"] + case.recovery < fault["begin"] for other in case.faults)
        limit = fault["begin"] + (2 * case.lease + case.election + LATE) * SECOND
        stalled = any(other["kind"] == "stall" and fault["begin"] < other["end"] and other["begin"] < limit for other in case.faults)
        if fault["kind"] not in DEATHS or not alone or stalled or fault["end"] < limit:
            continue
        for job in shared(case):
            if case.jobs[job]["period"] > 1 or not case.jobs[job]["is_short"]:
                continue
            before = [attempt for attempt in case.attempts if attempt.job == job and attempt.start < fault["begin"]]
            if not before or before[-1].node not in fault["nodes"]:
                continue
            after = (attempt for attempt in case.attempts
                     if attempt.job == job and fault["begin"] < attempt.start < limit and attempt.node not in fault["nodes"])
            if next(after, None) is None:
                yield f"takeover: {job} was not started elsewhere within two leases of {fault['kind']} of {fault['nodes'][0]} at {text(fault['begin'])}"


def is_late_run_under_way(case, job, at):
    """Whether a run of the job lasts until then that a fault has made late: it keeps others waiting, or from being run."""
    return any(
        attempt.job == job and attempt.start < at and (attempt.end is None or at < attempt.end)
        and not case.is_quiet(attempt.nominal, attempt.start) for attempt in case.attempts)


def is_overlapped(case, job, at, node=None):
    """Whether a run of the job, on this node if one is given, was under way then only because it began late, and not too late."""
    return any(
        attempt.job == job and node in (None, attempt.node) and attempt.nominal < at < attempt.end + NOTICED
        and attempt.start - attempt.nominal <= LATE * SECOND
        and attempt.end - attempt.start + attempt.nominal < at - NOTICED for attempt in case.attempts)


def quiet_times(case):
    """In quiet times each entry of a short job has one complete run, in time, and no job has a backlog."""
    for job in shared(case):
        if not case.jobs[job]["is_short"]:
            continue
        found = by_entry(case, job)
        for nominal in case.entries(job):
            lasts = case.jobs[job]["lasts"][1] * SECOND // 1000
            if not case.is_quiet(nominal, nominal + LATE * SECOND + lasts) or is_late_run_under_way(case, job, nominal):
                continue
            complete = [attempt for attempt in found[nominal] if attempt.outcome == "succeeded"]
            if "overlapped" in outcomes(case, job, nominal) and is_overlapped(case, job, nominal):
                continue
            if len(complete) != 1:
                yield f"quiet: {job} {text(nominal)} has {len(complete)} complete runs, and the store has {outcomes(case, job, nominal)}"
            elif complete[0].start - nominal > LATE * SECOND:
                yield f"quiet: {job} {text(nominal)} was started {(complete[0].start - nominal) / SECOND:.1f} s late"


def cursors_ascend(case):
    """A run finds the cursor of an earlier run, which is the token of that, and never an older one than an earlier run has found."""
    for job in shared(case):
        highest = 0
        for attempt in case.attempts:
            if attempt.job != job or attempt.cursor == "-" or was_lost(case, attempt.nominal):
                continue
            cursor = int(attempt.cursor)
            if cursor > attempt.token:
                yield f"cursor: {job} {text(attempt.nominal)} with token {attempt.token} found the cursor of token {cursor}"
            # A run whose outcome did not reach the store before its node died leaves no cursor to others.
            if cursor < highest and case.is_quiet(attempt.nominal, attempt.start, LOSSES):
                yield f"cursor: {job} {text(attempt.nominal)} found the cursor of token {cursor} after {highest}"
            highest = max(highest, cursor)


def false_alarms(case):
    """Without the loss of claims no log calls an at-most-once entry split: another node may not know of it, but has not run it."""
    for job, nominal in sorted(case.splits):
        if case.jobs[job]["delivery"] == "at-most-once" and not was_lost(case, nominal):
            yield f"alarm: {job} {text(nominal)} is called split, and the store has {outcomes(case, job, nominal)}"


def goes_on(case, job):
    """Whether the last owner of a job goes on while the store does not answer."""
    return case.jobs[job].get("store_down") == "owner-runs"


def owner_goes_on(case):
    """While no node has the store, its owner starts each entry of such a job."""
    for fault in case.faults:
        # The node sees after a lease that it has to go on alone.
        first, last = fault["begin"] + case.lease * SECOND, fault["end"] - LATE * SECOND
        if fault["kind"] not in ("store_crash", "store_freeze") or any(
                other is not fault and other["begin"] < fault["end"] and fault["begin"] - case.recovery < other["end"]
                for other in case.faults):
            continue
        for job in (job for job in shared(case) if goes_on(case, job)):
            owner = [attempt.node for attempt in case.attempts if attempt.job == job and attempt.start < fault["begin"]][-1:]
            found = by_entry(case, job)
            for nominal in case.entries(job):
                if owner and first < nominal < last and not any(
                        attempt.node in owner and attempt.start - nominal < LATE * SECOND for attempt in found[nominal]):
                    yield f"alone: {job} {text(nominal)} was not started on {owner[0]} while nobody had the store"


def control_job(case):
    """A job that each node runs notices nothing: each entry has one complete run on each node that was up."""
    nodes = sorted({node for fault in case.faults for node in fault["nodes"]} | {attempt.node for attempt in case.attempts})
    # A clone runs it, too.
    of_nodes = DEATHS | UNNOTICED | {"restart", "death", "freeze_hosts", "clock", "stall"}
    up = of_nodes - {"leave", "cut", "cut_in", "cut_out"}
    for job in (name for name, job in case.jobs.items() if not job["is_shared"]):
        found = defaultdict(Counter)
        for attempt in case.attempts:
            if attempt.job == job and attempt.outcome == "succeeded":
                found[attempt.node][attempt.nominal] += 1
        # A node that left is started again when that is healed.
        for node in nodes:
            restarts = [fault["end"] for fault in case.faults if fault["kind"] == "leave" and node in fault["nodes"]]
            for nominal in case.entries(job):
                if any(abs(at - nominal) < case.recovery for at in restarts) or not case.is_quiet(
                        nominal, nominal + LATE * SECOND, up, node):
                    continue
                count = found[node][nominal]
                if count != 1 and not (count == 0 and is_overlapped(case, job, nominal, node)):
                    yield f"control: {job} {text(nominal)} has {count} complete runs on {node}"
