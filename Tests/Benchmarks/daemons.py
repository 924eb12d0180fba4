"""daemons.py: a daemon of ours on a configuration of so many jobs, started as a service manager does, for the rows that need one."""
import contextlib
import os
import socket
import subprocess
import tempfile
import threading
import time
from pathlib import Path


def configuration(count, probe=True):
    """`count` jobs: one fires each second if there is to be a probe, the others once a year, each at a minute of its own."""
    jobs = ['[job.probe]\nplugin = "log"\nschedule = { periodic = { by = "1s" } }\nwith = { message = "x" }\n'] if probe else []
    for number in range(count - len(jobs)):
        rule = f"{number % 60} {number // 60 % 24} {number // 1440 % 28 + 1} {number // 40320 % 12 + 1} *"
        jobs.append(f'[job.j{number}]\nplugin = "log"\nschedule = {{ cron = "{rule}" }}\nwith = {{ message = "x" }}\n')
    return "".join(jobs)


class Daemon:
    """A daemon that is ready. `ready`: what that took in milliseconds; `process`: its id; `folder`: configuration and state."""

    def __init__(self, bench, folder, process, ready, notify):
        self.bench, self.folder, self.process, self.ready, self.notify = bench, folder, process, ready, notify

    def control(self, *words):
        return self.bench.run([self.bench.stage / "timelinectl", "--socket", f"{self.folder}/c.sock", *words])

    def resident(self):
        """Resident memory in MiB."""
        return resident(self.process.pid)


def resident(process):
    return int(status(process)["VmRSS"].split()[0]) / 1024


def status(process):
    return dict(line.split(":\t", 1) for line in Path(f"/proc/{process}/status").read_text().splitlines() if ":\t" in line)


def threads(process):
    return [int(task.name) for task in Path(f"/proc/{process}/task").iterdir()]


@contextlib.contextmanager
def daemon(bench, text, *words):
    """A daemon on the configuration `text`; it is ended, and its folder removed, when the block is left."""
    with tempfile.TemporaryDirectory(dir=bench.work) as folder:
        Path(f"{folder}/t.toml").write_text(text)
        notify = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        notify.bind(f"{folder}/notify")
        notify.settimeout(120)
        begin = time.perf_counter()
        process = subprocess.Popen(
            [bench.stage / "timelined", "--config", f"{folder}/t.toml", "--state", f"{folder}/state", "--control", f"{folder}/c.sock",
             "--plugins", bench.stage / "plugins", "--host", bench.stage / "timeline-host", *words],
            env=dict(os.environ, NOTIFY_SOCKET=f"{folder}/notify"), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            while b"READY=1" not in notify.recv(4096):
                pass
            ready = 1000 * (time.perf_counter() - begin)
            notify.settimeout(None)
            threading.Thread(target=listen, args=(notify,), daemon=True).start()
            yield Daemon(bench, folder, process, ready, notify)
        finally:
            process.terminate()
            process.wait(60)
            over = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
            over.sendto(b"over", f"{folder}/notify")
            over.close()


def listen(notify):
    # As a service manager does: its socket holds few messages, and the daemon waits for room.
    while notify.recv(4096) != b"over":
        pass
