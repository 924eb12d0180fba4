"""equipment.py: the peers, had from Debian and PyPI where they are missing and can be reached, and built here.

Libraries and daemons are taken out of their .deb below .build/bench and not installed, so that no machine is changed by a
benchmark and no service starts; only compilers have to be installed, and are when this is root. All of it is made once and kept
there; a program is built again when its source is newer. Each function raises `Missing` with what would help where a peer cannot
be had.
"""
import contextlib
import functools
import os
import shutil
import subprocess
import sys
import time

from frame import Missing

REQUIREMENTS = ["cronsim==2.8", "croniter==7.0.0", "apscheduler==3.11.3", "python-dateutil==2.9.0.post0", "tzdata"]
# Seconds that this run spent on what is kept.
spent = []


@contextlib.contextmanager
def once(what):
    """Prints what is fetched or built, and counts its time: the next run has it."""
    print(f"  making {what}, once", flush=True)
    begin = time.monotonic()
    try:
        yield
    finally:
        spent.append(time.monotonic() - begin)


def share():
    """How much of the time of a run was for peers, in words."""
    return f", {sum(spent):.0f} s of them to fetch and build peers, which are kept" if spent else ""


def quietly(words, seconds, **options):
    try:
        return subprocess.run(words, capture_output=True, text=True, timeout=seconds, stdin=subprocess.DEVNULL, **options).returncode == 0
    except (OSError, subprocess.TimeoutExpired):
        return False


@functools.cache
def listed():
    """Asks Debian's servers once a run which packages there are."""
    return os.geteuid() == 0 and quietly(["apt-get", "-qq", "update"], 300)


@functools.cache
def tool(name, package):
    """A compiler or the like, in PATH or installed from `package`."""
    if shutil.which(name):
        return shutil.which(name)
    words = ["apt-get", "-y", "-qq", "-o", "Dpkg::Use-Pty=0", "install", "--no-install-recommends", package]
    if os.geteuid() == 0 and shutil.which("apt-get"):
        environment = dict(os.environ, DEBIAN_FRONTEND="noninteractive")
        with once(f"{name}: installing {package}"):
            if quietly(words, 900, env=environment) or (listed() and quietly(words, 900, env=environment)):
                return shutil.which(name)
    raise Missing(f"there is no {name} here; apt-get install {package}")


@functools.cache
def unpacked(bench, *packages):
    """The directory in which the files of those Debian packages lie as they would below /."""
    directory = bench.work / "debian"
    directory.mkdir(exist_ok=True)
    for package in packages:
        done = directory / f".{package}"
        if done.exists():
            continue
        with once(f"Debian's {package}"):
            unpack(package, directory)
        done.touch()
    return directory


def unpack(package, directory):
    words = ["apt-get", "-qq", "download", package]
    if not shutil.which("apt-get") or not (quietly(words, 120, cwd=directory) or (listed() and quietly(words, 120, cwd=directory))):
        raise Missing(f"Debian's {package} cannot be had (apt-get download {package})")
    for archive in directory.glob(f"{package}_*.deb"):
        if not quietly(["dpkg-deb", "-x", archive, directory], 120):
            raise Missing(f"{archive} cannot be unpacked")


def compiled(bench, words, target, source, **options):
    """`target` below the work directory, built by `words` unless it is newer than its source."""
    path = bench.work / target
    if not path.exists() or source.stat().st_mtime > path.stat().st_mtime:
        with once(target):
            bench.run(words, **options)
    return path


@functools.cache
def c(bench, name):
    """A program in C, built from peers/NAME.c."""
    source = bench.sources / f"peers/{name}.c"
    return compiled(bench, [tool("cc", "gcc"), "-O2", "-o", bench.work / name, source], name, source)


def peak_memory(bench, words, output=subprocess.DEVNULL):
    """MB that a command had resident at most, run to its end, its output to `output`."""
    told = bench.work / "peak-memory"
    bench.process([c(bench, "peak"), told, *words], output)
    return int(told.read_text()) * 1024 / 1_000_000


