"""Stops and continues processes of tests, with SIGSTOP and SIGCONT."""

import contextlib
import os
import signal
import sys
import time
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parent))
from patience import patience  # noqa: E402 - it lies beside this file

LIMIT_SECONDS = patience(60)


def freeze(*pids):
    """Stops the processes, and returns when no thread of theirs runs: kill(2) reaches one thread, and until the kernel schedules that one,
    the others go on. Without an effect on processes that have ended.
    """
    send(signal.SIGSTOP, pids)
    end = time.monotonic() + LIMIT_SECONDS
    while not all(stands_still(pid) for pid in pids):
        assert time.monotonic() < end, f"SIGSTOP has not stopped {pids}"
        time.sleep(0.001)


def thaw(*pids):
    """Lets the processes go on. Without an effect on processes that have ended."""
    send(signal.SIGCONT, pids)


@contextlib.contextmanager
def frozen(*pids):
    """Processes that are stopped within the block, however it ends."""
    try:
        freeze(*pids)
        yield
    finally:
        thaw(*pids)


def send(number, pids):
    for pid in pids:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, number)


def stands_still(pid):
    """Whether each thread is stopped (T), or has ended (Z, X). A thread that waits for a disk (D) stops after that."""
    for task in Path(f"/proc/{pid}/task").glob("*"):
        with contextlib.suppress(FileNotFoundError, ProcessLookupError):
            if (task / "stat").read_text().rpartition(")")[2].split()[0] not in "TZX":
                return False
    return True
