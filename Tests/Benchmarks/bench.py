#!/usr/bin/env python3
"""bench.py: ours and the peers in one run, interleaved, medians, ratios first.

`make bench` builds the release and calls this. A peer that is not installed is left out with a word. The results are
kept in .build/bench.json with every round, so that a later run can be compared. On a shared machine trust the ratios.
"""
import json
import os
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
WORK = ROOT / ".build/bench"
STAGE = ROOT / ".build/stage"
ROUNDS = int(os.environ.get("ROUNDS", "5"))
YEAR = ("1767225600", "1798761600")  # 2026, from its first second on, in UTC
RULE, ZONE = "*/5 9-17 * * 1-5", "Europe/Berlin"


def run(words, **options):
    return subprocess.run([str(word) for word in words], check=True, capture_output=True, text=True, **options).stdout


def build_peers():
    """The peers that can be had, by name: the command in front of the words that say what to enumerate."""
    peers = {}
    if shutil.which("go"):
        environment = dict(os.environ, GOPATH="/usr/share/gocode", GO111MODULE="off", GOCACHE=str(WORK / "go"))
        try:
            run(["go", "build", "-o", WORK / "robfig", HERE / "peers/robfig.go"], env=environment)
            peers["robfig"] = [WORK / "robfig", "next"]
        except subprocess.CalledProcessError as error:
            print(f"left out: robfig ({error.stderr.strip().splitlines()[-1]}); apt install golang-go golang-github-robfig-cron-dev")
    else:
        print("left out: robfig; apt install golang-go golang-github-robfig-cron-dev")
    python = WORK / "venv/bin/python"
    try:
        if not python.exists():
            run([sys.executable, "-m", "venv", WORK / "venv"])
            run([python, "-m", "pip", "install", "-q", "cronsim", "croniter", "apscheduler<4", "tzdata"])
        for peer in ("cronsim", "croniter", "apscheduler"):
            peers[peer] = [python, HERE / "peers/python.py", peer]
    except subprocess.CalledProcessError:
        print("left out: cronsim, croniter, apscheduler; they come from PyPI, which cannot be reached")
    return peers


def enumerate_rule(peers):
    """One rule in a zone with daylight saving over a year: nanoseconds an entry; all must find the same entries."""
    bench = ROOT / ".build/release/timeline-bench"
    contestants = {"ours, walking": [bench, "cursor"], "ours, next(after:)": [bench, "next"], **peers}
    rounds, work = {name: [] for name in contestants}, {}
    for _ in range(ROUNDS):
        for name, words in contestants.items():
            result = json.loads(run([*words, RULE, ZONE, *YEAR]))
            work.setdefault((result["count"], result["sum"]), []).append(name)
            rounds[name].append(result["nanoseconds"] / result["count"])
    if len(work) > 1:
        sys.exit(f"not the same work: { {key: sorted(set(names)) for key, names in work.items()} }")
    print(f"\n{RULE} in {ZONE}, 2026: {next(iter(work))[0]} entries each, ns an entry")
    medians = {name: statistics.median(values) for name, values in rounds.items()}
    base = medians["ours, next(after:)"]
    for name, median in sorted(medians.items(), key=lambda item: item[1]):
        print(f"  {name:20} {median:12.1f}   {median / base:9.2f} x ours")
    return rounds


def configuration(count):
    """`count` jobs of which one fires each second and the others rarely, each at a minute of its own."""
    jobs = ['[job.probe]\nplugin = "log"\nschedule = { periodic = { by = "1s" } }\nwith = { message = "x" }\n']
    for number in range(count - 1):
        rule = f"{number % 60} {number // 60 % 24} {number // 1440 % 28 + 1} {number // 40320 % 12 + 1} *"
        jobs.append(f'[job.j{number}]\nplugin = "log"\nschedule = {{ cron = "{rule}" }}\nwith = {{ message = "x" }}\n')
    return "".join(jobs)


