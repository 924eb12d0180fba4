#!/usr/bin/env python3
"""The checker checked: a spotless world passes, and each fault that is planted into it is found by its name."""

import dataclasses
import os
import tempfile
import unittest
import unittest.mock

from checker import Judge, judge
from facts import (
    Attempt, Case, Copy, Era, Fault, OUTCOMES, OVERLAPS, Record, Trigger, instant, merge_ledgers, read_evidence)
from faults import QUIET, WEIGHTS, Tormentor, plan
from jobs import Job, mix
from outcomes import RULES
from schedules import Animation, Cron, EveryMinute, HOUR, MINUTE, Periodic, SCHEDULES, SECOND, utc_text

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


class Complete(unittest.TestCase):
    """What the tables list is judged, and met by some job. A test in Swift compares the tables with the program."""

    def test_each_outcome_has_its_cause(self):
        self.assertEqual(RULES.keys() - {None}, OUTCOMES.keys())

    def test_each_overlap_policy_has_a_job(self):
        self.assertEqual({job.overlap for job in mix(BEGIN)}, OVERLAPS.keys())

    def test_each_kind_of_schedule_has_a_job(self):
        schedules = {type(job.schedule): job.schedule for job in mix(BEGIN)}
        for kind, schedule in SCHEDULES.items():
            self.assertIn(schedule, schedules)
            self.assertIn(kind, schedules[schedule].toml())


class Plant(unittest.TestCase):
    """The spotless world and the hands that plant something into it."""

    def setUp(self):
        self.case = spotless()

    def found(self, kind, words=""):
        """Passes when the judge names a violation of the kind, in a sentence with the words."""
        violations = judge(self.case).violations
        self.assertTrue(any(violation[0] == kind and words in violation[1] for violation in violations), violations)

    def run_of(self, job, index=3):
        return [attempt for attempt in self.case.attempts if attempt.job == job][index]

    def record_of(self, job, index=3):
        return [record for record in self.case.records if record.job == job][index]

    def change(self, record, **values):
        self.case.records[self.case.records.index(record)] = dataclasses.replace(record, **values)

    def add(self, run, **values):
        self.case.attempts.append(dataclasses.replace(run, **values))
        self.case.attempts.sort(key=lambda attempt: attempt.began)

    def job_becomes(self, name, **values):
        for era in self.case.eras:
            if era.job.name == name:
                era.job = dataclasses.replace(era.job, **values)


