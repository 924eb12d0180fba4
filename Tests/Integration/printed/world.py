"""A machine on which printed commands make sense: a real systemd, timelined as `make install` leaves it, and jobs in each state."""

import json
import os
import pty
import select
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

sys.path += [str(Path(__file__).resolve().parents[2]), str(Path(__file__).resolve().parents[2] / "Store")]
from patience import patience  # noqa: E402 - it lies above
from server import Server, until  # noqa: E402

LIMIT_SECONDS = patience(60)
HOME = Path("/run/printed")
LEDGER = Path("/var/lib/timelined/ledger.sqlite")
DAY = 86_400 * 10**9
REHEARSAL = f"{HOME}/rehearsal.sock"

JOBS = """
[job.failing]
plugin   = "exec"
schedule = { periodic = { by = "1h" } }
with     = { command = ["/bin/false"] }

[job.paused]
plugin   = "exec"
schedule = { periodic = { by = "1h" } }
with     = { command = ["/bin/true"] }

[job.ahead]
plugin   = "exec"
schedule = { periodic = { by = "1h" } }
with     = { command = ["/bin/true"] }

[job.lasting]
plugin   = "exec"
schedule = "on-demand"
with     = { command = ["/bin/sleep", "600"] }

[job.backup]
plugin   = "exec"
schedule = { cron = "30 2 * * *" }
with     = { command = ["/bin/true"] }

# Of the demonstration, and of the sample configuration.
[job.slow]
plugin   = "exec"
schedule = { periodic = { by = "1h" } }
with     = { command = ["/bin/sleep", "6"] }

[job.tell]
plugin   = "log"
schedule = "on-demand"
with     = { message = "told" }
"""
DAEMON = '[daemon]\ndrain-timeout = "1s"\ntime-zone = "UTC"\n'
CLUSTER = '\n[cluster]\nname  = "printed"\nstore = {{ postgresql = {{ credential = "{credential}" }} }}\nnode  = {{ name = "a" }}\n'
SHARED = '\n[job.shared]\nrun-on   = "one"\nplugin   = "exec"\nschedule = { periodic = { by = "1h" } }\nwith     = { command = ["/bin/true"] }\n'


def run(command, **options):
    """Runs a line as a shell does; returns the status and what it printed."""
    try:
        done = subprocess.run(
            ["bash", "-c", command], cwd=HOME, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            text=True, timeout=LIMIT_SECONDS, **options)
    except subprocess.TimeoutExpired:
        return -1, "it did not end"
    return done.returncode, done.stdout


def must(command):
    status, output = run(command)
    assert status == 0, f"{command}: status {status}: {output}"
    return output


def on_terminal(command, keys):
    """Runs a line on a terminal, and types the keys once it has drawn something."""
    pid, terminal = pty.fork()
    if pid == 0:
        os.chdir(HOME)
        os.execvp("bash", ["bash", "-c", command])
    output, end, typed = b"", time.monotonic() + LIMIT_SECONDS, False
    while time.monotonic() < end:
        if select.select([terminal], [], [], 1)[0]:
            try:
                read = os.read(terminal, 65536)
            except OSError:  # the other end is closed
                break
            if not read:
                break
            output += read
            if not typed:
                os.write(terminal, keys)
                typed = True
    else:
        os.kill(pid, 9)
    os.close(terminal)
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), output.decode(errors="replace")


