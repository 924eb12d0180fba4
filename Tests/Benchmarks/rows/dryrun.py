"""A week of a thousand jobs through the whole engine, policies applied, as a process."""
import subprocess
import tempfile
import time
from pathlib import Path

import daemons


def measure(bench):
    with tempfile.TemporaryDirectory(dir=bench.work) as folder:
        path = Path(f"{folder}/t.toml")
        path.write_text(daemons.configuration(1_000))
        words = [bench.stage / "timelinectl", "dry-run", "-c", path, "--for", "7d", "--from", "2026-01-01T00:00:00Z"]

        def once(_, more):
            begin = time.perf_counter_ns()
            done = subprocess.run([*words, *more], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, check=True)
            elapsed = time.perf_counter_ns() - begin
            return elapsed / int(done.stderr.strip().splitlines()[-1].split()[1].replace(",", ""))

        rounds = bench.interleave({"table": [], "--json": ["--json"]}, once)
    return bench.report("dry run: a week of 1,000 jobs, whole process", "ns an entry", rounds, [
        bench.goal("table", 150), bench.goal("--json", 400)])
