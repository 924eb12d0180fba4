#!/usr/bin/env python3
"""test_frame.py: what the benchmark says of figures that are given, and of contestants that do not do the same work."""
import contextlib
import io
import json
import sys
import tempfile
import unittest
import unittest.mock
from pathlib import Path

sys.dont_write_bytecode = True  # the sources stay as they are
import chart
import instructions
from frame import Bench, Goal, Missing, UnequalWork


class Judging(unittest.TestCase):
    rounds = {"ours": [10, 20, 30], "peer": [100, 100, 100], "busy": [20, 400, 60]}

    def judge(self, *words, **more):
        return Goal(*words, **more).judge(self.rounds, "ns")

    def test_the_ratio_is_the_median_of_the_rounds(self):
        self.assertEqual(self.judge("ours", 0.5, "busy")["measured"], 0.5)
        self.assertEqual(self.judge("ours", 0.2, "peer")["measured"], 0.2)

    def test_a_goal_is_met_at_its_limit_and_not_beyond(self):
        self.assertTrue(self.judge("ours", 0.2, "peer")["met"])
        self.assertFalse(self.judge("ours", 0.19, "peer")["met"])
        self.assertTrue(self.judge("ours", 20)["met"])
        self.assertFalse(self.judge("ours", 19.9)["met"])

    def test_a_rate_is_to_be_reached(self):
        self.assertTrue(self.judge("peer", 5, "ours", least=True)["met"])
        self.assertFalse(self.judge("peer", 5.1, "ours", least=True)["met"])

    def test_a_goal_whose_peer_is_not_here_is_open(self):
        self.assertIsNone(self.judge("ours", 0.1, "nobody"))


class Measuring(unittest.TestCase):
    def setUp(self):
        self.directory = tempfile.TemporaryDirectory()
        self.addCleanup(self.directory.cleanup)
        self.bench = Bench(Path(self.directory.name), 3)

    def test_each_round_begins_with_another(self):
        order = []
        self.bench.interleave({"a": 1, "b": 2}, lambda name, value: order.append(name) or value)
        self.assertEqual(order, ["a", "b", "b", "a", "a", "b"])

    def test_nobody_is_faster_by_finding_less(self):
        def found(count, total):
            return lambda: {"count": count, "sum": total, "nanoseconds": 10**9}

        values, count, total = self.bench.enumerate({"a": found(10, 5), "b": found(10, 5)})
        self.assertEqual((values["a"], count, total), ([10**8] * 3, 10, 5))
        for other in (found(9, 5), found(10, 4)):
            with self.assertRaises(UnequalWork):
                self.bench.enumerate({"a": found(10, 5), "b": other})

    def test_a_report_tells_goals_first_and_keeps_every_round(self):
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            kept = self.bench.report("title", "ns", {"ours": [1, 2, 3], "peer": [2, 4, 6]}, [self.bench.goal("ours", 0.5, "peer")], count=7)
        self.assertEqual(json.loads(json.dumps(kept))["rounds"]["peer"], [2, 4, 6])
        lines = printed.getvalue().splitlines()
        self.assertEqual(lines[1], "title; count 7")
        self.assertIn("met", lines[2])
        self.assertIn("1.00 x  ours", lines[3])

    def test_a_failure_tells_its_last_words(self):
        with self.assertRaisesRegex(RuntimeError, "ended with 3: nothing goes"):
            self.bench.run(["sh", "-c", "echo nothing goes >&2; exit 3"])

    def test_a_verb_that_this_build_has_not_is_missing(self):
        self.bench.program = "true"
        with self.assertRaises(Missing):
            self.bench.need_verb("merge")


class Guarding(unittest.TestCase):
    def judge(self, cost):
        printed = io.StringIO()
        with unittest.mock.patch("paths.cost", lambda bench, name: cost), contextlib.redirect_stdout(printed):
            return instructions.judge(None, {"merge of 1,000 rules": 100}), printed.getvalue()

    def test_a_path_that_became_slower_is_refused_with_a_sentence(self):
        status, told = self.judge(120.0)
        self.assertEqual(status, 1)
        self.assertIn("merge of 1,000 rules takes 120.0 instructions for one entry, which is 20% above the 100 allowed", told)
        self.assertIn("make bench-thresholds", told)

    def test_at_the_limit_nothing_is_said(self):
        status, told = self.judge(100)
        self.assertEqual((status, "TOO MANY" in told, "much faster" in told), (0, False, False))

    def test_a_path_that_became_much_faster_asks_for_a_new_threshold(self):
        status, told = self.judge(50)
        self.assertEqual((status, "much faster than allowed" in told), (0, True))


class Drawing(unittest.TestCase):
    def test_axes_hold_all_values_between_round_ones(self):
        axis = chart.Axis([3, 470], 0, 100)
        self.assertEqual((axis.low, axis.high), (2, 500))
        self.assertTrue(all(0 <= axis.place(value) <= 100 for value in (3, 470)))

    def test_numbers_are_short(self):
        self.assertEqual([chart.short(value) for value in (0.05, 12, 1300, 2e6)], ["0.05", "12", "1.3k", "2M"])


if __name__ == "__main__":
    unittest.main()
