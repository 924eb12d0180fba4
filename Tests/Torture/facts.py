"""Everything known after a run: evidence, ledger, faults and clock, as values that the judge reads."""

import dataclasses
import os
import shutil
import sqlite3
import tempfile
from dataclasses import dataclass, field

SECOND = 1_000_000_000

# Each outcome: "ran" if the plugin was called or may have been, "failure" if the job of `on-failure` is told, "omitted" if the rule
# names the instant and leaves it out.
OUTCOMES = {
    "succeeded": {"ran"},
    "failed": {"ran", "failure"},
    "timed-out": {"ran", "failure"},
    "cancelled": {"ran"},
    "lost": {"ran", "failure"},
    "unknown": {"ran", "failure"},
    "overlapped": {},
    "superseded": {},
    "missed": {},
    "paused": {},
    "left-to-cron": {},
    "excluded": {"omitted"},
    "dst-gap": {"omitted"},
    "dst-fold": {"omitted"},
    "low-frequency": {},
    "limited": {},
    "shut-down": {},
}
# Each overlap policy, and what an entry that falls due while the job runs may do: wait, be dropped, stop the run, or start beside it.
OVERLAPS = {
    "skip": {"drops"},
    "buffer-one": {"waits", "drops"},
    "buffer-all": {"waits"},
    "cancel-other": {"waits", "stops"},
    "terminate-other": {"waits", "stops"},
    "allow-all": {"crowds"},
}


def having(trait, table):
    """The names of a table's rows that have the trait."""
    return {name for name, traits in table.items() if trait in traits}


RAN, FAILURES, OMITTED = (having(trait, OUTCOMES) for trait in ("ran", "failure", "omitted"))
WAITING, DROPPING, STOPPING, CROWDING = (having(trait, OVERLAPS) for trait in ("waits", "drops", "stops", "crowds"))
OWN_CAUSES = {"trigger", "reaction"}  # entries that no schedule names
CONCURRENT_MAX = 100  # runs that `allow-all` allows at once
WAITING_MAX = 1000  # entries of one job that may wait
HOSTS_MAX = 32  # plugin hosts of one plugin, user and limits

# The daemon's process ends and its runs end with it.
DEATHS = {"kill", "death"}
# The same, or its runs go on in their plugin hosts because a service manager keeps the descriptors.
CRASHES = DEATHS | {"kill-kept"}
STOPS = {"restart"}
# No daemon is there to start a run or to read its result.
ABSENT = CRASHES | STOPS | {"freeze", "stall"}
STEPS = {"step-second", "step-hour", "step-back", "step-back-death", "step-decade", "sleep-hour"}
# The ledger loses records: all, or those that its write-ahead log had.
LOSSES = {"garble", "lose-log"}
# An entry may be missed: no daemon, a clock that jumped, an operator's pause, no way to start a plugin host, a lost ledger.
ABSENCES = ABSENT | STEPS | {"kill-disk-full", "no-descriptors", "pause"} | LOSSES
# Results that wait in memory for room on the disk are lost with the daemon; a full disk alone excuses nothing.
FULL = {"kill-disk-full"}


@dataclass
class Fault:
    """One disturbance, from its first moment to its last; `jobs` are those that it concerns, `None` for all."""

    kind: str
    begin: int
    end: int
    detail: str = ""
    jobs: frozenset = None
    pids: frozenset = frozenset()  # processes that it ended or stopped

    def concerns(self, job):
        return self.jobs is None or job in self.jobs


@dataclass
class Era:
    """A job's definition while it is in force: it came between two times and went between two (`None` for not yet)."""

    job: object
    came: tuple
    went: tuple = None


@dataclass
class Attempt:
    """One call of a plugin, as the plugin itself testified; times are the system's, `actual` is the daemon's clock's."""

    job: str
    nominal: int
    key: str
    number: int
    pid: int
    entries: int
    actual: int
    began: int
    ended: int = None
    outcome: str = None


@dataclass(frozen=True)
class Record:
    """One row of the ledger; times are the daemon's clock's."""

    job: str
    nominal: int
    first: int
    count: int
    outcome: str
    cause: str
    started: int
    ended: int
    attempts: int
    reason: str
    # A record of several entries in a ledger that was lost: those that a clock that was set back showed again may be decided again.
    is_lost: bool = False


@dataclass
class Trigger:
    """A run that was asked for, and whether the daemon accepted it; times are the system's."""

    job: str
    begin: int
    end: int
    accepted: bool


@dataclass
class Copy:
    """A copy of the ledger; `anew` when the daemon had lost the ledger before it, `aged` when old rows may be gone, `cut` when the
    write-ahead log was lost before it."""

    place: str
    anew: bool = False
    aged: bool = False
    cut: bool = False


