"""A thousand hostile clients, and what an honest one has of the server meanwhile."""

import json
import os
import subprocess
import sys
import time
from pathlib import Path

from servers import TOKEN, check, comes, patience

CLIENTS, STREAMS = 1000, 16


class Clients:
    """The hostile clients, in a process of their own."""

    def __init__(self, servers, cookie, count=CLIENTS, niceness=0):
        self.process = subprocess.Popen(
            ["nice", "-n", str(niceness), sys.executable, Path(__file__).with_name("clients.py"), str(servers.port), cookie, str(count), str(STREAMS)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def stop(self):
        """Ends them, and returns what they tell."""
        told, _ = self.process.communicate("")
        return json.loads(told)


def descriptors(process):
    return len(os.listdir(f"/proc/{process.pid}/fd"))


def resident(process):
    """Resident memory in MB."""
    for line in Path(f"/proc/{process.pid}/status").read_text().splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) / 1000
    return 0


def processor_seconds(process):
    fields = Path(f"/proc/{process.pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def answer(servers, cookie):
    """Seconds until an honest browser that is signed in has its window; more than any limit if it has none."""
    begin = time.monotonic()
    status = servers.status("GET", "/api/window", Cookie=cookie)
    return time.monotonic() - begin if status == 200 else 1_000


def sign_in(servers):
    """The cookie of a browser."""
    headers = servers.ask("POST", "/api/session", json.dumps({"token": TOKEN}))[1]
    return headers["Set-Cookie"].split(";")[0]


def check_crowd(servers, seconds=8):
    """Checks what an honest browser has of the server while the clients are there, and that nothing is left of them."""
    cookie = sign_in(servers)
    before = descriptors(servers.web)
    clients = Clients(servers, cookie)
    answers, strangers, most, memory = [], [], 0, 0
    try:
        check("hostile clients have taken all places", comes(lambda: descriptors(servers.web) >= before + 120), descriptors(servers.web))
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            answers.append(answer(servers, cookie))
            begin = time.monotonic()
            status = servers.status("POST", "/api/session", json.dumps({"token": "another-token-of-mine"}))
            strangers.append(time.monotonic() - begin if status == 403 else 1_000)
            most, memory = max(most, descriptors(servers.web)), max(memory, resident(servers.web))
            time.sleep(0.2)
    finally:
        told = clients.stop()
    check(f"{CLIENTS} hostile clients keep out no browser that is signed in", max(answers) < patience(5), max(answers))
    check("nor one that signs in", max(strangers) < patience(5), max(strangers))
    check("the server has a bounded number of connections, and memory", most < before + 200 and memory < 100, f"{most} {memory} MB")
    check("who was not slow was answered", told["answered"] > max(100, 10 * told["unanswered"]), told)
    check("and no connection is left", comes(lambda: descriptors(servers.web) <= before + 2), descriptors(servers.web))
    print(f"  {len(answers)} windows in at most {max(answers):.2f} s, sign-ins in {max(strangers):.2f} s; {most} descriptors, {memory:.0f} MB; {told}")
