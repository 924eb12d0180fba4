"""Tries the examples of README.md and docs/*.md in the order in which a reader meets them, and prints what held.

A page tells the name of a file in the text before it ("Save this as `mine.toml`"), that it is added to one ("at the end of
`mine.toml`"), or how a file differs from the one before it ("With `A` in place of `B`, as `wrong.toml`"). Blocks of `sh` are
not run: `make` and what needs root have scripts of their own beside this one.
"""

import os
import re
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path
from xml.etree import ElementTree

sys.path.append(str(Path(__file__).resolve().parent.parent))
sys.path.append(str(Path(__file__).resolve().parent / "printed"))
from patience import patience  # noqa: E402 - it lies above
from tables import PLACEHOLDERS, VALUES  # noqa: E402
from texts import commands, interpolated, page  # noqa: E402

CHECKOUT, SCRATCH = Path(sys.argv[1]), Path(sys.argv[2])
PAGES = [CHECKOUT / "README.md", *sorted((CHECKOUT / "docs").glob("*.md"))]
STAGE = CHECKOUT / ".build/stage"
DEBUG = CHECKOUT / ".build/tests/debug"
LIMIT_SECONDS = patience(60)
NO_DAEMON = 69  # timelinectl's exit status when it has understood the command and found no daemon
NEEDS_DAEMON = {"list", "status", "why", "history", "trigger", "logs", "clock"}
failures = 0


def check(sentence, holds, found=""):
    global failures
    print(f"ok - {sentence}" if holds else f"NOT OK - {sentence}", flush=True)
    if not holds:
        failures += 1
        print("\n".join("    " + line for line in found.splitlines()[-40:]), flush=True)


def blocks(page):
    """The fenced blocks of a page: line, language, text, and the prose since the block before."""
    prose, body, language, start = [], [], None, 0
    for number, line in enumerate(page.read_text().splitlines(), 1):
        if line.startswith("```"):
            if language is None:
                language, body, start = line[3:], [], number
            else:
                yield start, language, "\n".join(body) + "\n", " ".join(prose)
                language, prose = None, []
        elif language is None:
            prose.append(line)
        else:
            body.append(line)


class Page:
    """One page, with a directory for the files that it tells its reader to save."""

    def __init__(self, path):
        self.path = path
        self.directory = SCRATCH / path.stem
        self.directory.mkdir()
        self.saved = None
        for name in ("etc", "Sources"):
            (self.directory / name).symlink_to(CHECKOUT / name)

    def read(self):
        for line, language, text, prose in blocks(self.path):
            place = f"{self.path.relative_to(CHECKOUT)}:{line}"
            self.derive(prose)
            if language in ("toml", "c", "swift", "ics"):
                self.save(place, language, text, prose)
            elif language == "" and text.startswith("$ "):
                self.console(place, text)

    def derive(self, prose):
        for new, old, name in re.findall(r"[Ww]ith `([^`]+)` in place of `([^`]+)`, as `([\w-]+\.toml)`", prose):
            text = self.saved.read_text()
            check(f"{self.path.name}: `{old}` stands in {self.saved.name}", old in text, text)
            (self.directory / name).write_text(text.replace(old, new))

    def save(self, place, language, text, prose):
        text = text.replace("/absolute/path/of", str(self.directory))
        names = re.findall(rf"`([\w-]+\.{language})`", prose)
        file = self.directory / (names[-1] if names else f"example.{language}")
        added = bool(names) and f"at the end of `{names[-1]}`" in prose
        before = file.read_text() + "\n" if added else ""
        if language == "toml" and not re.search(r"^\[", text, re.M):  # some keys of a job
            before = '[job.example]\nplugin = "log"\nschedule = "on-demand"\nwith = { message = "hello" }\n'
        file.write_text(before + text)
        if language == "toml":
            self.saved = file
            if "[[expect-schedule]]" not in text:  # is shown to fail, by the command after it
                self.checked(place, file)
            if self.path.stem == "recipes":
                self.installed(place, text)
        elif language == "swift" and "import TimelinePluginKit" in text:
            self.compiled(place, file)

    def installed(self, place, text):
        """A recipe is right as a file of `jobs.d` too, beside all recipes before it."""
        main = self.directory / "installed/timelined.toml"
        (main.parent / "jobs.d").mkdir(parents=True, exist_ok=True)
        main.touch()
        (main.parent / f"jobs.d/{place.rpartition(':')[2]}.toml").write_text(text)
        self.checked(f"{place}: in jobs.d", main)

    def checked(self, place, file):
        """What the machine lacks (a user, a program, a plugin that is compiled by hand) is no fault of the example."""
        status, output = run(["timelinectl", "check", file.relative_to(self.directory)], self.directory)
        errors = [line for line in output.splitlines() if ": error: " in line]
        lacking = [line for line in errors if re.search(r"there is no (file|program|user) |no such file|Landlock", line)]
        check(f"{place}: {file.name} is right", status == 0 or (errors and errors == lacking), output)

    def compiled(self, place, file):
        command = ["swiftc", "-typecheck", "-swift-version", "6", "-parse-as-library", "-I", f"{DEBUG}/Modules"]
        command += ["-Xcc", f"-fmodule-map-file={DEBUG}/CTimelinePlugin.build/module.modulemap"]
        status, output = run([*command, file.name], self.directory)
        check(f"{place}: the Swift code compiles", status == 0, output)

    def console(self, place, text):
        for part in re.split(r"^\$ ", text, flags=re.M)[1:]:
            command, _, shown = part.partition("\n")
            words = shlex.split(command, comments=True)
            program = os.path.basename(words[0])
            if program == "timelined":
                check(f"{place}: {command}", *daemon(words, self.directory))
            elif program == "timelinectl":
                self.asked(place, command, words, shown)
            elif program == "cc":
                status, output = run(words, self.directory)
                check(f"{place}: {command}", status == 0, output)
            elif program == "umask":
                os.umask(int(words[1], 8))
            elif program not in ("cd", "export"):
                check(f"{place}: {command}", False, "this test does not know how to try it")

    def asked(self, place, command, words, shown):
        if "libshout.so" in command:
            return  # Swift packages take minutes to build; the code itself is compiled above
        arguments = [word for word in words[1:] if not word.startswith("-")]
        status, output = run(["timelinectl", *words[1:]], self.directory)
        if arguments[0] in NEEDS_DAEMON or words[1] == "--socket":
            check(f"{place}: {command} is understood", status == NO_DAEMON, output)
            return
        exact = "--from" in words
        found, wanted = normalized(output, exact, self.directory), normalized(shown, exact, self.directory)
        if wanted and wanted[-1] == "...":
            found = found[: len(wanted) - 1]
            wanted.pop()
        if not exact:  # a fold comes before a gap in summer
            found, wanted = sorted(found), sorted(wanted)
        check(f"{place}: {command}", found == wanted, "\n".join([*found, "-- the page shows:", *wanted]))
        if "--svg" in words:
            self.drawn(place, words[words.index("--svg") + 1])

    def drawn(self, place, name):
        """The picture that the page shows is the one that its command draws, and it is XML."""
        made, shown = self.directory / name, self.path.parent / name
        try:
            ElementTree.parse(made)
            check(f"{place}: {name} is the picture in the clone", made.read_bytes() == shown.read_bytes())
        except (OSError, ElementTree.ParseError) as problem:
            check(f"{place}: {name} is a picture", False, str(problem))


