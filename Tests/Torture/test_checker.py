#!/usr/bin/env python3
"""The checker checked: a spotless world passes, and each fault that is planted into it is found by its name."""

import dataclasses
import os
import tempfile
import unittest

from checker import judge
from facts import Attempt, Case, Record, instant, read_evidence
from faults import plan
from jobs import Job
from schedules import Cron, EveryMinute, HOUR, MINUTE, Periodic, SECOND, utc_text
from world import Era, Fault

BEGIN = 1_800_000_000 * SECOND
MS = SECOND // 1000


def spotless():
    """Twenty seconds of three jobs that all do what they should, on a clock that stands an hour ahead."""
    jobs = [
        Job("calm", Periodic(SECOND), (50, 50)),
        Job("waits", Periodic(2 * SECOND), (100, 100), overlap="buffer-all", group="pair"),
        Job("again", Periodic(4 * SECOND), (100, 100), {"retry": 100}, attempts=2, group="pair"),
    ]
    case = Case(
        seed=1, eras=[Era(job, (BEGIN, BEGIN + 10 * MS)) for job in jobs], attempts=[], records=[], faults=[],
        offsets=[(BEGIN, BEGIN, HOUR)], begin=BEGIN, end=BEGIN + 20 * SECOND, group_limits={"pair": 2})
    for number, job in enumerate(jobs):
        for nominal in job.schedule.between(BEGIN + HOUR + 11 * MS, case.end + HOUR):
            began = nominal - HOUR + MS
            for attempt in range(1, job.attempts + 1):
                outcome = "retry" if job.attempts > 1 else "succeeded"
                lasts = job.lasts[0] * MS
                case.attempts.append(Attempt(
                    job.name, nominal, f"{job.name}@{nominal}", attempt, 100 + number, 1, nominal, began, began + lasts, outcome))
                began += lasts + 200 * MS
            started, ended = nominal + MS // 2, began - 199 * MS + HOUR
            case.records.append(Record(
                job.name, nominal, nominal, 1, "failed" if job.attempts > 1 else "succeeded", "schedule", started, ended,
                job.attempts, ""))
    case.attempts.sort(key=lambda attempt: attempt.began)
    return case


class Spotless(unittest.TestCase):
    def test_passes(self):
        verdict = judge(spotless())
        self.assertEqual(verdict.violations, [])
        self.assertEqual((verdict.targets + verdict.jumped, verdict.duplicates), (20 + 10 + 5, 0))
        # The last second's windows reach beyond the end.
        self.assertEqual(verdict.matched, verdict.calm_matched)
        self.assertGreater(verdict.matched, 30)


