#!/usr/bin/env python3
"""test_frame.py: what the benchmark says of figures that are given, of contestants that do not do the same work, and of another commit."""
import contextlib
import io
import json
import os
import subprocess
import sys
import tempfile
import unittest
import unittest.mock
from pathlib import Path

sys.dont_write_bytecode = True  # the sources stay as they are
import base
import bench as program
import chart
import equipment
import instructions
from frame import Bench, Build, Goal, Missing, UnequalWork


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
        self.bench.ours.program = "true"
        with self.assertRaises(Missing):
            self.bench.need_verb("merge")


class Shortening(unittest.TestCase):
    def setUp(self):
        self.directory = tempfile.TemporaryDirectory()
        self.addCleanup(self.directory.cleanup)
        self.whole, self.short = Bench(Path(self.directory.name), 5), Bench(Path(self.directory.name), 1, short=True)

    def test_the_short_form_measures_a_thousand_alone(self):
        self.assertEqual((self.whole.sizes(1, 1_000, 100_000), self.short.sizes(1, 1_000, 100_000)), ((1, 1_000, 100_000), (1_000,)))

    def test_the_short_form_has_lengths_of_its_own(self):
        self.assertEqual((self.whole.choose(60, 10), self.short.choose(60, 10)), (60, 10))

    def test_the_short_form_does_without_peers_that_no_goal_names(self):
        wanted, more = {"robfig": lambda: ["robfig"]}, {"Quartz": lambda: ["java"]}
        self.assertEqual((list(equipment.peers(self.whole, wanted, more)), list(equipment.peers(self.short, wanted, more))),
                         (["robfig", "Quartz"], ["robfig"]))

    def test_a_tail_is_neither_reported_nor_judged_in_the_short_form(self):
        for bench in (self.whole, self.short):
            printed = io.StringIO()
            with contextlib.redirect_stdout(printed):
                bench.report("late, p99", "us", {"ours": [9]}, [bench.goal("ours", 2)], tail=True)
            self.assertEqual(printed.getvalue() == "", bench.short)
        self.assertEqual((len(self.whole.judged), self.whole.open), (1, []))
        self.assertEqual((self.short.judged, self.short.open), ([], ["ours: too few values in the short form   [late, p99]"]))


class Comparing(unittest.TestCase):
    """A base beside ours."""

    def setUp(self):
        self.directory = tempfile.TemporaryDirectory()
        self.addCleanup(self.directory.cleanup)
        root = Path(self.directory.name)
        self.bench = Bench(root, 2, base=Build("base 12345678", root / "base"))

    def silently(self, measure):
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            return measure(), printed.getvalue()

    def test_each_build_is_a_contestant(self):
        self.assertEqual(self.bench.own(lambda build: build.name, "walking"),
                         {"ours, walking": "ours", "base 12345678, walking": "base 12345678"})
        alone = Bench(Path(self.directory.name), 2)
        self.assertEqual(alone.own(lambda build: build.name), {"ours": "ours"})

    def test_the_base_has_its_own_programs(self):
        words = self.bench.own(lambda build: str(build.timelinectl("list")[0]))
        self.assertEqual(words, {"ours": f"{self.directory.name}/.build/stage/timelinectl",
                                 "base 12345678": f"{self.directory.name}/base/.build/stage/timelinectl"})

    def test_a_base_that_lacks_a_verb_is_left_out_with_a_reason(self):
        def make(build):
            if build is not self.bench.ours:
                raise Missing("timeline-bench has no verb merge yet")
            return build.name

        found, printed = self.silently(lambda: self.bench.own(make))
        self.assertEqual(found, {"ours": "ours"})
        self.assertIn("left out: base 12345678: timeline-bench has no verb merge yet", printed)

    def test_a_base_that_lacks_an_option_is_left_out_and_the_others_go_on(self):
        contestants = {"ours": ["true"], "base 12345678": ["sh", "-c", "echo unknown option --json >&2; exit 64"], "peer": ["true"]}
        rounds, printed = self.silently(lambda: self.bench.interleave(contestants, lambda _, words: self.bench.run(words)))
        self.assertEqual(rounds, {"ours": ["", ""], "peer": ["", ""]})
        self.assertEqual(printed.count("left out: base 12345678: sh ended with 64: unknown option --json"), 1)

    def test_a_peer_that_is_missing_is_left_out(self):
        def once(name, _):
            if name == "peer":
                raise Missing("cron runs as root only")
            return 1

        rounds, _ = self.silently(lambda: self.bench.interleave({"ours": 0, "peer": 0}, once))
        self.assertEqual(rounds, {"ours": [1, 1]})

    def test_ours_is_not_excused(self):
        for error in (Missing("no verb"), RuntimeError("ended with 1")):
            def fail(*_):
                raise error

            with self.assertRaises(type(error)):
                self.bench.interleave({"ours": 0, "peer": 0}, fail)
            with self.assertRaises(type(error)):
                self.bench.own(fail)

    def test_a_peer_that_fails_and_a_base_that_does_other_work_are_errors(self):
        for name, error in (("peer", RuntimeError("ended with 1")), ("base 12345678", UnequalWork("99 of 100"))):
            def fail(*_):
                raise error

            with self.assertRaises(type(error)):
                self.bench.interleave({name: 0}, fail)

    def test_ours_is_compared_to_the_base_in_the_same_round(self):
        kept, _ = self.silently(lambda: self.bench.report("title", "ns", {
            "ours": [10, 20, 30], "ours, walking": [1, 1, 1], "base 12345678": [20, 20, 20], "base 12345678, walking": [1, 1, 1], "peer": [5, 5, 5]}))
        self.assertEqual(kept["to base"], {"ours": 1, "ours, walking": 1})
        self.assertEqual([one["ratio"] for one in self.bench.compared], [1, 1])

    def test_goals_are_ours_alone(self):
        self.silently(lambda: self.bench.report("title", "ns", {"ours": [10], "base 12345678": [99], "peer": [10]}, [self.bench.goal("ours", 1, "peer")]))
        self.assertEqual([(verdict["who"], verdict["met"]) for verdict in self.bench.judged], [("ours", True)])

    def test_no_row_names_the_programs_of_one_build(self):
        for name, path in program.rows().items():
            for word in ("bench.stage", "bench.program", "bench.ours.stage", "bench.ours.program"):
                self.assertNotIn(word, path.read_text(), name)