@functools.cache
def plugin(bench, name):
    """A plugin in C, built from peers/NAME.c against our header."""
    source = bench.sources / f"peers/{name}.c"
    header = bench.root / "Sources/Base/CTimelinePlugin/include"
    words = [tool("cc", "gcc"), "-O2", "-shared", "-fPIC", "-fvisibility=hidden", f"-I{header}", "-o", bench.work / f"{name}.so", source]
    return compiled(bench, words, f"{name}.so", source)


@functools.cache
def cpp(bench, name, target):
    """From peers/NAME.cpp, as `target` below the work directory."""
    source = bench.sources / f"peers/{name}.cpp"
    return compiled(bench, [tool("c++", "g++"), "-std=c++17", "-O2", "-o", bench.work / target, source], target, source)


@functools.cache
def rust(bench, name, target):
    """From peers/NAME.rs, by whatever rustc is here; a toolchain of half a gigabyte is not installed for one peer."""
    rustc = shutil.which("rustc")
    if rustc is None:
        raise Missing("there is no rustc here; apt-get install rustc")
    source = bench.sources / f"peers/{name}.rs"
    return compiled(bench, [rustc, "--edition", "2021", "-C", "opt-level=3", "-o", bench.work / target, source], target, source)


@functools.cache
def go(bench, name, target=None):
    """From peers/NAME.go, with Debian's package of robfig/cron."""
    target = target or name
    directory = unpacked(bench, "golang-github-robfig-cron-dev") / "usr/share/gocode"
    environment = dict(os.environ, GOPATH=str(directory), GO111MODULE="off", GOCACHE=str(bench.work / "go-cache"))
    source = bench.sources / f"peers/{name}.go"
    return compiled(bench, [tool("go", "golang-go"), "build", "-o", bench.work / target, source], target, source, env=environment)


@functools.cache
def python(bench):
    """An interpreter with the schedulers of PyPI."""
    interpreter = bench.work / "venv/bin/python"
    ready = [interpreter, "-c", "import apscheduler, croniter, cronsim, dateutil"]
    if not quietly(ready, 60):
        with once("an environment with the schedulers of PyPI"):
            if not (quietly([sys.executable, "-m", "venv", "--clear", bench.work / "venv"], 120)
                    and quietly([interpreter, "-m", "pip", "install", "-q", "--disable-pip-version-check", *REQUIREMENTS], 300)):
                raise Missing("PyPI cannot be reached, or there is no python3-venv")
    return interpreter


@functools.cache
def java(bench, name):
    """The words that run peers/NAME.java with Debian's Quartz."""
    virtual_machine = tool("java", "default-jdk-headless")
    jars = unpacked(bench, "libquartz2-java", "libslf4j-java") / "usr/share/java"
    path = ":".join(str(part) for part in (jars / "quartz2.jar", jars / "slf4j-api.jar", jars / "slf4j-nop.jar"))
    classes = bench.work / "classes"
    source = bench.sources / f"peers/{name}.java"
    compiled(bench, [tool("javac", "default-jdk-headless"), "-cp", path, "-d", classes, source], f"classes/{name}.class", source)
    return [virtual_machine, "-cp", f"{path}:{classes}", name]


def peers(bench, wanted, more={}):
    """Of `wanted` (name -> function that returns words), those that can be had here; the others are left out with a word. `more`: those that
    no goal names, which the short form does without."""
    found = {}
    for name, words in (wanted | bench.choose(more, {})).items():
        try:
            found[name] = words()
        except Missing as reason:
            bench.leave_out(name, str(reason))
        except RuntimeError as error:
            bench.leave_out(name, f"it could not be built: {error}")
    return found


def beside_robfig(bench, verb, title, entries, goal, robfig):
    """A row of timeline-bench's `verb`, which enumerates so many `entries`, beside robfig's program of that name.

    An entry is to take `goal` nanoseconds at most, and no more of what robfig takes than where robfig took `robfig`."""
    others = peers(bench, {"robfig": lambda: [go(bench, "robfig"), verb, str(entries)]})
    rounds, count, total = bench.enumerate({**bench.own(lambda build: build.verb(verb, entries)), **others})
    return bench.report(title, "ns an entry", rounds, [
        bench.goal("ours", goal), bench.goal("ours", goal / robfig, "robfig")], count=count, sum=total)
