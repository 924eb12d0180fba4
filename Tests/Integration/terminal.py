"""Drives the full-screen views of timelinectl on an emulated terminal, and prints what held.

terminal.py STAGE SCRATCH SCREENS: the programs, a directory for files, and one in which the screens are kept.
"""

import fcntl
import os
import pty
import re
import select
import signal
import socket
import socketserver
import struct
import subprocess
import sys
import termios
import threading
import time

import pyte

sys.path.append(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from patience import patience  # noqa: E402 - it lies above

stage, scratch, screens = sys.argv[1:4]
LIMIT_SECONDS = patience(60)
failures = 0
os.makedirs(screens, exist_ok=True)


def check(sentence, holds, found=""):
    global failures
    print(f"ok - {sentence}" if holds else f"NOT OK - {sentence}\n    {found}", flush=True)
    failures += 0 if holds else 1


class Terminal:
    """A program on a terminal of its own."""

    def __init__(self, arguments, width=80, height=24, **environment):
        self.raw = b""
        self.screen = pyte.Screen(width, height)
        self.stream = pyte.ByteStream(self.screen)
        self.status = None
        variables = {**os.environ, "TERM": "xterm-256color", "LC_ALL": "C.UTF-8", **environment}
        variables.pop("NO_COLOR", None)
        self.process, self.descriptor = pty.fork()
        if self.process == 0:
            # The parent has to set the size before the program asks for it.
            os.read(0, 1)
            os.execve(arguments[0], arguments, variables)
        self.resize(width, height)
        self.mode = termios.tcgetattr(self.descriptor)
        os.write(self.descriptor, b"\n")

    def resize(self, width, height):
        fcntl.ioctl(self.descriptor, termios.TIOCSWINSZ, struct.pack("HHHH", height, width, 0, 0))
        self.screen.resize(height, width)

    def read(self, seconds):
        if not select.select([self.descriptor], [], [], seconds)[0]:
            return False
        try:
            data = os.read(self.descriptor, 65536)
        except OSError:  # the other side has closed
            return False
        self.raw += data
        self.stream.feed(data)
        return True

    def until(self, holds, seconds=LIMIT_SECONDS):
        """Reads until the text of the screen fulfills a condition; whether it does in time."""
        end = time.monotonic() + seconds
        while not holds(self.text()):
            left = end - time.monotonic()
            if left <= 0:
                return False
            self.read(min(left, 0.2))
        return True

    def shows(self, pattern, seconds=LIMIT_SECONDS):
        return self.until(lambda text: re.search(pattern, text, re.M), seconds)

    def send(self, keys):
        os.write(self.descriptor, keys.encode())

    def text(self):
        return "\n".join(line.rstrip() for line in self.screen.display)

    def keep(self, name):
        with open(f"{screens}/{name}.txt", "w", encoding="utf-8") as file:
            file.write(self.text() + "\n")

    def end(self):
        """The status with which the program ends, negative for a signal; None when it does not."""
        end = time.monotonic() + LIMIT_SECONDS
        while time.monotonic() < end:
            self.read(0.05)
            process, status = os.waitpid(self.process, os.WNOHANG)
            if process:
                # What it wrote last may still be in the terminal.
                while self.read(0):
                    pass
                return os.waitstatus_to_exitcode(status)
        os.kill(self.process, signal.SIGKILL)
        os.waitpid(self.process, 0)
        return None

    def is_given_back(self):
        return termios.tcgetattr(self.descriptor) == self.mode


UP, DOWN, RIGHT, LEFT, ENTER, ESCAPE = "\x1bOA", "\x1bOB", "\x1bOC", "\x1bOD", "\r", "\x1b"

configuration = f"{scratch}/night.toml"
with open(configuration, "w", encoding="utf-8") as file:
    file.write(
        """
[daemon]
time-zone = "Europe/Berlin"

[job.backup]
plugin   = "log"
schedule = { cron = "30 2 * * *" }
with     = { message = "backup" }

expected-duration = "3h"

[job.import]
plugin   = "log"
schedule = { cron = "0 */6 * * *" }
with     = { message = "import" }

expected-duration = "7h"

[job.poll]
plugin   = "log"
schedule = { cron = "*/10 * * * *" }
with     = { message = "poll" }
"""
    )
rehearse = [f"{stage}/timelinectl", "rehearse", "--config", configuration, "--from", "2027-03-27T00:00:00Z"]


def rehearsals():
    for width, height in [(40, 12), (80, 24), (200, 60)]:
        terminal = Terminal(rehearse, width, height)
        shown = terminal.shows(r"backup(.|\n)*import(.|\n)*poll") and terminal.shows(r"\? help")
        terminal.keep(f"rehearse-{width}x{height}")
        check(f"a rehearsal is shown on {width}x{height}", shown, terminal.text())
        terminal.send("q")
        check("q ends it with 0", terminal.end() == 0)
        check("the terminal is as before", terminal.is_given_back())
        check("the screen is as before", b"\x1b[?1049l" in terminal.raw)


def keys():
    terminal = Terminal(rehearse + ["--speed", "60"], 100, 24)
    terminal.shows("2027-03-27 01:")
    check("it plays by itself", terminal.shows("2027-03-27 (01:(0[1-9]|[1-5])|0[2-9]:)"), terminal.text())
    terminal.send(" ")
    check("space pauses", terminal.shows("paused 60x"), terminal.text())
    terminal.send("+")
    check("+ is faster", terminal.shows("paused 300x"), terminal.text())
    terminal.send("-")
    check("- is slower", terminal.shows("paused 60x"), terminal.text())
    hour, minute = map(int, re.search("2027-03-27 ([0-9]+):([0-9]+)", terminal.text()).groups())
    following = 60 * hour + minute // 10 * 10 + 10
    terminal.send("n")
    check("n steps to the next entry", terminal.shows(f"2027-03-27 {following // 60:02}:{following % 60:02}:00 CET"), terminal.text())
    terminal.send("g2027-03-28 04:00" + ENTER)
    check("g goes to a moment", terminal.shows("2027-03-28 04:00:00 CEST"), terminal.text())
    terminal.keep("rehearse-jump")
    terminal.send("/imp")
    filtered = terminal.until(lambda text: "import" in text and "poll" not in text)
    check("/ filters while one types", filtered, terminal.text())
    terminal.send(ENTER + RIGHT + ENTER)
    check("Enter explains an entry", terminal.shows(r"cause +its schedule"), terminal.text())
    terminal.keep("rehearse-entry")
    terminal.resize(60, 16)
    check("it follows the size of the terminal", terminal.shows("entry ─+$"), terminal.text())
    terminal.keep("rehearse-resized")
    terminal.send(ESCAPE)
    terminal.until(lambda text: "entry ──" not in text)
    terminal.send("?")
    check("? shows the keys", terminal.shows("play or pause"), terminal.text())
    terminal.keep("rehearse-help")
    terminal.send("q")
    terminal.until(lambda text: "play or pause" not in text)
    terminal.send("q")
    check("after all this q ends it with 0", terminal.end() == 0)
    check("the terminal is as before", terminal.is_given_back())


def abilities():
    terminal = Terminal(rehearse, TERM="vt100", LC_ALL="C")
    check("it is shown without UTF-8", terminal.shows(r"> backup(.|\n)*import(.|\n)*poll(.|\n)*\? help"), terminal.text())
    terminal.keep("rehearse-vt100")
    check("it has nothing but ASCII there", terminal.text().isascii(), terminal.text())
    terminal.send("q")
    check("q ends it there too", terminal.end() == 0)
    check("it has no color there", not re.search(rb"\x1b\[[0-9;]*[34][0-9]m", terminal.raw))
    terminal = Terminal(rehearse + ["--speed", "max"], 80, 24)
    check("at max months pass in seconds", terminal.shows("2027-0[5-9]|2027-1|20(2[89]|[3-9])"), terminal.text())
    terminal.send("q")
    check("it has color on a terminal with colors", re.search(rb"\x1b\[[0-9;]*3[0-9]m", terminal.raw))
    check("q ends it at max", terminal.end() == 0)
    terminal = Terminal(rehearse, TERM="nonsense")
    check("a terminal that is not known is refused", terminal.end() == 64)
    check("with what to do", terminal.shows("set TERM", 0.5), terminal.text())
    lines = subprocess.run(rehearse, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=LIMIT_SECONDS, check=False)
    printed = "2027-03-27 06:00:00 CET" in lines.stdout and lines.returncode == 0
    check("without a terminal it prints lines", printed, lines.stdout + lines.stderr)


def signals():
    for number in [signal.SIGTERM, signal.SIGINT, signal.SIGHUP]:
        terminal = Terminal(rehearse)
        terminal.shows("backup")
        os.kill(terminal.process, number)
        check(f"{number.name} ends it, and by this signal", terminal.end() == -number)
        check("the terminal is as before", terminal.is_given_back())
    terminal = Terminal(rehearse)
    terminal.shows("backup")
    terminal.send("\x1c")
    check("Ctrl-\\ ends it, and by its signal", terminal.end() == -signal.SIGQUIT)
    check("the terminal is as before", terminal.is_given_back())
    terminal = Terminal(rehearse)
    terminal.shows("backup")
    taken = not terminal.is_given_back()
    terminal.send("\x1a")
    end = time.monotonic() + LIMIT_SECONDS
    stopped = False
    while not stopped and time.monotonic() < end:
        terminal.read(0.05)
        stopped = os.waitpid(terminal.process, os.WNOHANG | os.WUNTRACED)[0] == terminal.process
    check("Ctrl-Z stops it", stopped)
    check("the terminal is as before while it is stopped", taken and terminal.is_given_back())
    terminal.screen.reset()
    os.kill(terminal.process, signal.SIGCONT)
    check("it is shown again when it goes on", terminal.shows(r"backup(.|\n)*\? help"), terminal.text())
    os.kill(terminal.process, signal.SIGSEGV)
    check("a crash is one", terminal.end() == -signal.SIGSEGV)
    check("the terminal is as before after a crash", terminal.is_given_back())


day = f"{scratch}/day.toml"
with open(day, "w", encoding="utf-8") as file:
    file.write(
        """
[job.steady]
plugin   = "exec"
schedule = { periodic = { by = "1s" } }
with     = { command = ["/bin/echo", "a line of steady"] }

[job.long]
plugin   = "exec"
schedule = "on-demand"
with     = { command = ["/bin/sleep", "60"] }

expected-duration = "60s"

[job.far]
plugin   = "log"
schedule = { cron = "0 3 1 1 *" }
with     = { message = "a year" }
"""
    )


def watches():
    path = f"{scratch}/control.sock"
    watch = [f"{stage}/timelinectl", "--socket", path]
    terminal = Terminal(watch, 200, 24)
    check("without a daemon watch says what to do", terminal.shows("is timelined running"), terminal.text())
    check("and ends with 69", terminal.end() == 69)
    command = [f"{stage}/timelined", "--config", day, "--state", f"{scratch}/state", "--control", path]
    command += ["--plugins", f"{stage}/plugins", "--host", f"{stage}/timeline-host"]
    with open(f"{scratch}/daemon.log", "w", encoding="utf-8") as log:
        daemon = subprocess.Popen(command, stdout=log, stderr=log)
    try:
        end = time.monotonic() + LIMIT_SECONDS
        while not os.path.exists(path) and time.monotonic() < end:
            time.sleep(0.05)
        watched(watch, daemon)
    finally:
        daemon.kill()
        daemon.wait()
    lines = subprocess.run(watch, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=LIMIT_SECONDS, check=False)
    check("without a terminal no verb shows the help", "SUBCOMMANDS" in lines.stdout + lines.stderr, lines.stdout)


def watched(watch, daemon):
    terminal = Terminal(watch, 120, 24)
    check("the future is simulated", terminal.shows("future: simulated"), terminal.text())
    # Long enough ago to be seen: an entry and what became of it.
    check("past and future are shown", terminal.shows(r"steady.*▎.*╎"), terminal.text())
    terminal.send(DOWN + "t")
    check("t asks first", terminal.shows("trigger long\\? y or n"), terminal.text())
    terminal.send("y")
    check("t triggers", terminal.shows("long: (run|waits)"), terminal.text())
    check("the run is shown, with what is to come of it", terminal.shows("long.*█?░"), terminal.text())
    terminal.keep("watch")
    shown = terminal.shows("running \\(run", patience(5)) or terminal.send("0") or terminal.shows("running \\(run")
    check("the run has a number", shown, terminal.text())
    terminal.send("cy")
    check("c cancels", terminal.shows("asked to stop"), terminal.text())
    check("which is seen", terminal.shows("long.*■"), terminal.text())
    terminal.send(UP + "sy")
    check("s pauses", terminal.shows("‖steady"), terminal.text())
    terminal.send("l")
    check("l shows what it wrote", terminal.shows("^  a line of steady"), terminal.text())
    terminal.keep("watch-logs")
    terminal.send("\r" + LEFT + "w")
    # On a slow machine a run of each second may still be there when the next one is due, and that entry is the last then.
    check("w asks why", terminal.shows(r"steady at .*: (succeeded\. It ran and reported success|overlapped\. It did not run)"), terminal.text())
    terminal.keep("watch-why")
    terminal.send("\r" + "sy")
    check("s resumes", terminal.until(lambda text: "steady: resumed" in text and "‖" not in text), terminal.text())
    # Every second of the years before is not simulated.
    terminal.send("g2031-01-01 03:00\r")
    check("g shows a distant future", terminal.shows(r"far.*╎") and terminal.shows(r"steady.*[▒╎]"), terminal.text())
    terminal.send("0")
    check("0 returns to the present", terminal.shows(r"steady.*▎.*╎"), terminal.text())
    silent(watch)
    narrow = Terminal(watch, 40, 12, TERM="vt100", LC_ALL="C")
    check("it is shown on 40x12 without UTF-8", narrow.shows(r"> steady(.|\n)*long(.|\n)*far(.|\n)*help"), narrow.text())
    narrow.keep("watch-40x12-vt100")
    narrow.send("q")
    check("q ends it there", narrow.end() == 0)
    daemon.send_signal(signal.SIGTERM)
    daemon.wait()
    check("a daemon that has ended is said", terminal.shows("is timelined running"), terminal.text())
    terminal.send("q")
    check("q ends it all the same", terminal.end() == 0)
    check("the terminal is as before", terminal.is_given_back())


def silent(watch):
    """The daemon behind a socket on which it is in a cluster whose store never answers."""
    path, real = f"{scratch}/silent.sock", watch[2]
    server = socketserver.ThreadingUnixStreamServer(path, SilentStore)
    server.daemon_threads, server.real = True, real
    threading.Thread(target=server.serve_forever, daemon=True).start()
    terminal = Terminal([watch[0], "--socket", path], 120, 24)
    check("it is shown before the store answers", terminal.shows("steady.*▎") and SilentStore.asked.wait(LIMIT_SECONDS), terminal.text())
    terminal.send("?")
    check("keys work while the store does not answer", terminal.shows("keys and signs"), terminal.text())
    terminal.send("\rq")
    start = time.monotonic()
    check("q ends it, and does not wait for the store", terminal.end() == 0 and time.monotonic() - start < patience(5))
    server.shutdown()
    server.server_close()


class SilentStore(socketserver.BaseRequestHandler):
    """Passes calls on to the daemon, says that it is in a cluster, and does not answer for the cluster."""

    asked = threading.Event()

    def handle(self):
        with socket.socket(socket.AF_UNIX) as daemon:
            daemon.connect(self.server.real)
            name = b""
            while True:
                for source in select.select([self.request, daemon], [], [])[0]:
                    data = source.recv(65536)
                    if not data:
                        return
                    if source is daemon:
                        if name == b"Status":
                            data = data.replace(b'"parameters":{', b'"parameters":{"cluster":"prod: node one, of 2",', 1)
                        self.request.sendall(data)
                        continue
                    name = re.search(rb'"method":"[\w.]+\.(\w+)"', data.replace(b"\\/", b"/"))[1]
                    if name == b"Cluster":
                        self.asked.set()
                        while self.request.recv(1):
                            pass
                        return
                    daemon.sendall(data)


def progress():
    """A comparison of more than two million entries."""
    files = [f"{scratch}/{name}.toml" for name in ("former", "latter")]
    for priority, path in enumerate(files):
        with open(path, "w", encoding="utf-8") as file:
            file.write("[group.all]\nlimit = 2\n")
            for job in range(60):
                schedule = f"{{ periodic = {{ by = '{7 + job}s' }} }}"
                file.write(f"[job.j{job}]\nplugin = 'log'\nschedule = {schedule}\ngroups = ['all']\npriority = {priority}\n")
    terminal = Terminal([f"{stage}/timelinectl", "plan", "--for", "12d", *files], 100, 70)
    check("a plan that takes long tells how far it has come", terminal.shows(r"^comparing: \d+ %$"), terminal.text())
    check("and is what stays", terminal.shows("^60 of 60 jobs change") and "comparing" not in terminal.text(), terminal.text())
    check("as it was asked for", terminal.end() == 1)


rehearsals()
progress()
keys()
abilities()
signals()
watches()
sys.exit(1 if failures else 0)