def as_daemon(command):
    """Runs a rehearsal or the server of the page until it answers, and ends it."""
    # Its service has the same address.
    run("systemctl stop timelined-web")
    with open(HOME / "log", "w+") as log:
        started = subprocess.Popen(["bash", "-c", "exec " + command], cwd=HOME, stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        socket = f"/tmp/timelined-rehearsal-{started.pid}.sock"
        answers = f"timelinectl --socket {socket} status" if command.startswith("timelined ") else "grep listening log"
        end, answered = time.monotonic() + LIMIT_SECONDS, False
        while not answered and started.poll() is None and time.monotonic() < end:
            answered = run(answers)[0] == 0
        started.terminate()
        status = started.wait(LIMIT_SECONDS)
        log.seek(0)
        return 0 if answered and status in (0, -signal.SIGTERM) else status or -1, log.read()


class World:
    def __init__(self):
        HOME.mkdir()
        (HOME / "jobs.toml").write_text(DAEMON + JOBS)
        (HOME / "new.toml").write_text(DAEMON + JOBS.replace('"1h"', '"2h"'))
        self.database = self.store()
        cluster = CLUSTER.format(credential=HOME / "credential") + SHARED if self.database else ""
        Path("/etc/timelined/timelined.toml").write_text(DAEMON + cluster + JOBS)
        if self.database:
            must("timelinectl cluster init")
        self.others()
        must("systemctl start timelined")
        status, output = run("timelinectl trigger failing --wait")
        assert status == 1, output
        must("timelinectl pause paused")
        self.set_back()
        self.rehearsal = subprocess.Popen(
            ["timelined", "--config", "jobs.toml", "--clock", "scaled:1", "--control", REHEARSAL], cwd=HOME,
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        until(lambda: run(f"timelinectl --socket {REHEARSAL} status")[0] == 0, "the rehearsal answers")

    def store(self):
        """A PostgreSQL, or None where none is installed."""
        (HOME / "postgresql").mkdir()
        try:
            database = Server(HOME / "postgresql").create().start()
        except SystemExit:
            return None
        credential = HOME / "credential"
        credential.write_text(database.info() + "\n")
        credential.chmod(0o600)
        return database

    def others(self):
        """What cron and systemd have."""
        units = Path("/run/systemd/system")
        (units / "backup.service").write_text("[Service]\nType=oneshot\nExecStart=/bin/true\n")
        (units / "backup.timer").write_text("[Timer]\nOnCalendar=*-*-* 02:30\n[Install]\nWantedBy=timers.target\n")
        Path("/etc/crontab").write_text("30 2 * * * root /bin/true\n")
        crontab = Path("/usr/local/bin/crontab")
        crontab.write_text("#!/bin/sh\necho '30 2 * * * /bin/true'\n")
        for token in (HOME / "token", Path("/etc/timelined/web-token")):
            token.write_text("correct-horse-battery-staple\n")
            token.chmod(0o600)
        editor = HOME / "editor"
        editor.write_text("#!/bin/sh\nprintf '[Unit]\\nDescription=edited\\n' >\"$1\"\n")
        for program in (crontab, editor):
            program.chmod(0o755)
        os.environ["SYSTEMD_EDITOR"] = str(editor)
        os.environ["TERM"] = "xterm"
        must("systemctl daemon-reload && systemctl start backup.timer")

    def set_back(self):
        """The ledger as it is after the clock was set back by a day."""
        must("systemctl stop timelined.service timelined.socket")
        with sqlite3.connect(LEDGER) as ledger:
            changed = ledger.execute("UPDATE job SET furthest = ? WHERE name = 'ahead'", [time.time_ns() + DAY])
            assert changed.rowcount == 1
        ledger.close()
        self.ensure()

    def ensure(self):
        """The service is active, whatever the command before has done to it."""
        must("systemctl reset-failed timelined.service timelined.socket; systemctl start timelined.socket timelined.service")

    def active_run(self):
        """The number of a run that is under way."""
        must("timelinectl trigger lasting")
        until(self.lasting, "a run is under way")
        return self.lasting()[-1]["run"]

    def lasting(self):
        jobs = map(json.loads, must("timelinectl list --json").splitlines())
        return next(job["running"] for job in jobs if job["name"] == "lasting")

    def end(self):
        self.rehearsal.terminate()
        self.rehearsal.wait(LIMIT_SECONDS)
        if self.database:
            run("systemctl stop timelined.service timelined.socket")
            self.database.stop()
