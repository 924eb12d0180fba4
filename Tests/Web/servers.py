"""A daemon and its web server, as the tests of the page use them, and the sentences that they check."""

import http.client
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parent.parent))
from patience import patience  # noqa: E402 - it lies above

# The longest wait for anything that is to happen.
LIMIT_SECONDS = patience(60)
TOKEN = "correct-horse-battery-staple"
failures = 0
# Servers are stopped however a program ends.
signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))


def check(sentence, holds, found=""):
    global failures
    print(f"ok - {sentence}" if holds else f"NOT OK - {sentence}", flush=True)
    if not holds:
        failures += 1
        print("\n".join("    " + line for line in str(found).splitlines()[-40:]), flush=True)


def finish():
    """Ends the program, with 1 if a sentence does not hold."""
    sys.exit(1 if failures else 0)


def comes(condition, seconds=LIMIT_SECONDS):
    """Whether the condition holds before the time is up; asks again and again."""
    limit = time.monotonic() + seconds
    while time.monotonic() < limit:
        if condition():
            return True
        time.sleep(0.05)
    return bool(condition())


def free_port():
    with socket.socket() as server:
        server.bind(("127.0.0.1", 0))
        return server.getsockname()[1]


class Servers:
    """A daemon with some jobs, and its web server."""

    def __init__(self, stage, program, scratch, jobs, *daemon_options, web_niceness=0):
        self.stage, self.program, self.scratch, self.daemon_options = Path(stage), program, Path(scratch), daemon_options
        self.web_niceness = web_niceness
        self.port = free_port()
        self.control = self.scratch / "control.sock"
        (self.scratch / "jobs.toml").write_text(jobs)
        token = self.scratch / "token"
        token.write_text(TOKEN + "\n")
        token.chmod(0o600)
        self.daemon = self.web = None
        try:
            self.start_daemon()
            self.web = self.start_web(self.port, "--token-file", str(token))
        except BaseException:
            self.stop()
            raise

    def start_daemon(self):
        self.daemon = subprocess.Popen(
            [self.stage / "timelined", "--config", self.scratch / "jobs.toml", "--state", self.scratch / "state",
             "--control", self.control, "--plugins", self.stage / "plugins", "--host", self.stage / "timeline-host",
             *self.daemon_options],
            stdout=(self.scratch / "daemon.log").open("a"), stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL)
        comes(lambda: self.ctl("status").returncode == 0)

    def start_web(self, port, *options):
        web = subprocess.Popen(
            ["nice", "-n", str(self.web_niceness), self.program, "--socket", self.control, "--listen", f"127.0.0.1:{port}", *options],
            stdout=(self.scratch / "web.log").open("a"), stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL)
        comes(lambda: web.poll() is not None or self.status("GET", "/", port=port) == 200)
        return web

    def ctl(self, *words):
        return subprocess.run([self.stage / "timelinectl", "--socket", self.control, *words], capture_output=True, text=True)

    def stop_daemon(self):
        self.daemon.send_signal(signal.SIGKILL)
        self.daemon.wait()

    def stop(self):
        for process in (self.web, self.daemon):
            if process and process.poll() is None:
                process.kill()
                process.wait()

    def ask(self, method, path, body=None, port=None, **headers):
        """A request as no browser would send it: headers as they are given."""
        port = port or self.port
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=LIMIT_SECONDS)
        given = {"Host": f"127.0.0.1:{port}", "Origin": f"http://127.0.0.1:{port}", "Sec-Fetch-Site": "same-origin",
                 "Content-Type": "application/json"}
        given.update({name.replace("_", "-"): value for name, value in headers.items()})
        try:
            connection.request(method, path, body, {name: value for name, value in given.items() if value is not None})
            reply = connection.getresponse()
            return reply.status, dict(reply.getheaders()), reply.read()
        except (OSError, http.client.HTTPException) as error:
            return 0, {}, str(error).encode()
        finally:
            connection.close()

    def status(self, *arguments, **headers):
        return self.ask(*arguments, **headers)[0]
