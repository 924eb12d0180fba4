"""Drives `make run` of the checkout named on the command line on a terminal of its own, and prints what held."""

import os
import pty
import re
import select
import subprocess
import sys
import time

sys.path.append(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from patience import patience  # noqa: E402 - it lies above

BUILD_LIMIT_SECONDS = patience(1800)
FIRST_RUNS_WITHIN_SECONDS = patience(5)
LIMIT_SECONDS = patience(60)

checkout = sys.argv[1]
failures = 0
screen = b""


def check(sentence, holds, found=""):
    global failures
    print(f"ok - {sentence}" if holds else f"NOT OK - {sentence}\n    {found}", flush=True)
    failures += 0 if holds else 1


def read_until(pattern, seconds):
    """Reads the terminal until the pattern is on it; false when the time is up or the program has gone."""
    global screen
    end = time.monotonic() + seconds
    while not (pattern and re.search(pattern, screen)):
        left = end - time.monotonic()
        if left <= 0 or not select.select([terminal], [], [], left)[0]:
            return False
        try:
            screen += os.read(terminal, 65536)
        except OSError:  # the other side has closed
            return False
    return True


def tail():
    return screen.decode(errors="replace")[-3000:]


process, terminal = pty.fork()
if process == 0:
    os.chdir(checkout)
    os.execvp("make", ["make", "--no-print-directory", "run"])

check("it is built and started", read_until(rb"Ctrl-C drains", BUILD_LIMIT_SECONDS), tail())
started = len(screen)
jobs = re.findall(r"(?m)^\s*\[job\.([^\].]+)\]", open(f"{checkout}/etc/timelined.toml").read())
end = time.monotonic() + FIRST_RUNS_WITHIN_SECONDS
read_until(rb"succeeded(.|\n)*succeeded", FIRST_RUNS_WITHIN_SECONDS)
shown = screen[started:].decode(errors="replace")
runs = [line for line in shown.splitlines() if "succeeded" in line and any(job in line for job in jobs)]
check(f"runs are seen within {FIRST_RUNS_WITHIN_SECONDS:g} seconds", bool(runs), tail())
if runs:
    print(f"   {runs[0].strip()}")
    check("a run shows its lateness and duration", len(re.findall(r"\d+(\.\d+)?\s?(ns|us|\N{MICRO SIGN}s|ms|s)\b", runs[0])) >= 2, runs[0])

control = [f"{checkout}/.build/stage/timelinectl", "--socket", f"{checkout}/.state/control.sock"]
answer = subprocess.run(control + ["status"], capture_output=True, text=True, timeout=LIMIT_SECONDS)
check("timelinectl answers beside it", answer.returncode == 0, answer.stdout + answer.stderr)

os.write(terminal, b"\x03")
read_until(None, LIMIT_SECONDS)
status = os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])
check("Ctrl-C ends it with 0", status == 0, f"status {status}\n{tail()}")
check("its control socket is gone", not os.path.exists(f"{checkout}/.state/control.sock"))
sys.exit(1 if failures else 0)
