"""An etcd of our own: three members on loopback, or one; data in a directory, no root, `fsync` on."""

import os
import pwd
import shutil
import socket
import subprocess
import sys
import time
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parent.parent))
from freezing import freeze, thaw  # noqa: E402 - it lies above
from patience import patience  # noqa: E402

LIMIT_SECONDS = patience(60)
USER = "nobody"


def free_ports(count):
    """Ports of loopback that nobody has at present."""
    sockets = [socket.socket() for _ in range(count)]
    for one in sockets:
        one.bind(("127.0.0.1", 0))
    ports = [one.getsockname()[1] for one in sockets]
    for one in sockets:
        one.close()
    return ports


class Member:
    """One member of an etcd."""

    def __init__(self, etcd, name, address, client, peer):
        self.etcd, self.name, self.process = etcd, name, None
        self.client, self.peer = f"http://{address}:{client}", f"http://{address}:{peer}"
        self.data = etcd.directory / name

    def start(self, state="new", *options):
        with open(self.etcd.directory / f"log-{self.name}", "ab") as log:
            self.process = subprocess.Popen(
                [*self.etcd.inside(self.name), "etcd", "--name", self.name, "--data-dir", self.data,
                 "--listen-client-urls", self.client, "--advertise-client-urls", self.client,
                 "--listen-peer-urls", self.peer, "--initial-advertise-peer-urls", self.peer,
                 "--initial-cluster", ",".join(f"{one.name}={one.peer}" for one in self.etcd.members),
                 "--initial-cluster-token", self.etcd.token, "--initial-cluster-state", state,
                 # A leader that is gone has a successor within half a second.
                 "--heartbeat-interval", "50", "--election-timeout", "500", "--logger", "zap", *self.etcd.options, *options],
                stdin=subprocess.DEVNULL, stdout=log, stderr=log, cwd=self.etcd.directory, **self.etcd.as_user)

    def freeze(self):
        freeze(self.process.pid)

    def thaw(self):
        thaw(self.process.pid)

    def kill(self):
        if self.process and self.process.poll() is None:
            self.process.kill()
        if self.process:
            self.process.wait(LIMIT_SECONDS)

    def terminate(self):
        self.process.terminate()
        self.process.wait(LIMIT_SECONDS)

    def answers(self):
        done = self.etcd.control("endpoint", "health", endpoints=[self], check=False)
        return "is healthy" in done

    def is_leader(self):
        """Whether it says that it is the leader; one that is frozen says nothing."""
        if self.process is None or self.process.poll() is not None:
            return False
        words = self.etcd.control("endpoint", "status", "--write-out=simple", endpoints=[self], check=False).split(", ")
        return len(words) > 4 and words[4] == "true"


class Etcd:
    """Members in one directory."""

    def __init__(self, directory, count=3, addresses=None, inside=lambda name: [], options=()):
        self.directory = Path(directory)
        self.directory.mkdir(exist_ok=True)
        self.token, self.inside, self.options = "first", inside, options
        self.as_user = {}
        if os.geteuid() == 0:
            user = pwd.getpwnam(USER)
            os.chown(directory, user.pw_uid, user.pw_gid)
            if not addresses:
                self.as_user = {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": []}
        ports = free_ports(2 * count) if not addresses else [2379, 2380] * count
        addresses = addresses or ["127.0.0.1"] * count
        self.members = [
            Member(self, f"m{number}", addresses[number], ports[2 * number], ports[2 * number + 1]) for number in range(count)]

    def start(self, *options):
        for member in self.members:
            member.start("new", *options)
        until(lambda: all(member.answers() for member in self.members), "all members answer")
        return self

    def stop(self):
        for member in self.members:
            member.kill()

    @property
    def endpoints(self):
        return [member.client for member in self.members]

    def leader(self):
        found = []

        def look():
            found[:] = [member for member in self.members if member.is_leader()]
            return found

        until(look, "there is a leader")
        return found[0]

    def control(self, *words, endpoints=None, check=True, user=None):
        """Runs etcdctl; returns what it printed."""
        urls = ",".join(member.client for member in endpoints or self.members)
        account = ["--user", user] if user else []
        done = subprocess.run(
            ["etcdctl", "--endpoints", urls, "--dial-timeout=1s", "--command-timeout=3s", *account, *map(str, words)],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=LIMIT_SECONDS,
            env={**os.environ, "ETCDCTL_API": "3"})
        if check and done.returncode != 0:
            raise AssertionError(f"etcdctl {words[0]} failed: {done.stdout}")
        return done.stdout.strip()

    def restore(self, snapshot, token):
        """Ends all members, and starts them anew from a snapshot, as another cluster if the token is another."""
        self.stop()
        self.token = token
        for member in self.members:
            shutil.rmtree(member.data, ignore_errors=True)
            subprocess.run(
                ["etcdctl", "snapshot", "restore", snapshot, "--name", member.name, "--data-dir", member.data,
                 "--initial-cluster", ",".join(f"{one.name}={one.peer}" for one in self.members),
                 "--initial-cluster-token", token, "--initial-advertise-peer-urls", member.peer],
                check=True, capture_output=True, env={**os.environ, "ETCDCTL_API": "3"}, timeout=LIMIT_SECONDS)
            if self.as_user:
                subprocess.run(["chown", "-R", USER, member.data], check=True)
            member.start("existing")
        until(lambda: all(member.answers() for member in self.members), "all members answer")


def until(condition, sentence):
    """Waits until the condition holds."""
    end = time.monotonic() + LIMIT_SECONDS
    while not condition():
        assert time.monotonic() < end, f"it did not come to pass: {sentence}"
        time.sleep(0.02)