class Concluding(unittest.TestCase):
    """Whole runs, of rows that are made for the purpose."""

    def setUp(self):
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.root = Path(directory.name)
        self.files = {}
        for replaced, by in (("ROOT", self.root), ("rows", lambda: self.files), ("SHORT", ["fast"])):
            patch = unittest.mock.patch.object(program, replaced, by)
            patch.start()
            self.addCleanup(patch.stop)

    def row(self, name, body):
        self.files[name] = self.root / f"{name}.py"
        self.files[name].write_text("def measure(bench):\n" + "".join(f"    {line}\n" for line in body))

    def judged(self, name, value):
        self.row(name, [f'return bench.report("title of {name}", "ns", bench.interleave(bench.builds, lambda *_: {value}), [bench.goal("ours", 10)])'])

    def run_program(self, *words):
        """The exit status, as a number or a sentence, and what was printed."""
        printed, status = io.StringIO(), 0
        with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(printed):
            try:
                program.main(list(words))
            except SystemExit as end:
                status = end.code
        return status, printed.getvalue()

    def rounds(self, file, name="fast"):
        return json.loads((self.root / ".build" / file).read_text())[name]["rounds"]

    def test_goals_that_are_not_met_are_listed_and_are_no_error(self):
        self.judged("fast", 10)
        self.judged("slow", 11)
        status, printed = self.run_program()
        self.assertEqual(status, 0)
        end = printed[printed.index("== goals"):].splitlines()
        self.assertEqual(end, ["== goals: 1 of 2 met", "  NOT MET  ours: 11.0 ns (goal: at most 10.0 ns)   [title of slow]"])

    def test_a_goal_that_could_not_be_judged_is_listed(self):
        self.row("fast", ['return bench.report("title", "ns", {"ours": [1]}, [bench.goal("ours", 1, "robfig")])'])
        _, printed = self.run_program()
        self.assertIn("== goals: 0 of 0 met, 1 not judged\n  open     ours: not measured beside robfig   [title]", printed)

    def test_a_row_that_cannot_be_measured_is_an_error_and_the_others_are_measured(self):
        self.row("broken", ["raise RuntimeError('it is broken')"])
        self.row("unequal", ["raise bench.UnequalWork('one found less')"])
        self.judged("fast", 10)
        status, printed = self.run_program()
        self.assertEqual(status, "could not be measured: broken, unequal")
        self.assertIn("goals: 1 of 1 met", printed)

    def test_a_row_that_is_left_out_is_no_error(self):
        self.row("fast", ["raise bench.Missing('needs root')"])
        status, printed = self.run_program()
        self.assertEqual((status, "left out: needs root" in printed), (0, True))

    def test_the_short_form_has_one_round_of_its_rows_and_a_file_of_its_own(self):
        self.judged("fast", 10)
        self.judged("slow", 11)
        self.run_program()
        status, printed = self.run_program("--short")
        self.assertEqual((status, "== slow" in printed), (0, False))
        self.assertEqual((len(self.rounds("bench.json")["ours"]), self.rounds("bench-short.json")["ours"]), (5, [10]))

    def test_rows_that_were_not_asked_for_are_kept(self):
        self.judged("fast", 10)
        self.judged("slow", 11)
        self.run_program()
        self.run_program("slow")
        self.assertEqual(self.rounds("bench.json"), {"ours": [10] * 5})

    def test_the_rows_of_the_short_form_exist(self):
        self.doCleanups()
        self.assertEqual([name for name in program.SHORT if name not in program.rows()], [])

    def test_ratios_to_the_base_are_a_table_at_the_end(self):
        self.row("fast", ['return bench.report("title", "runs a second", {"ours": [4], "base 12345678": [2]})'])
        with unittest.mock.patch.object(base, "build", lambda root, commit: Build(f"base {commit}", root / "base")):
            status, printed = self.run_program("--base", "12345678")
        self.assertEqual(status, 0)
        self.assertIn("== ours / base 12345678", printed)
        self.assertIn("2.00 x +  title   [ours]", printed)

    def test_an_unknown_row_is_refused(self):
        status, _ = self.run_program("nonsense")
        self.assertIn("there is no row nonsense", status)


