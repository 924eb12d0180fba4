"""daemons.py: a daemon of ours on a configuration of so many jobs, started as a service manager does, for the rows that need one."""
import contextlib
import json
import os
import socket
import subprocess
import tempfile
import threading
import time
from pathlib import Path

from frame import Missing

# Jobs in one file: a file has a limit of its own, and a person's files are no larger either.
JOBS_A_FILE = 5_000


def job(name, schedule, message="x"):
    return f'[job.{name}]\nplugin = "log"\nschedule = {schedule}\nwith = {{ message = "{message}" }}\n'


def commands(limit, count):
    """The text of `count` jobs that run /bin/true again and again, `limit` of them at a time, so that one always waits where there are more."""
    return f"[group.turns]\nlimit = {limit}\n" + "".join(
        f'[job.j{number}]\nplugin = "exec"\ngroups = ["turns"]\nschedule = {{ animation = {{ minimum-interval = "1ms" }} }}\n'
        'with = { command = ["/bin/true"] }\n' for number in range(count))


def yearly(number):
    """A cron rule that comes once a year, each number at a minute of its own, from the first of January on."""
    return f"{number % 60} {number // 60 % 24} {number // 1440 % 28 + 1} {number // 40320 % 12 + 1} *"


def configuration(count, probe=True):
    """The text of `count` jobs: one fires each second if there is to be a probe, the others once a year."""
    jobs = [job("probe", '{ periodic = { by = "1s" } }')] if probe else []
    return "".join(jobs + [job(f"j{number}", f'{{ cron = "{yearly(number)}" }}') for number in range(count - len(jobs))])


def write(directory, text):
    """The configuration as t.toml in `directory`, with what is more than one file may hold in jobs.d beside it."""
    jobs = text.split("[job.")
    head, jobs = jobs[0], ["[job." + rest for rest in jobs[1:]]
    os.makedirs(f"{directory}/jobs.d", exist_ok=True)
    Path(f"{directory}/t.toml").write_text(head + "".join(jobs[:JOBS_A_FILE]))
    for first in range(JOBS_A_FILE, len(jobs), JOBS_A_FILE):
        Path(f"{directory}/jobs.d/{first:07}.toml").write_text("".join(jobs[first:first + JOBS_A_FILE]))
    return f"{directory}/t.toml"


class Daemon:
    """A daemon that is ready. `ready`: what that took in milliseconds; `process`: its id; `directory`: configuration and state."""

    def __init__(self, bench, build, directory, process, ready):
        self.bench, self.build, self.directory, self.process, self.ready = bench, build, directory, process, ready

    def control(self, *words):
        return self.bench.run(self.build.timelinectl("--socket", f"{self.directory}/c.sock", *words))

    def succeeded(self):
        """The number of runs that succeeded since the start."""
        return json.loads(self.control("status", "--json"))["outcomes"].get("succeeded", 0)

    def resident(self):
        return resident(self.process.pid)

    def resident_at_rest(self):
        """What it gives back once it is at rest is not counted."""
        time.sleep(2)
        return self.resident()


def resident(process):
    """Resident memory in MB, of a million bytes each."""
    return int(status(process)["VmRSS"].split()[0]) * 1024 / 1_000_000


def anonymous(process):
    """Resident memory that belongs to no file, in MB."""
    return int(status(process)["RssAnon"].split()[0]) * 1024 / 1_000_000


def switches(process):
    """How often the process and its children have gone to sleep: each is a wake-up."""
    total = 0
    for task in Path(f"/proc/{process}/task").iterdir():
        total += int(dict(line.split(":\t", 1) for line in (task / "status").read_text().splitlines() if ":\t" in line)["voluntary_ctxt_switches"])
        for child in (task / "children").read_text().split():
            total += switches(int(child))
    return total


def status(process):
    return dict(line.split(":\t", 1) for line in Path(f"/proc/{process}/status").read_text().splitlines() if ":\t" in line)


@contextlib.contextmanager
def daemon(bench, text, *words, build=None, program=None, environment={}):
    """A daemon on the configuration `text`; it is ended, and its directory removed, when the block is left. `build`: the build whose daemon
    it is, ours by default; `program`: the words that start it, where that is not the released one; `environment`: what is added to its
    variables."""
    build = build or bench.ours
    with tempfile.TemporaryDirectory(dir=bench.work) as directory:
        write(directory, text)
        notify = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        notify.bind(f"{directory}/notify")
        notify.settimeout(0.05)
        begin = time.perf_counter()
        with open(f"{directory}/log", "wb") as log:
            process = subprocess.Popen(
                [*(program or [build.stage / "timelined"]), "--config", f"{directory}/t.toml", "--state", f"{directory}/state", "--control", f"{directory}/c.sock",
                 "--plugins", build.stage / "plugins", "--host", build.stage / "timeline-host", *words],
                env=os.environ | environment | {"NOTIFY_SOCKET": f"{directory}/notify"}, stdout=log, stderr=log)
        try:
            while not hears_ready(notify):
                if process.poll() is not None:
                    raise Missing("the daemon did not start: " + " ".join(Path(f"{directory}/log").read_text().split())[:300])
                if time.perf_counter() - begin > 120:
                    raise RuntimeError("the daemon was not ready after two minutes")
            ready = 1000 * (time.perf_counter() - begin)
            notify.settimeout(None)
            threading.Thread(target=listen, args=(notify,), daemon=True).start()
            yield Daemon(bench, build, directory, process, ready)
        finally:
            process.terminate()
            process.wait(60)
            over = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
            over.sendto(b"over", f"{directory}/notify")
            over.close()


def hears_ready(notify):
    try:
        return b"READY=1" in notify.recv(4096)
    except TimeoutError:
        return False


def listen(notify):
    # As a service manager does: its socket holds few messages, and the daemon waits for room.
    while notify.recv(4096) != b"over":
        pass


@contextlib.contextmanager
def debian_cron(bench, count):
    """Debian's cron with `count` rules of ours, none of which is due, in a mount namespace of its own: its process id."""
    import equipment
    if os.geteuid() != 0:
        raise Missing("cron runs as root only")
    if count > 10_000:
        raise Missing("it reads the first 10,000 lines of a crontab only")
    program = equipment.unpacked(bench, "cron") / "usr/sbin/cron"
    rules = bench.work / "crontab"
    rules.write_text("".join(f"{yearly(number)} true\n" for number in range(count)))
    script = """mount -t tmpfs none /var/spool && mkdir -p /var/spool/cron/crontabs && install -m 600 "$1" /var/spool/cron/crontabs/root
        mount -t tmpfs none /run && { [ ! -d /etc/cron.d ] || mount -t tmpfs none /etc/cron.d; }
        [ ! -e /etc/crontab ] || mount --bind /dev/null /etc/crontab
        exec "$2" -f"""
    process = subprocess.Popen(["unshare", "--mount", "sh", "-ec", script, "sh", rules, program], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    try:
        time.sleep(2 + count / 20_000)
        if process.poll() is not None:
            raise Missing(f"cron did not start here: {process.stderr.read().strip()[-200:]}")
        yield process.pid
    finally:
        process.terminate()
        process.wait(30)
