"""What is known when it is over: evidence, ledger, faults and clock, as values that the checker judges."""

import os
import shutil
import sqlite3
import tempfile
from dataclasses import dataclass, field

SECOND = 1_000_000_000

# Dispositions of entries for which the plugin was called, or may have been.
RAN = {"succeeded", "failed", "timed-out", "cancelled", "lost", "unknown"}
OWN_CAUSES = {"trigger", "reaction"}  # entries that no schedule names

# Dispositions of instants that a rule names and leaves out.
OMITTED = {"excluded", "dst-gap", "dst-fold"}

# Overlap policies under which an entry waits.
WAITING = {"buffer-one", "buffer-all", "cancel-other", "terminate-other"}
CONCURRENT_MAX = 1000  # as many runs as `allow-all` may have

# Faults during which, or soon after which, nobody may be there for an entry.
STEPS = {"step-second", "step-hour", "step-back", "step-back-death", "step-decade", "sleep-hour"}
ABSENCES = STEPS | {
    "kill", "death", "restart", "freeze", "stall", "kill-disk-full", "no-descriptors", "pause", "garble",
}


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
    """One disposition; times are the daemon's clock's."""

    job: str
    nominal: int
    first: int
    count: int
    disposition: str
    cause: str
    started: int
    ended: int
    attempts: int
    reason: str


@dataclass
class Case:
    """All that the checker needs."""

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
        """When the daemon's clock first came to `instant` or jumped over it, `None` for never."""
        shown = None
        for begin, end, offset in self.stretches(since, until):
            came_from_below = shown is None or shown < instant
            if came_from_below and instant - offset <= end and (shown is not None or begin + offset <= instant):
                return max(begin, instant - offset)
            shown = end + offset
        return None

    def disturbance(self, job, begin, end, kinds=None, before=SECOND // 4, after=2 * SECOND):
        """A fault whose doing or aftermath touches a stretch of a job's time, if there is one."""
        for fault in self.faults:
            concerns = (kinds is None or fault.kind in kinds) and fault.job in (None, job)
            if concerns and fault.begin - before <= end and begin <= fault.end + after:
                return fault
        return None

    def steps_back(self):
        """When the clock went back."""
        return [new[0] for old, new in zip(self.offsets, self.offsets[1:]) if new[2] < old[2]]


def instant(text):
    """The nanoseconds of `1700000000000000000` or of `2027-03-28T00:00:00.123456789Z`."""
    if text.lstrip("-").isdigit():
        return int(text)
    from datetime import datetime
    whole, _, fraction = text.rstrip("Z").partition(".")
    return int(datetime.fromisoformat(whole + "+00:00").timestamp()) * SECOND + int((fraction + "000000000")[:9])


def read_evidence(path):
    """The attempts in a file of evidence, in the order in which they began, and what in it makes no sense."""
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


def read_ledger(folder):
    """The entries in a copy of the state folder, by (job, nominal), and what SQLite thinks of the file."""
    with tempfile.TemporaryDirectory() as copy:
        for name in os.listdir(folder):
            if name.startswith("ledger.sqlite"):
                shutil.copy(f"{folder}/{name}", copy)
        if not os.path.exists(f"{copy}/ledger.sqlite"):
            return {}, "there is no ledger"
        database = sqlite3.connect(f"{copy}/ledger.sqlite")
        health = database.execute("PRAGMA integrity_check").fetchone()[0]
        rows = database.execute(
            "SELECT job, nominal, first_nominal, entry_count, disposition, cause, started_at, ended_at, attempts, reason"
            " FROM entry").fetchall()
        database.close()
    return {(row[0], row[1]): Record(*row) for row in rows}, health


def merge_ledgers(folders):
    """The records of several copies of one ledger, the oldest copy first, and what changed that may never change."""
    merged, faults = {}, []
    for folder in folders:
        records, health = read_ledger(folder)
        if health != "ok":
            faults.append(f"the ledger is damaged: {health}")
        for key, record in records.items():
            before = merged.get(key)
            if before and before.disposition and before.disposition != record.disposition:
                faults.append(f"{key[0]} {key[1]}: its disposition {before.disposition} became {record.disposition}")
            merged[key] = record
    # What was open in an older copy and is in no later one was claimed and given up.
    return [record for record in merged.values() if record.disposition or record.started], faults