@dataclass
class Case:
    """Everything that the judge needs."""

    seed: int
    eras: list
    attempts: list
    records: list
    faults: list
    offsets: list
    begin: int
    end: int
    group_limits: dict = field(default_factory=dict)
    surprises: list = field(default_factory=list)
    bound: int = SECOND
    triggers: list = field(default_factory=list)
    counts: dict = field(default_factory=dict)  # job: the ledger's number of runs that succeeded, of counted jobs
    kept: dict = field(default_factory=dict)  # (job, nominal): the cause of what the last stop kept for the next start

    def offsets_at(self, when):
        """The offsets that may have been in force at a time: two while a step is being made."""
        possible = [self.offsets[0][2]]
        for earliest, latest, offset in self.offsets[1:]:
            if when >= latest:
                possible = [offset]
            elif when >= earliest:
                possible.append(offset)
        return possible

    def shown(self, when):
        """The earliest and the latest that the daemon's clock may have shown at a time."""
        possible = self.offsets_at(when)
        return when + min(possible), when + max(possible)

    def stretches(self, since, until):
        """Times in which the clock ran without a step: (begin, end, offset)."""
        changes = [change for change in self.offsets[1:] if since < change[0] < until]
        begin, offset = since, self.offsets_at(since)[0]
        for earliest, latest, following in changes:
            yield begin, earliest, offset
            begin, offset = latest, following
        yield begin, until, offset

    def due(self, instant, since, until):
        """The time at which the daemon's clock first came to `instant` or jumped over it, `None` for never.

        A clock that was set back may have come to it as early as the file was written that set it."""
        shown = None
        earliest = {latest: first for first, latest, _ in self.offsets}
        for begin, end, offset in self.stretches(since, until):
            if earliest.get(begin, begin) + offset <= instant <= end + offset:
                return max(begin, instant - offset)
            if shown is not None and shown < instant <= end + offset:
                return begin
            shown = end + offset
        return None

    def times(self, instant):
        """Every time at which the daemon's clock may have shown `instant`: several when it was set back."""
        offsets = {offset for _, _, offset in self.offsets}
        candidates = (instant - offset for offset in offsets)
        return sorted(when for when in candidates if instant - when in self.offsets_at(when))

    def disturbance(self, job, begin, end, kinds=None, before=SECOND // 4, after=2 * SECOND):
        """A fault that touches a stretch of a job's time, if there is one, its aftermath included."""
        for fault in self.faults:
            if (kinds is None or fault.kind in kinds) and fault.concerns(job):
                if fault.begin - before <= end and begin <= fault.end + after:
                    return fault
        return None

    def cause(self, job, begin, end, kinds):
        """A fault that overlaps a stretch of a job's time by itself, without an aftermath beyond a quarter of a second."""
        return self.disturbance(job, begin, end, kinds, before=SECOND // 20, after=SECOND // 4)

    def crash(self, job, begin, end, kinds=DEATHS):
        """A crash whose moment lies in a stretch of time: the process ends at the beginning of the fault."""
        for fault in self.faults:
            if fault.kind in kinds and begin <= fault.end and fault.begin <= end:
                # A death that nobody ordered was noticed some time after its moment.
                if fault.kind == "death" or begin <= fault.begin + SECOND // 20:
                    return fault
        return None

    def steps_back(self):
        """The times in which the clock went back: from when the file was written that sets it to when the daemon had read that."""
        return [new[:2] for old, new in zip(self.offsets, self.offsets[1:]) if new[2] < old[2]]


def instant(text):
    """The nanoseconds of `1700000000000000000` or of `2027-03-28T00:00:00.123456789Z`."""
    if text.lstrip("-").isdigit():
        return int(text)
    from datetime import datetime
    whole, _, fraction = text.rstrip("Z").partition(".")
    return int(datetime.fromisoformat(whole + "+00:00").timestamp()) * SECOND + int((fraction + "000000000")[:9])


def read_evidence(path):
    """The attempts in a file of evidence, in the order in which they began, and the lines that make no sense."""
    attempts, open_attempts, faults = [], {}, []
    with open(path) as file:
        for line in file:
            try:
                what, job, nominal, key, number, pid, detail, actual, when = line.rstrip("\n").split("\t")
                identity = (job, int(nominal), int(number), int(pid))
                if what == "start":
                    attempt = Attempt(
                        job, int(nominal), key, int(number), int(pid), int(detail), instant(actual), int(when))
                    attempts.append(attempt)
                    open_attempts[identity] = attempt
                else:
                    attempt = open_attempts.pop(identity)
                    attempt.outcome, attempt.ended = detail, int(when)
            except (ValueError, KeyError):
                faults.append(f"evidence that makes no sense: {line.strip()}")
    return sorted(attempts, key=lambda attempt: attempt.began), faults


def read_ledger(directory):
    """The entries in a copy of the state directory by (job, nominal), the counted successes by job, and SQLite's verdict."""
    with tempfile.TemporaryDirectory() as copy:
        for name in os.listdir(directory):
            if name.startswith("ledger.sqlite"):
                shutil.copy(f"{directory}/{name}", copy)
        if not os.path.exists(f"{copy}/ledger.sqlite"):
            return {}, {}, "there is no ledger"
        database = sqlite3.connect(f"{copy}/ledger.sqlite")
        health = database.execute("PRAGMA integrity_check").fetchone()[0]
        rows = database.execute(
            "SELECT job, nominal, first_nominal, entry_count, outcome, cause, started_at, ended_at, attempts, reason"
            " FROM entry").fetchall()
        counts = dict(database.execute(
            "SELECT job, sum(count) FROM tally WHERE measure = 'succeeded' GROUP BY job").fetchall())
        database.close()
    return {(row[0], row[1]): Record(*row) for row in rows}, counts, health


def read_kept(directory):
    """What a stop kept for the next start, by (job, nominal): entries that wait and runs between two attempts."""
    if not os.path.exists(f"{directory}/ledger.sqlite"):
        return {}
    database = sqlite3.connect(f"{directory}/ledger.sqlite")
    lines = [line.split() for (text,) in database.execute("SELECT entries FROM claims") for line in text.splitlines()]
    kept = {(line[0], int(line[1])): line[5] for line in lines if len(line) == 6}
    rows = database.execute("SELECT job, nominal, cause FROM entry WHERE outcome IS NULL AND retry_at IS NOT NULL")
    kept |= {(job, nominal): cause for job, nominal, cause in rows}
    database.close()
    return kept


def is_part(before, after):
    """Whether a record of several entries has lost some of them, or all, and nothing else about it has changed."""
    if before.count <= 1 and before.first == before.nominal:
        return False
    same = after and dataclasses.replace(after, first=before.first, count=before.count) == before
    return after is None or same and after.count < before.count and before.first <= after.nominal


def merge_ledgers(copies, read=read_ledger, offsets=()):
    """The records of several copies of one ledger, the oldest first, the highest counts, and everything that may not change.

    A row that is settled or started stays as it is in every later copy of the same ledger. Only a record of several entries that lay
    ahead of a clock that was set back after it was written loses those that came in their time. With the write-ahead log ends and
    decisions are lost, and no start: an entry that was started stays one, of which the end may be unknown, and runs again at most. An entry
    that was decided against and not started is decided anew, and may run then: the row of that decision holds, also if its end is unknown.
    """
    def may_lose_entries(record):
        back = [(old, new) for old, new in zip(offsets, offsets[1:]) if new[2] < old[2]]
        return any(new[0] + new[2] < record.nominal and record.ended <= new[1] + old[2] for old, new in back)

    merged, previous, lost, counts, faults = {}, {}, [], {}, []
    undecided = set()  # decisions without a run that were lost with the write-ahead log, and have no other row yet
    for copy in copies:
        records, counted, health = read(copy.place)
        if copy.anew:
            for key, record in list(merged.items()):
                if record.count > 1 and record.outcome and may_lose_entries(record):
                    lost.append(dataclasses.replace(merged.pop(key), is_lost=True))
        if health != "ok":
            faults.append(f"the ledger is damaged: {health}")
        for key, before in ({} if copy.anew else previous).items():
            after, name = records.get(key), f"{key[0]} {key[1]}"
            if before != after and before.outcome and is_part(before, after) and may_lose_entries(before):
                if after is None:
                    merged.pop(key, None)
            elif copy.cut and not before.started:
                # What was decided and did not run is decided anew.
                if before.outcome and after != before:
                    undecided.add(key)
                others = [each for each in records.values() if each.job == key[0]]
                if after is None and any(each.first <= before.nominal and before.first <= each.nominal for each in others):
                    merged.pop(key, None)
            elif copy.cut and after is not None and after.outcome in RAN | {None}:
                pass
            elif after is None:
                if not copy.aged and (before.outcome or before.started):
                    faults.append(f"{name}: its row ({before.outcome or 'started'}) vanished from the ledger")
            elif before.outcome and before != after:
                faults.append(f"{name}: its settled row changed from {before} to {after}")
            elif before.started and after.outcome and after.outcome not in RAN:
                faults.append(f"{name}: it had started and became {after.outcome}")
        for key, record in records.items():
            before = merged.get(key)
            # A ledger that was begun anew may know of a start, and nothing of its end; the older row holds.
            holds = before and before.outcome and record.outcome in (None, "unknown")
            if not holds or key in undecided and (record.outcome or record.started):
                merged[key] = record
                undecided.discard(key)
        for job, count in counted.items():
            counts[job] = max(counts.get(job, 0), count)
        previous = records
    # A row that was open in an older copy and is in no later one was claimed and given up.
    return lost + [record for record in merged.values() if record.outcome or record.started], counts, faults