class Building(unittest.TestCase):
    """The build of another commit, by a Makefile that is made for the purpose."""

    MAKEFILE = """build:
\tmkdir -p .build/stage .build/release && touch .build/stage/complete && echo build >> ../../builds
bench-program:
\techo '{"count": 1}' > .build/release/timeline-bench
"""

    def setUp(self):
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.root = Path(directory.name)
        self.git("init", "--quiet")
        self.commit(self.MAKEFILE)

    def git(self, *words):
        identity = ["-c", "user.name=x", "-c", "user.email=x@localhost"]
        return subprocess.run(["git", "-C", self.root, *identity, *words], check=True, capture_output=True, text=True).stdout.strip()

    def commit(self, makefile):
        (self.root / "Makefile").write_text(makefile)
        self.git("add", "Makefile")
        self.git("commit", "--quiet", "-m", "x")

    def build(self, commit):
        with contextlib.redirect_stdout(io.StringIO()), unittest.mock.patch.object(base, "OUTPUT", subprocess.DEVNULL):
            return base.build(self.root, commit)

    def builds(self):
        return (self.root / ".build/builds").read_text().count("build")

    def test_a_commit_is_built_once_and_kept_by_its_hash(self):
        whole = self.git("rev-parse", "HEAD")
        made = self.build("HEAD")
        self.assertEqual((made.name, made.root), (f"base {whole[:8]}", self.root / ".build/base" / whole))
        self.assertTrue(made.program.exists())
        self.build(whole[:10])
        self.assertEqual(self.builds(), 1)

    def test_another_commit_is_another_build(self):
        self.build("HEAD")
        self.commit(self.MAKEFILE + "# changed\n")
        self.build("HEAD")
        self.build("HEAD~1")
        self.assertEqual(self.builds(), 2)

    def test_a_worktree_that_was_removed_by_hand_is_made_again(self):
        made = self.build("HEAD")
        subprocess.run(["rm", "-r", made.root], check=True)
        self.build("HEAD")
        self.assertEqual(self.builds(), 2)

    def test_an_unknown_commit_is_refused(self):
        for name in ("nonsense", "--help"):
            with self.assertRaisesRegex(SystemExit, f"BASE={name}: no such commit in this clone"):
                self.build(name)

    def test_a_commit_that_does_not_build_is_refused(self):
        self.commit("build:\n\tfalse\n")
        with self.assertRaisesRegex(SystemExit, "base [0-9a-f]{8}: the build failed"):
            self.build("HEAD")


class Equipping(unittest.TestCase):
    def test_a_peer_is_built_once_and_again_when_its_source_is_newer(self):
        with tempfile.TemporaryDirectory() as directory, contextlib.redirect_stdout(io.StringIO()):
            bench, source = Bench(Path(directory), 1), Path(directory) / "peer.c"
            source.write_text("1")
            words = ["sh", "-c", f"cat {source} >> {bench.work}/peer"]
            for _ in range(2):
                path = equipment.compiled(bench, words, "peer", source)
            self.assertEqual(path.read_text(), "1")
            later = path.stat().st_mtime + 1
            os.utime(source, (later, later))
            self.assertEqual(equipment.compiled(bench, words, "peer", source).read_text(), "11")


class Guarding(unittest.TestCase):
    def judge(self, cost, memory=0):
        printed = io.StringIO()
        counts = {"cost": lambda bench, name: cost, "memory": lambda bench, name: memory}
        with unittest.mock.patch.multiple("paths", **counts), contextlib.redirect_stdout(printed):
            return instructions.judge(None, {"merge of 1,000 rules": 100}), printed.getvalue()

    def test_a_path_that_became_slower_is_refused_with_a_sentence(self):
        status, told = self.judge(120.0)
        self.assertEqual(status, 1)
        self.assertIn("merge of 1,000 rules takes 120.0 instructions for one entry, which is 20% above the 100 allowed", told)
        self.assertIn("make bench-thresholds", told)

    def test_at_the_limit_nothing_is_said(self):
        status, told = self.judge(100)
        self.assertEqual((status, "TOO MANY" in told, "much faster" in told), (0, False, False))

    def test_an_answer_that_takes_memory_is_refused(self):
        status, told = self.judge(100, memory=12)
        self.assertEqual(status, 1)
        self.assertIn("MEMORY IS TAKEN: the answers of civil, weekdays take memory 12 times", told)

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