class Planted(Plant):
    """Each test plants one fault."""

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
        self.found("outcome")

    def test_a_run_without_an_end(self):
        run = self.run_of("calm")
        run.ended = run.outcome = None
        self.found("outcome")

    def test_what_a_clock_may_show_while_it_is_set_back(self):
        self.case.offsets.append((BEGIN + 10 * SECOND, BEGIN + 11 * SECOND, 0))
        era = Era(self.case.eras[0].job, (BEGIN + 5 * SECOND, BEGIN + 5 * SECOND))
        self.assertEqual(Judge(self.case).wide_range(era), (BEGIN + 10 * SECOND, BEGIN + 11 * SECOND + HOUR))

    def test_a_late_run_in_a_host_that_was_stopped_as_it_got_it(self):
        run = self.run_of("calm")
        due = run.nominal - HOUR
        run.began, run.ended = due + 2 * SECOND, due + 2 * SECOND + 50 * MS
        others = frozenset({"waits"})
        self.case.faults.append(Fault("freeze-host", due - MS, due + 2 * SECOND, jobs=others, pids=frozenset({run.pid})))
        self.assertNotIn("late", [violation[0] for violation in judge(self.case).violations])
        self.case.faults[-1] = Fault("freeze-host", due - MS, due + 2 * SECOND, jobs=others, pids=frozenset({1}))
        self.found("late")

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
        self.change(self.record_of("calm"), outcome="unknown", ended=run.began + 500 * MS + HOUR)
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

    def test_runs_out_of_order_where_the_clock_was_set_back(self):
        first, second = self.run_of("waits", 3), self.run_of("waits", 4)
        first.began, first.ended, second.began, second.ended = second.began, second.ended, first.began, first.ended
        self.case.attempts.sort(key=lambda attempt: attempt.began)
        # A run that was decided on before the clock was set may begin a little later.
        for lag, is_order in ((200 * MS, False), (1200 * MS, True)):
            self.case.offsets[1:] = [(second.began - lag - MS, second.began - lag, 0)]
            blamed = [violation for violation in judge(self.case).violations if violation[0] == "order"]
            self.assertEqual(bool(blamed), is_order, blamed)

    def test_entries_of_a_lost_ledger_that_come_again(self):
        record = self.record_of("calm", 9)
        # Entries 5 to 9 had been missed by a ledger that was lost; 5 to 8 ran when the clock showed them again.
        several = dataclasses.replace(
            record, first=record.nominal - 4 * SECOND, count=5, outcome="missed", started=None, attempts=0, reason="skipped")
        self.case.attempts.remove(self.run_of("calm", 9))
        self.case.records.remove(record)
        kinds = lambda: {violation[0] for violation in judge(self.case).violations}
        self.assertIn("no outcome", kinds())
        self.case.records.append(several)
        self.assertIn("two outcomes", kinds())
        self.case.records[-1] = dataclasses.replace(several, is_lost=True)
        self.assertFalse({"no outcome", "two outcomes"} & kinds())

    def test_entries_of_a_schedule_that_was_replaced(self):
        record = self.record_of("calm", 9)
        several = dataclasses.replace(
            record, first=record.nominal - 4 * SECOND, count=5, outcome="missed", started=None, attempts=0, reason="skipped")
        self.case.attempts.remove(self.run_of("calm", 9))
        self.case.records.remove(record)
        self.case.records.append(several)
        kinds = lambda: {violation[0] for violation in judge(self.case).violations}
        # The clock is set back below them, which alone is no reason for two outcomes.
        later = several.ended - HOUR + SECOND
        self.case.offsets.append((later, later + MS, HOUR - 10 * SECOND))
        self.assertIn("two outcomes", kinds())
        # Before that a reload has given the job another schedule.
        era = next(era for era in self.case.eras if era.job.name == "calm")
        era.went = (later - 100 * MS, later - 50 * MS)
        self.case.eras.append(Era(dataclasses.replace(era.job, schedule=Periodic(3 * SECOND)), era.went))
        self.assertNotIn("two outcomes", kinds())

    def test_an_entry_without_a_outcome(self):
        self.case.records.remove(self.record_of("calm"))
        self.found("no outcome")

    def test_an_entry_with_two(self):
        record = self.record_of("calm", 5)
        self.change(record, outcome="missed", first=record.nominal - SECOND, count=2)
        self.found("two outcomes")

    def test_a_count_that_is_off_by_one(self):
        record = self.record_of("calm", 5)
        self.change(record, outcome="missed", count=2)
        self.found("miscounted")

    def test_a_record_of_no_entry(self):
        record = self.record_of("calm")
        self.change(record, nominal=record.nominal + 5, first=record.nominal + 5)
        self.found("no target")

    def test_a_run_recorded_as_none(self):
        self.change(self.record_of("calm"), outcome="missed", started=None)
        self.found("outcome")

    def test_a_dead_guard_of_overlaps(self):
        record = self.record_of("calm")
        self.case.attempts.remove(self.run_of("calm"))
        self.change(record, outcome="overlapped", started=None)
        self.found("outcome")

    def test_missed_without_an_absence(self):
        record = self.record_of("calm")
        self.case.attempts.remove(self.run_of("calm"))
        self.change(record, outcome="missed", started=None)
        self.found("outcome")

    def test_missed_with_one(self):
        record, run = self.record_of("calm"), self.run_of("calm")
        self.case.attempts.remove(run)
        self.change(record, outcome="missed", started=None)
        self.case.faults.append(Fault("freeze", run.began - 100 * MS, run.began + 100 * MS))
        self.assertEqual(judge(self.case).violations, [])

    def test_unknown_while_the_daemon_lived(self):
        self.change(self.record_of("calm"), outcome="unknown")
        self.found("outcome")

    def test_an_entry_left_open(self):
        self.change(self.record_of("calm"), outcome=None, ended=None)
        self.found("outcome")

    def test_an_outcome_against_the_dice(self):
        self.run_of("calm").outcome = "failed"
        self.found("dice")

    def test_a_retry_that_did_not_come(self):
        self.case.attempts.remove(self.run_of("again", 3))
        self.found("outcome")

    def test_a_run_that_no_record_tells_of(self):
        run = self.run_of("calm")
        self.add(run, nominal=run.nominal + 500 * MS, began=run.began + 500 * MS, ended=run.ended + 500 * MS)
        self.found("extra")

    def test_a_run_beyond_its_window(self):
        self.job_becomes("calm", window=SECOND // 2)
        self.change(self.record_of("calm"), cause="missed")
        self.run_of("calm").actual += SECOND
        self.found("outcome")

    def test_a_run_that_was_to_be_skipped(self):
        self.job_becomes("calm", missed="skip")
        self.change(self.record_of("calm"), cause="missed")
        self.found("outcome")

    def test_one_of_all_that_was_not_made_up_for(self):
        self.job_becomes("calm", missed="all", window=10 * SECOND)
        record, run = self.record_of("calm"), self.run_of("calm")
        self.case.attempts.remove(run)
        self.case.faults.append(Fault("freeze", run.began - 100 * MS, run.began + 100 * MS))
        self.change(record, outcome="missed", started=None, cause="missed", ended=record.nominal + SECOND)
        self.found("outcome")

    def test_a_latest_entry_that_was_missed_too(self):
        for index in (3, 4):
            record, run = self.record_of("calm", index), self.run_of("calm", 3)
            self.case.attempts.remove(run)
            self.case.faults.append(Fault("freeze", run.began - 100 * MS, run.began + 100 * MS))
            self.change(record, outcome="missed", started=None, ended=BEGIN + HOUR + 9 * SECOND)
        self.found("outcome")

    def test_a_record_that_a_clock_set_back_cut_in_two(self):
        for index in (3, 5):
            record = self.record_of("calm", index)
            run = next(run for run in self.case.attempts if (run.job, run.nominal) == ("calm", record.nominal))
            self.case.attempts.remove(run)
            self.case.faults.append(Fault("freeze", run.began - 100 * MS, run.began + 100 * MS))
            self.change(record, outcome="missed", started=None, ended=BEGIN + HOUR + 9 * SECOND)
        self.found("outcome", "missed like the others")
        latest = self.record_of("calm", 8)
        self.change(latest, cause="missed", started=BEGIN + HOUR + 9 * SECOND, ended=BEGIN + HOUR + 10 * SECOND)
        violations = judge(self.case).violations
        self.assertFalse(any("missed like the others" in violation[1] for violation in violations), violations)
        # It had to wait, and the clock was set back first.
        latest = self.record_of("calm", 8)
        self.case.attempts.remove(next(run for run in self.case.attempts if (run.job, run.nominal) == ("calm", latest.nominal)))
        self.change(latest, outcome="missed", reason="the clock was set back before it could start", started=None, ended=BEGIN + 9 * SECOND)
        violations = judge(self.case).violations
        self.assertFalse(any("missed like the others" in violation[1] for violation in violations), violations)
        self.assertTrue(any("was not set back then" in violation[1] for violation in violations), violations)
        # An entry of the schedule was never to be made up for.
        self.change(self.record_of("calm", 8), cause="schedule")
        self.found("outcome", "missed like the others")

    def test_a_failure_that_nobody_was_told_of(self):
        self.job_becomes("again", on_failure="waits")
        self.found("reaction")

    def test_news_of_nothing(self):
        self.job_becomes("calm", on_failure="waits")
        self.change(self.record_of("waits"), cause="reaction")
        self.found("reaction")

    def test_news_of_nothing_does_not_hide_that_others_were_told(self):
        self.job_becomes("calm", on_failure="waits")
        self.change(self.record_of("waits", 1), cause="reaction")
        record = self.record_of("waits", 4)
        self.change(record, cause="reaction")
        failed = self.record_of("calm", 7)
        self.change(failed, outcome="failed", ended=record.nominal - MS)
        told = [words for kind, words, *_ in judge(self.case).violations if kind == "reaction"]
        self.assertEqual(len(told), 1, told)
        self.assertIn("told of nothing", told[0])

    def test_a_surprise(self):
        self.case.surprises.append("the daemon died by itself")
        self.found("surprise")


class PlantedByCause(Plant):
    """Wrong behavior near a fault that does not cause it."""

    def add_job(self, job, lasts=50 * MS, outcome="succeeded"):
        """A job with a run of its own for each of its entries."""
        self.case.eras.append(Era(job, (BEGIN, BEGIN + 10 * MS)))
        for nominal in job.schedule.between(BEGIN + HOUR + 11 * MS, self.case.end + HOUR):
            began = nominal - HOUR + MS
            self.case.attempts.append(Attempt(
                job.name, nominal, f"{job.name}@{nominal}", 1, 500, 1, nominal, began, began + lasts, outcome))
            if not job.is_counted:
                self.case.records.append(Record(
                    job.name, nominal, nominal, 1, outcome, "schedule", nominal + MS // 2, nominal + MS + lasts, 1, ""))
        self.case.attempts.sort(key=lambda attempt: attempt.began)

    def unrun(self, job, index=3, **values):
        """Takes the run of an entry away and changes its record; gives the run."""
        record = self.record_of(job, index)
        run = next(run for run in self.case.attempts if (run.job, run.nominal) == (job, record.nominal))
        self.case.attempts.remove(run)
        self.change(record, **{"started": None, "attempts": 0, **values})
        return run

    def fault(self, kind, begin, length=0, **values):
        self.case.faults.append(Fault(kind, begin, begin + length, **values))

    def test_entries_lost_after_a_reload_that_did_not_change_their_job(self):
        run = self.unrun("calm", outcome="missed")
        self.fault("reload", run.began - SECOND, 100 * MS, jobs=frozenset(["guest"]))
        self.found("outcome", "nobody was away")

    def test_superseded_without_a_run_in_the_way(self):
        job = Job("newest", Periodic(SECOND), (50, 50), overlap="cancel-other")
        self.add_job(job)
        for index in range(len(self.case.records)):
            record = self.case.records[index]
            if record.job == "newest":
                self.case.records[index] = dataclasses.replace(
                    record, outcome="superseded", started=None, ended=record.nominal + SECOND, attempts=0)
        self.case.attempts = [run for run in self.case.attempts if run.job != "newest"]
        self.found("outcome", "superseded")

    def test_limited_without_a_queue(self):
        for index in range(8):
            self.unrun("waits", index, outcome="limited")
        self.found("outcome", "other entries of its job waited")

    def unserved(self):
        """An entry whose run waited for a plugin host for as long as its timeout; gives when it was due."""
        self.add_job(Job("patient", Periodic(20 * SECOND), (50, 50), timeout=5 * SECOND))
        record = self.record_of("patient", 0)
        run = self.unrun("patient", 0, outcome="limited", ended=record.nominal + 5 * SECOND)
        return run.began

    def test_limited_although_plugin_hosts_were_free(self):
        self.unserved()
        self.found("outcome", "other entries of its job waited")

    def test_limited_by_runs_that_were_over_too_soon(self):
        due = self.unserved()
        self.occupy(32, due - SECOND, due + 2 * SECOND)
        self.found("outcome", "other entries of its job waited")

    def test_limited_while_all_plugin_hosts_were_in_use(self):
        due = self.unserved()
        self.occupy(32, due - SECOND, due + 6 * SECOND)
        self.assertNotFound("outcome", "other entries of its job waited")

    def test_limited_while_no_plugin_host_could_be_started(self):
        self.fault("no-descriptors", self.unserved(), 5 * SECOND)
        self.assertNotFound("outcome", "other entries of its job waited")

    def occupy(self, count, begin, end):
        """Lets so many runs have plugin hosts of their own."""
        for number in range(count):
            nominal = begin + HOUR + number * MS
            self.case.attempts.append(
                Attempt("holder", nominal, f"holder@{nominal}", 1, 600 + number, 1, nominal, begin, end, "succeeded"))
        self.case.attempts.sort(key=lambda attempt: attempt.began)

    def assertNotFound(self, kind, words):
        violations = judge(self.case).violations
        self.assertFalse(any(violation[0] == kind and words in violation[1] for violation in violations), violations)

    def test_never_started_and_unknown_near_a_kill(self):
        run = self.unrun("calm", outcome="unknown")
        self.fault("kill", run.began + 1500 * MS, 100 * MS)
        self.found("outcome", "it never started")

    def test_started_in_the_ledger_alone_and_unknown_long_before_a_kill(self):
        record = self.record_of("calm")
        run = self.unrun("calm", outcome="unknown", started=record.started, attempts=1)
        self.fault("kill", run.began + 1500 * MS, 100 * MS)
        self.found("outcome", "no daemon died at its start")

    def test_unknown_at_a_kill(self):
        record = self.record_of("calm")
        run = self.unrun("calm", outcome="unknown", started=record.started, attempts=1, ended=record.nominal + 600 * MS)
        self.fault("kill", run.began + 10 * MS, 500 * MS)
        self.assertEqual(judge(self.case).violations, [])

    def cut_off_and_run_again(self):
        """The first attempt of a job that retries ends with its daemon, and the second one follows."""
        run = self.run_of("again", 2)
        run.ended = run.outcome = None
        return run

    def test_an_attempt_at_most_once_cut_off_by_a_kill_and_run_again(self):
        self.fault("kill", self.cut_off_and_run_again().began + 20 * MS, 100 * MS)
        self.found("duplicate", "ran twice")

    def test_an_attempt_at_most_once_run_again_near_a_trigger_of_another_job(self):
        begin = self.cut_off_and_run_again().began + 20 * MS
        self.fault("trigger", begin, 100 * MS, jobs=frozenset(["calm"]))
        self.found("duplicate", "ran twice")

    def test_an_attempt_whose_host_was_killed_may_be_retried(self):
        run = self.cut_off_and_run_again()
        self.fault("kill-host", run.began + 20 * MS, jobs=frozenset(["again"]), pids=frozenset([run.pid]))
        self.assertEqual(judge(self.case).violations, [])

    def test_a_host_that_was_killed_before_it_had_run_anything(self):
        first, second = self.record_of("calm", 2), self.record_of("calm", 3)
        reason = "evidence.so: the plugin crashed while it was loaded: SIGKILL"
        begin = self.run_of("calm", 2).began
        self.unrun("calm", 2, outcome="failed", reason=reason, started=first.started, ended=first.started + 20 * MS)
        self.found("outcome", "no evidence of a run")
        self.fault("kill-host", begin, 10 * MS, jobs=frozenset(), pids=frozenset([7]))
        self.assertEqual(judge(self.case).violations, [])
        # It had one run, and ends no later one.
        self.unrun("calm", 3, outcome="failed", reason=reason, started=second.started, ended=second.started + 20 * MS)
        self.found("outcome", "no evidence of a run")

    def test_late_in_quiet_times_with_the_cause_missed(self):
        run, record = self.run_of("calm"), self.record_of("calm")
        late = 850 * MS
        run.began, run.ended, run.actual = run.began + late, run.ended + late, run.actual + late
        self.change(record, cause="missed", started=record.started + late, ended=record.ended + late)
        self.found("outcome", "nothing kept it")

    def test_succeeded_and_recorded_as_failed_near_a_stall(self):
        run = self.run_of("calm")
        self.change(self.record_of("calm"), outcome="failed")
        self.fault("stall", run.began - 300 * MS, 300 * MS)
        self.found("outcome", "the dice succeeded")

    def test_an_end_that_was_read_late(self):
        record = self.record_of("calm", 2)
        self.change(record, ended=record.ended + 6 * SECOND)
        for index in range(3, 8):
            self.unrun("calm", index, outcome="overlapped")
        self.found("outcome", "its end is recorded +6001 ms")

    def test_overlapped_while_an_earlier_entry_waited_for_its_plugin_host(self):
        run, record = self.run_of("calm", 2), self.record_of("calm", 2)
        run.began, run.ended = run.began + 1200 * MS, run.ended + 1200 * MS
        self.change(record, started=record.started + 1200 * MS, ended=record.ended + 1200 * MS)
        self.unrun("calm", 3, outcome="overlapped")
        # That it was late is another matter.
        self.assertEqual([told for told in judge(self.case).violations if "under way" in told[1]], [])
        run.began, run.ended = run.began - 1200 * MS, run.ended - 1200 * MS
        self.change(self.record_of("calm", 2), started=record.started, ended=record.ended)
        self.found("outcome", "under way")

    def lose_log(self, run):
        """Has the daemon killed and its write-ahead log lost a while after a run."""
        when = run.ended + 300 * MS
        self.fault("kill", when, 100 * MS)
        self.fault("lose-log", when, 150 * MS)
        return when + 200 * MS

    def test_an_end_that_was_lost_and_whose_entry_runs_again(self):
        run, record = self.run_of("calm"), self.record_of("calm")
        again = self.lose_log(run)
        self.add(run, began=again, ended=again + 50 * MS, actual=again + HOUR, pid=7, number=2)
        self.found("duplicate", "ran twice")
        self.found("duplicate", "after it was settled")
        self.job_becomes("calm", delivery="at-least-once")
        self.assertFalse({"duplicate"} & {kind for kind, *_ in judge(self.case).violations})

    def test_an_end_that_was_lost_and_whose_entry_is_missed(self):
        self.lose_log(self.run_of("calm"))
        self.change(self.record_of("calm"), outcome="missed", started=None, attempts=0)
        self.found("outcome", "it ran")

    def test_a_run_beside_a_decision_against_it_that_was_not_lost(self):
        self.lose_log(self.run_of("calm"))
        self.change(self.record_of("calm"), outcome="overlapped", started=None, attempts=0)
        self.found("outcome", "it ran")

    def test_a_counted_entry_that_never_ran(self):
        self.add_job(Job("blink", Periodic(SECOND // 2), (5, 50)))
        self.assertEqual(judge(self.case).violations, [])
        self.case.attempts.remove(self.run_of("blink", 9))
        self.found("no run", "it never ran")

    def skip_to_late(self, *skipped, late=150 * MS):
        """Takes the runs of the job away, and has the one after them begin late."""
        self.add_job(Job("blink", Periodic(SECOND // 2), (5, 50)))
        run = self.run_of("blink", skipped[-1] + 1)
        for one in [self.run_of("blink", index) for index in skipped]:
            self.case.attempts.remove(one)
        run.actual, run.began, run.ended = run.actual + late, run.began + late, run.ended + late

    def test_a_counted_entry_that_fell_due_with_a_later_one(self):
        self.skip_to_late(9)
        self.assertEqual(judge(self.case).violations, [])

    def test_a_counted_entry_before_one_that_was_in_time(self):
        self.skip_to_late(9, late=50 * MS)
        self.found("no run", "it never ran")

    def test_a_counted_entry_too_long_before_a_late_one(self):
        self.skip_to_late(6, 7, 8, 9)
        self.found("no run", "it never ran")

    def test_a_counted_entry_whose_plugin_host_was_held_up(self):
        self.add_job(Job("blink", Periodic(SECOND // 2), (5, 50)))
        self.case.attempts.remove(self.run_of("blink", 9))
        run = self.run_of("blink", 8)
        # Its plugin was called only after the next entry had fallen due.
        run.began, run.ended = run.began + 600 * MS, run.ended + 600 * MS
        self.assertEqual(judge(self.case).violations, [])
        run.nominal, run.key = run.nominal + SECOND, "blink"
        self.found("no run", "it never ran")

    def test_a_counted_entry_that_ran_twice_over_a_kill(self):
        self.add_job(Job("blink", Periodic(SECOND // 2), (5, 50)))
        run = self.run_of("blink", 9)
        self.add(run, began=run.began + 200 * MS, ended=run.ended + 200 * MS, pid=7)
        run.ended = run.outcome = None
        self.fault("kill", run.began + 20 * MS, 100 * MS)
        self.found("duplicate", "ran twice")

    def add_loop(self, minimum=2 * SECOND):
        """An animation, whose runs follow each other at its minimum."""
        self.case.eras.append(Era(Job("pulse", Animation(minimum), (5, 30)), (BEGIN, BEGIN + 10 * MS)))
        for began in range(BEGIN + 100 * MS, self.case.end - SECOND, minimum):
            self.case.attempts.append(Attempt(
                "pulse", began + HOUR, f"pulse@{began}", 1, 600, 1, began + HOUR, began, began + 20 * MS, "succeeded"))
        self.case.attempts.sort(key=lambda attempt: attempt.began)

    def test_a_loop_that_begins_anew_with_each_daemon(self):
        self.add_loop()
        self.assertEqual(judge(self.case).violations, [])
        run = self.run_of("pulse", 4)
        self.fault("kill", run.began + 300 * MS, 100 * MS)
        self.add(run, nominal=run.nominal + 500 * MS, actual=run.actual + 500 * MS, began=run.began + 500 * MS,
                 ended=run.ended + 500 * MS)
        self.found("too soon", "500 ms after")

    def test_a_loop_whose_clock_is_set_back_before_its_host_writes_that_it_began(self):
        self.add_loop()
        run = self.run_of("pulse", 4)
        # The start was taken 20 ms before it was written, and the clock is set back by three seconds in between.
        run.nominal, run.actual = run.nominal - 20 * MS, run.actual - 20 * MS
        stepped = run.began - 10 * MS
        self.case.offsets.append((stepped, stepped, HOUR - 3 * SECOND))
        for other in self.case.attempts:
            if other.began > run.began:
                other.nominal, other.actual = other.nominal - 3 * SECOND, other.actual - 3 * SECOND
        words = lambda: [sentence for _, sentence, _ in judge(self.case).violations if sentence.startswith("pulse")]
        self.assertEqual(words(), [])
        # Long before that it would have been a start after it.
        self.case.offsets[-1] = (stepped - SECOND, stepped - SECOND, HOUR - 3 * SECOND)
        self.found("too soon", "after the one before it")

    def test_a_loop_that_waits_for_a_last_start_that_is_later_than_now(self):
        self.add_loop()
        # An hour back while no daemon is there: the next run comes one minimum later, not in an hour.
        kill = self.run_of("pulse", 4).began + 100 * MS
        self.case.offsets.append((kill, kill + 100 * MS, 0))
        self.fault("step-back-death", kill, 200 * MS)
        self.fault("kill", kill, 200 * MS)
        for run in self.case.attempts:
            if run.job == "pulse" and run.began > kill:
                run.nominal, run.actual = run.nominal - HOUR, run.actual - HOUR
        words = lambda: [sentence for _, sentence, _ in judge(self.case).violations if sentence.startswith("pulse")]
        self.assertEqual(words(), [])
        self.case.attempts = [run for run in self.case.attempts if run.job != "pulse" or run.began < kill]
        self.found("no run", "pulse: nothing ran for")

    def test_more_counted_successes_than_runs(self):
        self.add_job(Job("blink", Periodic(SECOND // 2), (5, 50)))
        self.case.counts["blink"] = 1000
        self.found("count")

    def test_cancelled_by_nobody(self):
        run = self.run_of("calm")
        run.outcome = "cancelled"
        self.change(self.record_of("calm"), outcome="cancelled")
        self.fault("cancel", run.began, jobs=frozenset(["waits"]))
        self.found("outcome", "nobody asked")

    def test_cancelled_by_a_timeout_that_nobody_remembers(self):
        self.job_becomes("calm", timeout=50 * MS)
        run = self.run_of("calm")
        run.outcome = "cancelled"
        self.change(self.record_of("calm"), outcome="cancelled")
        self.fault("kill-kept", run.ended + MS, 100 * MS)
        words = [violation[1] for violation in judge(self.case).violations]
        self.assertFalse(any("nobody asked" in sentence for sentence in words), words)
        self.job_becomes("calm", timeout=5 * SECOND)
        self.found("outcome", "nobody asked")

    def test_cancelled_for_an_entry_that_did_not_come(self):
        self.add_job(Job("newest", Periodic(5 * SECOND), (50, 50), overlap="cancel-other"), outcome="cancelled")
        self.found("outcome", "no later entry came while")

    def test_cancelled_for_an_entry_whose_record_was_lost(self):
        self.add_job(Job("newest", Periodic(5 * SECOND), (50, 50), overlap="cancel-other"), outcome="cancelled")
        run, record = self.run_of("newest", 1), self.record_of("newest", 1)
        run.ended = run.began + 5 * SECOND
        self.change(record, ended=record.nominal + 5 * SECOND)
        self.case.records = [each for each in self.case.records if each.job != "newest" or each.nominal <= record.nominal]
        words = lambda: [violation[1] for violation in judge(self.case).violations if f"{record.nominal}" in violation[1]]
        self.assertTrue(any("no later entry came while" in sentence for sentence in words()), words())
        self.fault("garble", run.ended + 100 * MS, 100 * MS)
        self.assertFalse(any("no later entry came while" in sentence for sentence in words()), words())

    def test_cancelled_for_an_entry_that_did_not_come_while_the_clock_was_set_back(self):
        # The later entry came 5 s after the run's end, and no clock that is set back makes that the reason.
        self.add_job(Job("newest", Periodic(5 * SECOND), (50, 50), overlap="cancel-other"), outcome="cancelled")
        self.set_back_during("newest", by=30 * MS)
        self.found("outcome", "no later entry came while")

    def test_cancelled_for_an_entry_that_came_before_the_clock_was_set_back(self):
        self.add_job(Job("newest", Periodic(5 * SECOND), (50, 50), overlap="cancel-other"), outcome="cancelled")
        run, record = self.run_of("newest", 1), self.record_of("newest", 1)
        # It lasted until the next entry stopped it, and then the clock was set back by 10 s.
        run.ended = run.began + 5 * SECOND
        self.change(record, ended=run.nominal - 5 * SECOND)
        self.set_back_during("newest", by=10 * SECOND, at=run.ended - MS)
        words = [violation for violation in judge(self.case).violations if f"{record.nominal}" in violation[1]]
        self.assertFalse(any("no later entry came while" in violation[1] for violation in words), words)

    def test_missed_because_of_a_clock_that_was_set_back(self):
        record = self.record_of("calm", 1)
        self.case.attempts.remove(self.run_of("calm", 1))
        self.change(record, outcome="missed", reason="the clock was set back before it could start", started=None,
                    attempts=0, ended=record.nominal - 10 * SECOND + 50 * MS)
        self.found("outcome", "the clock was not set back then")
        self.set_back_during(None, by=10 * SECOND, at=record.nominal - HOUR + 40 * MS)
        said = [sentence for _, sentence, _ in judge(self.case).violations if "the clock was not set back then" in sentence]
        self.assertEqual(said, [])

    def set_back_during(self, job, by, at=None):
        when = at or self.run_of(job, 1).began + 10 * MS
        self.case.offsets.append((when, when, HOUR - by))

    def test_at_least_once_run_again_after_it_had_succeeded(self):
        self.job_becomes("calm", delivery="at-least-once")
        run = self.run_of("calm")
        self.fault("kill", run.ended + 20 * MS, 100 * MS)
        self.add(run, began=run.ended + 300 * MS, ended=run.ended + 350 * MS, actual=run.actual + 350 * MS, pid=7)
        self.found("duplicate", "after it was settled")

    def test_at_least_once_run_again_long_after_it_had_ended(self):
        self.job_becomes("calm", delivery="at-least-once")
        run = self.run_of("calm")
        self.fault("kill", run.ended + 1500 * MS, 100 * MS)
        again = run.ended + 1700 * MS
        self.add(run, began=again, ended=again + 50 * MS, actual=run.actual + 1800 * MS, pid=7)
        self.change(self.record_of("calm"), ended=again + 51 * MS + HOUR)
        self.found("duplicate", "ran twice")

    def test_at_least_once_run_again_after_a_stop_that_did_not_wait(self):
        self.job_becomes("calm", delivery="at-least-once")
        run = self.run_of("calm")
        self.fault("restart", run.began + 20 * MS, 100 * MS)
        run.outcome = "cancelled"
        again = run.ended + 300 * MS
        self.add(run, began=again, ended=again + 50 * MS, actual=run.actual + 350 * MS, pid=7, number=2, outcome="succeeded")
        self.change(self.record_of("calm"), ended=again + 51 * MS + HOUR)
        self.assertEqual(judge(self.case).duplicates, 0)

    def test_an_entry_without_an_outcome_that_the_last_stop_did_not_keep(self):
        record = self.record_of("calm")
        self.case.records.remove(record)
        self.case.attempts = [run for run in self.case.attempts if (run.job, run.nominal) != ("calm", record.nominal)]
        self.found("no outcome", "it did not run")
        self.case.kept = {("calm", record.nominal): "schedule"}
        self.assertFalse([violation for violation in judge(self.case).violations if violation[0] == "no outcome"])

    def test_a_trigger_that_never_ran(self):
        self.case.triggers.append(Trigger("calm", BEGIN + 5200 * MS, BEGIN + 5210 * MS, True))
        self.found("trigger", "nothing came of it")

    def test_a_trigger_that_was_refused(self):
        self.case.triggers.append(Trigger("calm", BEGIN + 5200 * MS, BEGIN + 5210 * MS, False))
        self.assertEqual(judge(self.case).violations, [])

    def test_a_trigger_that_ran(self):
        begin = BEGIN + 5200 * MS
        self.case.triggers.append(Trigger("calm", begin, begin + 10 * MS, True))
        run, record = self.run_of("calm"), self.record_of("calm")
        nominal = begin + HOUR + 5 * MS
        self.add(run, nominal=nominal, actual=nominal, began=begin + 6 * MS, ended=begin + 56 * MS)
        self.case.records.append(dataclasses.replace(
            record, nominal=nominal, first=nominal, cause="trigger", started=nominal, ended=nominal + 52 * MS))
        self.assertEqual(judge(self.case).violations, [])

    def test_too_little_quiet_time(self):
        self.fault("freeze", BEGIN, 16 * SECOND)
        self.assertIn("calm", {violation[0] for violation in judge(self.case, calm_share=25).violations})


class Copies(unittest.TestCase):
    """Copies of one ledger, the older beside the newer."""

    settled = Record("j", 5, 5, 1, "succeeded", "schedule", 6, 7, 1, "")
    open = dataclasses.replace(settled, outcome=None, ended=None)

    def faults_of(self, *contents, **last):
        places = {str(number): content for number, content in enumerate(contents)}
        copies = [Copy(place) for place in places]
        copies[-1] = dataclasses.replace(copies[-1], **last)
        rows = lambda place: ({(row.job, row.nominal): row for row in places[place]}, {}, "ok")
        return merge_ledgers(copies, read=rows)[2]

    def test_entries_that_a_record_of_several_loses(self):
        several = Record("j", 90, 10, 9, "missed", "schedule", None, 95, 0, "skipped")
        part = dataclasses.replace(several, first=50, count=5)
        # At 95 the clock goes back by 80; times and what it shows are alike before that.
        back = [(0, 0, 0), (95, 96, -80)]
        faults = lambda *contents, offsets: merge_ledgers(
            [Copy(str(number)) for number in range(len(contents))], offsets=offsets,
            read=lambda place: ({(row.job, row.nominal): row for row in contents[int(place)]}, {}, "ok"))[2]
        for after in ([part], []):
            self.assertEqual(faults([several], after, offsets=back), [])
            self.assertEqual(len(faults([several], after, offsets=[(0, 0, 0)])), 1)
            # It lies before what the clock shows then, or was written later.
            self.assertEqual(len(faults([several], after, offsets=[(0, 0, 0), (95, 96, -5)])), 1)
            self.assertEqual(len(faults([several], after, offsets=[(0, 0, 0), (80, 81, -80)])), 1)
        other = dataclasses.replace(part, outcome="overlapped")
        self.assertEqual(len(faults([several], [other], offsets=back)), 1)
        self.assertEqual(len(faults([self.settled], [], offsets=back)), 1)

    def test_a_write_ahead_log_that_was_lost(self):
        after = lambda *rows: self.faults_of([self.settled], list(rows), cut=True)
        unknown = dataclasses.replace(self.settled, outcome="unknown", ended=9)
        for row in (self.open, unknown, dataclasses.replace(self.settled, ended=9, attempts=2)):
            self.assertEqual(after(row), [])
        self.assertIn("changed", after(dataclasses.replace(self.settled, outcome="missed", started=None, attempts=0))[0])
        self.assertIn("vanished", after()[0])
        missed = dataclasses.replace(self.open, outcome="missed", ended=9)
        self.assertIn("became missed", self.faults_of([self.open], [missed], cut=True)[0])

    def test_decisions_that_were_lost_with_a_write_ahead_log(self):
        dropped = dataclasses.replace(self.settled, outcome="overlapped", started=None, attempts=0)
        several = dataclasses.replace(dropped, nominal=8, first=4, count=3, outcome="missed", ended=9)
        merged = lambda *contents: merge_ledgers(
            [Copy("0"), Copy("1", cut=True)],
            read=lambda place: ({(row.job, row.nominal): row for row in contents[int(place)]}, {}, "ok"))
        self.assertEqual(merged([dropped], [several]), ([several], {}, []))
        self.assertEqual(merged([dropped], []), ([dropped], {}, []))
        # The older row of a run holds, as the later one knows of its start alone.
        unknown = dataclasses.replace(self.settled, outcome="unknown", ended=9)
        self.assertEqual(merged([self.settled], [unknown]), ([self.settled], {}, []))

    def test_an_entry_that_runs_after_the_decision_against_it_was_lost(self):
        dropped = dataclasses.replace(self.settled, outcome="overlapped", started=None, attempts=0)
        unknown = dataclasses.replace(self.settled, outcome="unknown", cause="missed", ended=9)
        claimed = dataclasses.replace(self.open, started=None)

        def merged(*contents, cut=True):
            rest = [Copy(str(number)) for number in range(2, len(contents))]
            return merge_ledgers(
                [Copy("0"), Copy("1", cut=cut), *rest],
                read=lambda place: ({(row.job, row.nominal): row for row in contents[int(place)]}, {}, "ok"))

        for rows in ([[self.open]], [[unknown]], [[self.open], [unknown]], [[], [self.open]], [[], [unknown]], [[claimed], [unknown]]):
            self.assertEqual(merged([dropped], *rows), (rows[-1], {}, []), rows)
        # The lost decision is the last one if no other follows, and a second decision holds like any other.
        self.assertEqual(merged([dropped], [claimed]), ([dropped], {}, []))
        self.assertEqual(merged([dropped], [dropped], [unknown])[2][0].count("its settled row changed"), 1)
        self.assertEqual(merged([dropped], [unknown], [dropped])[2][0].count("its settled row changed"), 1)
        # A ledger that lost nothing has no reason to decide anew.
        for row in (self.open, unknown):
            self.assertIn("its settled row changed", merged([dropped], [row], cut=False)[2][0])

    def test_records_of_a_ledger_that_was_lost(self):
        several = Record("j", 90, 10, 9, "missed", "schedule", None, 95, 0, "skipped")
        again = dataclasses.replace(self.settled, nominal=90, first=90)
        contents = [[several, self.settled], [again]]
        merged = lambda offsets: merge_ledgers(
            [Copy("0"), Copy("1", anew=True)], offsets=offsets,
            read=lambda place: ({(row.job, row.nominal): row for row in contents[int(place)]}, {}, "ok"))
        # Only entries that a clock shows again, which was set back, may be decided again.
        self.assertEqual(
            merged([(0, 0, 0), (95, 96, -80)]), ([dataclasses.replace(several, is_lost=True), self.settled, again], {}, []))
        self.assertFalse(any(record.is_lost for record in merged([(0, 0, 0)])[0]))

    def test_an_end_that_a_new_ledger_does_not_know(self):
        # Settled in the ledger that was lost; the new one knows from elsewhere that it was started.
        forgotten = dataclasses.replace(self.settled, outcome="unknown", ended=8)
        run_again = dataclasses.replace(self.settled, outcome="failed", ended=9)
        for rows, holds in [([forgotten], self.settled), ([self.open], self.settled), ([run_again], run_again)]:
            contents = [[self.settled], rows, rows]
            merged = merge_ledgers(
                [Copy("0"), Copy("1", anew=True), Copy("2")],
                read=lambda place: ({(row.job, row.nominal): row for row in contents[int(place)]}, {}, "ok"))
            self.assertEqual(merged, ([holds], {}, []))

    def test_rows_that_vanish(self):
        self.assertEqual(len(self.faults_of([self.settled], [])), 1)
        self.assertEqual(len(self.faults_of([self.open], [])), 1)
        self.assertEqual(self.faults_of([dataclasses.replace(self.open, started=None)], []), [])

    def test_rows_that_change(self):
        self.assertEqual(len(self.faults_of([self.settled], [dataclasses.replace(self.settled, outcome="failed")])), 1)
        self.assertEqual(len(self.faults_of([self.settled], [dataclasses.replace(self.settled, ended=8)])), 1)
        self.assertEqual(len(self.faults_of([self.settled], [self.open])), 1)
        self.assertEqual(len(self.faults_of([self.open], [dataclasses.replace(self.settled, outcome="missed")])), 1)
        self.assertEqual(self.faults_of([self.open], [self.settled]), [])

    def test_a_ledger_begun_anew_and_one_that_dropped_the_old(self):
        self.assertEqual(self.faults_of([self.settled], [], anew=True), [])
        self.assertEqual(self.faults_of([self.settled], [], aged=True), [])


class Steps(unittest.TestCase):
    def test_what_a_step_jumps_over_is_due_at_the_step(self):
        case = spotless()
        step = BEGIN + 10 * SECOND
        case.offsets.append((step, step + 20 * MS, 2 * HOUR))
        self.assertEqual(case.due(BEGIN + HOUR + 5 * SECOND, BEGIN, case.end), BEGIN + 5 * SECOND)
        self.assertEqual(case.due(BEGIN + HOUR + 1800 * SECOND, BEGIN, case.end), step + 20 * MS)
        self.assertEqual(case.due(BEGIN + 2 * HOUR + 15 * SECOND, BEGIN, case.end), BEGIN + 15 * SECOND)
        self.assertIsNone(case.due(BEGIN + 3 * HOUR, BEGIN, case.end))
        # A clock that is set back shows what it never showed, from when the file that says so was begun.
        case.offsets[-1] = (step, step + 20 * MS, 0)
        self.assertEqual(case.due(BEGIN + 15 * SECOND, BEGIN, case.end), BEGIN + 15 * SECOND)
        self.assertEqual(case.due(step + MS, BEGIN, case.end), step + 20 * MS)
        self.assertIsNone(case.due(step - MS, BEGIN, case.end))
        case.offsets[-1] = (step, step + 20 * MS, 2 * HOUR)
        self.assertEqual(case.shown(step + MS), (step + MS + HOUR, step + MS + 2 * HOUR))

    def test_jumped_entries_need_outcomes(self):
        case = spotless()
        step = BEGIN + 19 * SECOND
        case.offsets.append((step, step + 20 * MS, 2 * HOUR))
        gaps = [sentence for kind, sentence, _ in judge(case).violations if kind == "no outcome"]
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

    def test_the_shares_of_a_seed_have_each_kind_once(self):
        for seed in range(20):
            shares = [[kind for kind, *_ in plan(seed, 120, share=(part, 3))] for part in (1, 2, 3)]
            self.assertEqual(sorted(sum(shares, [])), sorted(WEIGHTS))
            self.assertLessEqual(max(map(len, shares)) - min(map(len, shares)), 1)

    def test_each_share_has_quiet_times(self):
        for seed in range(20):
            for part in (1, 2, 3):
                pauses = [pause for _, pause, *_ in plan(seed, 120, share=(part, 3))]
                self.assertGreaterEqual(sum(pause >= QUIET[0] for pause in pauses), 1)

    def test_new_rules_of_a_zone_are_told_by_a_daemon_that_has_a_job_in_it(self):
        for names, found in ((["steady", "cron-night"], {"cron-night"}), (["steady", "cron-utc"], set())):
            with self.subTest(jobs=names):
                world, fault = unittest.mock.Mock(), Fault("zones", BEGIN, BEGIN)
                Tormentor(world, [job for job in mix(BEGIN) if job.name in names], BEGIN)._zones(fault)
                world.set_rules.assert_called_once_with("Europe/Helsinki", is_used=bool(found))
                self.assertEqual(fault.jobs, found)

    def test_evidence_is_read(self):
        with tempfile.NamedTemporaryFile("w", delete=False) as file:
            file.write("start\tj\t5\tk\t1\t9\t1\t6\t7\nend\tj\t5\tk\t1\t9\tsucceeded\t6\t8\nend\tj\t5\tk\t1\t9\tsucceeded\t6\t8\n")
        attempts, senseless = read_evidence(file.name)
        os.unlink(file.name)
        self.assertEqual(attempts, [Attempt("j", 5, "k", 1, 9, 1, 6, 7, 8, "succeeded")])
        self.assertEqual(len(senseless), 1)


if __name__ == "__main__":
    unittest.main()