def normalized(text, exact, directory):
    """Lines without what depends on today or on the directory, unless the command names its instant."""
    text = text.replace(str(directory), "/absolute/path/of")
    if not exact:
        text = re.sub(r"\d{4}-\d\d-\d\d", "DATE", text)
        text = re.sub(r"(?<=\d\d:\d\d:\d\d )(CES?T|E[SD]T|UTC)", "ZONE", text)
        text = re.sub(r"(?<=  in )[\d.]+[dhms][\d.dhms]*", "LENGTH", text)
    return [line.rstrip() for line in text.splitlines() if line.strip()]


def run(command, directory):
    try:
        done = subprocess.run(command, cwd=directory, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=LIMIT_SECONDS)
    except (OSError, subprocess.TimeoutExpired) as problem:
        return -1, str(problem)
    return done.returncode, done.stdout


def daemon(words, directory):
    """Starts the daemon until it answers, and stops it: whether it did both, and what it printed."""
    socket = words[words.index("--control") + 1]
    with open(directory / "log", "w+") as log:
        started = subprocess.Popen(words, cwd=directory, stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        end, answered = time.monotonic() + LIMIT_SECONDS, False
        while not answered and started.poll() is None and time.monotonic() < end:
            answered = run(["timelinectl", "--socket", socket, "status"], directory)[0] == 0
            time.sleep(0.05)
        started.send_signal(signal.SIGTERM)
        try:
            status = started.wait(LIMIT_SECONDS)
        except subprocess.TimeoutExpired:
            started.kill()
            status = started.wait()
        log.seek(0)
        return answered and status == 0, log.read()


# Verbs that change something without a daemon: their scripts try them.
CHANGING = {"takeover", "import", "new", "rehearse"}


def printed():
    """The commands of timelinectl that pages have within a line and that programs print: where they stand, and their words."""
    pages = [(f"{path.relative_to(CHECKOUT)}:{line}", command, []) for path in PAGES for line, command in page(path)]
    for place, text, values in pages + commands(CHECKOUT)[0]:
        # A word is as good for the parser where there is no value.
        program, _, command = interpolated(text, values, lambda expression: VALUES.get(expression, "word")).partition(" ")
        if program == "timelinectl":
            yield place, command.replace('\\"', '"').strip()


def understood():
    """Each of them is understood: it ends with another status than that of a wrong command line."""
    empty = SCRATCH / "printed"
    empty.mkdir()
    count = 0
    for place, command in printed():
        try:
            words = shlex.split(re.sub(r"\b[A-Z]{2,}\b", lambda word: PLACEHOLDERS.get(word[0], word[0]), command))
        except ValueError:
            continue
        # A verb alone names itself, and is no command to type.
        verb = 2 if words[0] in ("clock", "cluster", "config", "plugin") else 1
        if "..." in command or CHANGING & set(words) or sum(not word.startswith("-") for word in words) <= verb:
            continue
        if ">" in words:
            del words[words.index(">"):]
        if "--socket" in words:
            del words[words.index("--socket"):words.index("--socket") + 2]
        status, output = run(["timelinectl", *words], empty)
        check(f"{place}: timelinectl {command} is understood", status != 64 or "no job either" in output, output)
        count += 1
    check("pages and programs print commands", count >= 40, f"{count} were found")


os.environ["PATH"] = f"{STAGE}:{os.environ['PATH']}"
os.environ["LC_ALL"] = "C.UTF-8"
os.environ["TIMELINED_SOCKET"] = str(SCRATCH / "no-daemon.sock")  # never the daemon of this machine
for path in PAGES:
    Page(path).read()
understood()
sys.exit(1 if failures else 0)
