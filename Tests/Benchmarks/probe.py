"""probe.py: a daemon of ours with jobs of peers/probe.c in its own process, and when each of them was called."""
import contextlib
import os
import struct
import time
from pathlib import Path

import daemons
import equipment


def library(bench):
    source = bench.sources / "peers/probe.c"
    words = [equipment.tool("cc", "gcc"), "-std=c17", "-D_GNU_SOURCE", "-O2", "-shared", "-fPIC", "-fvisibility=hidden",
             f"-I{bench.root}/Sources/Base/CTimelinePlugin/include", "-o", bench.work / "probe.so", source]
    return equipment.compiled(bench, words, "probe.so", source)


def job(bench, name, schedule, keys=""):
    return f'[job.{name}]\nplugin = "{library(bench)}"\nisolation = "in-process"\nschedule = {schedule}\n{keys}\n'


class Sheet:
    """What the probe noted."""

    def __init__(self, path):
        self.path = path

    def calls(self):
        """(nominal instant, lateness) of each call, in nanoseconds, in the order of the calls; none before the first."""
        if not self.path.exists():
            return []
        data = self.path.read_bytes()
        # The probe has made the file and not written to it yet.
        if len(data) < 16:
            return []
        count, room = struct.unpack_from("qq", data)
        records = struct.iter_unpack("qq", data[16:16 + 16 * min(count, room)])
        return [(nominal, called - nominal) for nominal, called in records]


@contextlib.contextmanager
def sheet(bench, room):
    """A sheet that the probes of a daemon write to which is the next to be started within the block."""
    path = bench.work / f"sheet-{os.getpid()}-{time.monotonic_ns()}"
    os.environ["PROBE_SHEET"], os.environ["PROBE_ROOM"] = str(path), str(room)
    try:
        yield Sheet(path)
    finally:
        for name in ("PROBE_SHEET", "PROBE_ROOM"):
            os.environ.pop(name, None)
        Path(path).unlink(missing_ok=True)


def share(values, part):
    """The value below which that part of them lies."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(part * len(ordered)))]


def started(bench, text, build=None):
    return daemons.daemon(bench, text, build=build)