class Planted(unittest.TestCase):
    """Each test plants one fault."""

    def setUp(self):
        self.case = spotless()

    def found(self, kind):
        kinds = {violation[0] for violation in judge(self.case).violations}
        self.assertIn(kind, kinds)

    def run_of(self, job, index=3):
        return [attempt for attempt in self.case.attempts if attempt.job == job][index]

    def record_of(self, job, index=3):
        return [record for record in self.case.records if record.job == job][index]

    def change(self, record, **values):
        self.case.records[self.case.records.index(record)] = dataclasses.replace(record, **values)

    def add(self, run, **values):
        self.case.attempts.append(dataclasses.replace(run, **values))
        self.case.attempts.sort(key=lambda attempt: attempt.began)

    def test_a_duplicate(self):
        run = self.run_of("calm")
        self.add(run, began=run.began + 200 * MS, ended=run.ended + 200 * MS, pid=7)
        self.found("duplicate")

    def test_an_attempt_too_many(self):
        run = self.run_of("again", 1)
        self.add(run, began=run.began + SECOND, ended=run.ended + SECOND, number=3)
        self.found("duplicate")

    def test_an_early_start(self):
        run = self.run_of("calm")
        run.began -= 3 * MS
        self.found("early")

    def test_an_early_decision(self):
        run = self.run_of("calm")
        run.actual = run.nominal - 1
        self.found("early")

    def test_a_lost_run(self):
        self.case.attempts.remove(self.run_of("calm"))
        self.found("disposition")

    def test_a_run_without_an_end(self):
        run = self.run_of("calm")
        run.ended = run.outcome = None
        self.found("disposition")

    def test_a_late_run(self):
        run = self.run_of("calm")
        run.began, run.ended = run.began + 5 * SECOND, run.ended + 5 * SECOND
        self.found("late")

    def test_an_overlap(self):
        self.run_of("calm").ended += SECOND
        self.found("overlap")

    def test_an_overlap_that_a_killed_daemon_excuses(self):
        run = self.run_of("calm")
        run.ended, run.pid = run.ended + SECOND, 99
        self.case.faults.append(Fault("kill", run.began + 10 * MS, run.began + 500 * MS))
        verdict = judge(self.case)
        self.assertEqual(verdict.violations, [])
        self.assertEqual(verdict.orphan_overlaps, 1)

    def test_two_runs_in_one_process(self):
        run = self.run_of("waits")
        self.add(run, began=run.began + MS, nominal=run.nominal + 2 * SECOND)
        self.found("overlap")

    def test_a_group_too_full(self):
        for job, index in (("waits", 2), ("again", 2)):
            run = self.run_of(job, index)
            self.case.attempts.append(dataclasses.replace(run, pid=run.pid + 50))
        self.case.group_limits["pair"] = 1
        self.found("overlap")

    def test_runs_out_of_order(self):
        first, second = self.run_of("waits", 3), self.run_of("waits", 4)
        first.began, first.ended, second.began, second.ended = second.began, second.ended, first.began, first.ended
        self.case.attempts.sort(key=lambda attempt: attempt.began)
        self.found("order")

    def test_an_entry_without_a_disposition(self):
        self.case.records.remove(self.record_of("calm"))
        self.found("no disposition")

    def test_an_entry_with_two(self):
        record = self.record_of("calm", 5)
        self.change(record, disposition="missed", first=record.nominal - SECOND, count=2)
        self.found("two dispositions")

    def test_a_count_that_is_off_by_one(self):
        record = self.record_of("calm", 5)
        self.change(record, disposition="missed", count=2)
        self.found("miscounted")

    def test_a_record_of_no_entry(self):
        record = self.record_of("calm")
        self.change(record, nominal=record.nominal + 5, first=record.nominal + 5)
        self.found("no target")

    def test_a_run_recorded_as_none(self):
        self.change(self.record_of("calm"), disposition="missed", started=None)
        self.found("disposition")

    def test_a_dead_guard_of_overlaps(self):
        record = self.record_of("calm")
        self.case.attempts.remove(self.run_of("calm"))
        self.change(record, disposition="overlapped", started=None)
        self.found("disposition")

    def test_missed_without_an_absence(self):
        record = self.record_of("calm")
        self.case.attempts.remove(self.run_of("calm"))
        self.change(record, disposition="missed", started=None)
        self.found("disposition")

    def test_missed_with_one(self):
        record, run = self.record_of("calm"), self.run_of("calm")
        self.case.attempts.remove(run)
        self.change(record, disposition="missed", started=None)
        self.case.faults.append(Fault("freeze", run.began - 100 * MS, run.began + 100 * MS))
        self.assertEqual(judge(self.case).violations, [])

    def test_unknown_while_the_daemon_lived(self):
        self.change(self.record_of("calm"), disposition="unknown")
        self.found("disposition")

    def test_an_entry_left_open(self):
        self.change(self.record_of("calm"), disposition=None, ended=None)
        self.found("disposition")

    def test_an_outcome_against_the_dice(self):
        self.run_of("calm").outcome = "failed"
        self.found("dice")

    def test_a_retry_that_did_not_come(self):
        self.case.attempts.remove(self.run_of("again", 3))
        self.found("disposition")

    def test_a_run_that_no_record_tells_of(self):
        run = self.run_of("calm")
        self.add(run, nominal=run.nominal + 500 * MS, began=run.began + 500 * MS, ended=run.ended + 500 * MS)
        self.found("extra")

    def job_becomes(self, name, **values):
        for era in self.case.eras:
            if era.job.name == name:
                era.job = dataclasses.replace(era.job, **values)

    def test_a_run_beyond_its_window(self):
        self.job_becomes("calm", window=SECOND // 2)
        self.change(self.record_of("calm"), cause="missed")
        self.run_of("calm").actual += SECOND
        self.found("disposition")

    def test_a_run_that_was_to_be_skipped(self):
        self.job_becomes("calm", missed="skip")
        self.change(self.record_of("calm"), cause="missed")
        self.found("disposition")

    def test_one_of_all_that_was_not_made_up_for(self):
        self.job_becomes("calm", missed="all", window=10 * SECOND)
        record, run = self.record_of("calm"), self.run_of("calm")
        self.case.attempts.remove(run)
        self.case.faults.append(Fault("freeze", run.began - 100 * MS, run.began + 100 * MS))
        self.change(record, disposition="missed", started=None, cause="missed", ended=record.nominal + SECOND)
        self.found("disposition")

    def test_a_latest_entry_that_was_missed_too(self):
        for index in (3, 4):
            record, run = self.record_of("calm", index), self.run_of("calm", 3)
            self.case.attempts.remove(run)
            self.case.faults.append(Fault("freeze", run.began - 100 * MS, run.began + 100 * MS))
            self.change(record, disposition="missed", started=None, ended=BEGIN + HOUR + 9 * SECOND)
        self.found("disposition")

    def test_a_failure_that_nobody_was_told_of(self):
        self.job_becomes("again", on_failure="waits")
        self.found("reaction")

    def test_news_of_nothing(self):
        self.job_becomes("calm", on_failure="waits")
        self.change(self.record_of("waits"), cause="reaction")
        self.found("reaction")

    def test_a_surprise(self):
        self.case.surprises.append("the daemon died by itself")
        self.found("surprise")


class Steps(unittest.TestCase):
    def test_what_a_step_jumps_over_is_due_at_the_step(self):
        case = spotless()
        step = BEGIN + 10 * SECOND
        case.offsets.append((step, step + 20 * MS, 2 * HOUR))
        self.assertEqual(case.due(BEGIN + HOUR + 5 * SECOND, BEGIN, case.end), BEGIN + 5 * SECOND)
        self.assertEqual(case.due(BEGIN + HOUR + 1800 * SECOND, BEGIN, case.end), step + 20 * MS)
        self.assertEqual(case.due(BEGIN + 2 * HOUR + 15 * SECOND, BEGIN, case.end), BEGIN + 15 * SECOND)
        self.assertIsNone(case.due(BEGIN + 3 * HOUR, BEGIN, case.end))
        self.assertEqual(case.shown(step + MS), (step + MS + HOUR, step + MS + 2 * HOUR))

    def test_jumped_entries_need_dispositions(self):
        case = spotless()
        step = BEGIN + 19 * SECOND
        case.offsets.append((step, step + 20 * MS, 2 * HOUR))
        gaps = [sentence for kind, sentence, _ in judge(case).violations if kind == "no disposition"]
        self.assertGreater(len(gaps), 100)


class Oracle(unittest.TestCase):
    def texts(self, cron, zone, day, days=1):
        low = instant(day + "T00:00:00Z")
        return [utc_text(each)[5:16] for each in Cron(cron, zone).between(low, low + days * 24 * HOUR - 1)]

    def test_the_night_that_is_short(self):
        self.assertEqual(self.texts("30 2 * * *", "Europe/Berlin", "2027-03-28"), ["03-28T01:00"])
        self.assertEqual(self.texts("0,30 2,3 * * *", "Europe/Berlin", "2027-03-28"), ["03-28T01:00", "03-28T01:30"])

    def test_the_night_that_is_long(self):
        self.assertEqual(self.texts("30 2 * * *", "Europe/Berlin", "2027-10-31"), ["10-31T00:30"])
        self.assertEqual(
            self.texts("*/30 2 * * *", "Europe/Berlin", "2027-10-31"),
            ["10-31T00:00", "10-31T00:30", "10-31T01:00", "10-31T01:30"])

    def test_what_the_long_night_leaves_out(self):
        rule, again = Cron("30 2 * * *", "Europe/Berlin"), instant("2027-10-31T01:30:00Z")
        self.assertEqual(rule.leaves_out(again), "dst-fold")
        self.assertIsNone(rule.leaves_out(again - HOUR))
        self.assertIsNone(rule.leaves_out(again + 24 * HOUR))
        self.assertIsNone(Cron("*/30 * * * *", "Europe/Berlin").leaves_out(again))

    def test_days_of_month_and_week(self):
        self.assertEqual(self.texts("0 0 13 * 5", "UTC", "2027-08-12", 9), ["08-13T00:00", "08-20T00:00"])
        self.assertEqual(self.texts("0 12 */2 * 1-5", "UTC", "2027-08-13", 4), ["08-13T12:00"])

    def test_counts_are_the_lists_lengths(self):
        for schedule in (Periodic(7 * SECOND, 3), EveryMinute(), Cron("*/7 3-5,9 * * *", "Europe/Berlin"), Cron("5 4 * * *")):
            for low, high in ((BEGIN, BEGIN + 90 * HOUR), (BEGIN + 1, BEGIN + 50 * HOUR - 1), (BEGIN, BEGIN)):
                self.assertEqual(schedule.count(low, high), len(list(schedule.between(low, high))))

    def test_periodic(self):
        self.assertEqual(list(Periodic(5, 100).between(12, 110)), [100, 105, 110])
        self.assertEqual(list(Periodic(MINUTE).between(1, 2 * MINUTE)), [MINUTE, 2 * MINUTE])


class Plans(unittest.TestCase):
    def test_a_seed_decides(self):
        self.assertEqual(plan(5, 120), plan(5, 120))
        self.assertNotEqual(plan(5, 120), plan(6, 120))

    def test_evidence_is_read(self):
        with tempfile.NamedTemporaryFile("w", delete=False) as file:
            file.write("start\tj\t5\tk\t1\t9\t1\t6\t7\nend\tj\t5\tk\t1\t9\tsucceeded\t6\t8\nend\tj\t5\tk\t1\t9\tsucceeded\t6\t8\n")
        attempts, senseless = read_evidence(file.name)
        os.unlink(file.name)
        self.assertEqual(attempts, [Attempt("j", 5, "k", 1, 9, 1, 6, 7, 8, "succeeded")])
        self.assertEqual(len(senseless), 1)


if __name__ == "__main__":
    unittest.main()