def start_daemon(folder):
    """A daemon on the configuration in `folder` once it has said that it is ready, and how long that took in ms."""
    notify = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    notify.bind(f"{folder}/notify")
    notify.settimeout(120)
    environment = dict(os.environ, NOTIFY_SOCKET=f"{folder}/notify")
    begin = time.perf_counter()
    daemon = subprocess.Popen(
        [STAGE / "timelined", "--config", f"{folder}/t.toml", "--state", f"{folder}/state", "--control", f"{folder}/c.sock"],
        env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    while b"READY=1" not in notify.recv(4096):
        pass
    ready = 1000 * (time.perf_counter() - begin)

    def listen():
        # As a service manager does: its socket holds few messages, and the daemon waits for room.
        while notify.recv(4096) != b"over":
            pass

    threading.Thread(target=listen, daemon=True).start()
    notify.settimeout(None)
    return daemon, ready, notify


def figures(process):
    text = Path(f"/proc/{process}/status").read_text()
    return {line.split(":")[0]: line.split()[1] for line in text.splitlines() if line.startswith(("VmRSS", "voluntary"))}


def daemon_at(count, seconds):
    """Start to READY, resident memory, and how late the probe is, beside a bare thread that sleeps to the same instants."""
    with tempfile.TemporaryDirectory(dir=WORK) as folder:
        Path(f"{folder}/t.toml").write_text(configuration(count))
        daemon, ready, notify = start_daemon(folder)
        bare = subprocess.Popen([WORK / "nanosleep", str(seconds)], stdout=subprocess.PIPE, text=True)
        limit = sorted(int(line) for line in bare.communicate()[0].split())
        memory = int(figures(daemon.pid)["VmRSS"]) / 1024
        lines = run([STAGE / "timelinectl", "--socket", f"{folder}/c.sock", "history", "probe", "-n", "100", "--json"])
        late = sorted(json.loads(line)["latenessNanoseconds"] for line in lines.splitlines() if "latenessNanoseconds" in line)
        daemon.terminate()
        daemon.wait(30)
        over = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        over.sendto(b"over", f"{folder}/notify")
        over.close()

    def at(values, share):
        return values[min(len(values) - 1, int(share * len(values)))] / 1000

    print(f"  {count:7} jobs: ready in {ready:8.1f} ms, {memory:6.1f} MiB resident, start late p50 {at(late, .5):7.1f} us "
          f"(a bare thread {at(limit, .5):7.1f}), p90 {at(late, .9):7.1f} ({at(limit, .9):7.1f})")
    return {"ready_ms": ready, "resident_mib": memory, "late_ns": late, "bare_ns": limit}


def dry_run(count):
    """A week of a configuration through the whole engine as a process, in ns an entry."""
    with tempfile.TemporaryDirectory(dir=WORK) as folder:
        path = Path(f"{folder}/t.toml")
        path.write_text(configuration(count))
        times, words = {"table": [], "--json": []}, [STAGE / "timelinectl", "dry-run", "-c", path, "--for", "7d", "--from", "2026-01-01T00:00:00Z"]
        for _ in range(ROUNDS):
            for form in times:
                begin = time.perf_counter_ns()
                done = subprocess.run([*words, *(["--json"] if form == "--json" else [])], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, check=True)
                elapsed = time.perf_counter_ns() - begin
                entries = int(done.stderr.strip().splitlines()[-1].split()[1].replace(",", ""))
                times[form].append(elapsed / entries)
    print(f"\ndry run of a week, {count} jobs, {entries} entries, whole process, ns an entry: " + ", ".join(
        f"{form} {statistics.median(values):.0f}" for form, values in times.items()))
    return times


def main():
    WORK.mkdir(parents=True, exist_ok=True)
    run(["cc", "-O2", "-o", WORK / "nanosleep", HERE / "peers/nanosleep.c"])
    results = {"cron": enumerate_rule(build_peers()), "dry-run": dry_run(1000)}
    print("\nthe daemon, with ledger and control socket open; one job fires each second, the others rarely:")
    seconds = int(os.environ.get("SECONDS_", "15"))
    results["daemon"] = {count: daemon_at(count, seconds) for count in (1, 1_000, 10_000)}
    (ROOT / ".build/bench.json").write_text(json.dumps(results, indent=1))
    print("\nevery round is in .build/bench.json")


if __name__ == "__main__":
    main()
