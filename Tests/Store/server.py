"""A PostgreSQL of our own: initdb in a directory, a Unix socket, no root, `fsync` on."""

import contextlib
import glob
import os
import pwd
import subprocess
import sys
import time
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parent.parent))
from freezing import freeze, thaw  # noqa: E402 - it lies above
from patience import patience  # noqa: E402

LIMIT_SECONDS = patience(60)
# The server refuses to run as root.
USER = "nobody"


def programs():
    """The directory of the newest server that is installed."""
    found = sorted(glob.glob("/usr/lib/postgresql/*/bin"), key=lambda path: int(path.split("/")[4]))
    if not found:
        raise SystemExit("no PostgreSQL is installed: apt-get install postgresql-15")
    return Path(found[-1])


class Server:
    """One server in `directory`; its Unix socket is there, too."""

    def __init__(self, directory, name="data"):
        self.bin = programs()
        self.directory, self.data = Path(directory), Path(directory) / name
        self.as_user = {}
        if os.geteuid() == 0:
            user = pwd.getpwnam(USER)
            os.chown(directory, user.pw_uid, user.pw_gid)
            self.as_user = {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": []}

    def run(self, program, *arguments, check=True, **options):
        """Runs one of the server's programs as its user; returns what it printed."""
        done = subprocess.run(
            [self.bin / program, *map(str, arguments)], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, text=True, timeout=LIMIT_SECONDS, cwd=self.directory, **self.as_user, **options)
        if check and done.returncode != 0:
            raise AssertionError(f"{program} failed: {done.stdout}")
        return done.stdout.strip()

    def create(self, port=5432):
        self.port = port
        self.run("initdb", "-D", self.data, "-U", "admin", "--auth=trust", "--no-sync", "-E", "UTF8", "--locale=C")
        self.configure(port)
        # One role is asked for its password.
        hba = self.data / "pg_hba.conf"
        hba.write_text("local all pw scram-sha-256\n" + hba.read_text())
        return self

    def configure(self, port):
        self.port = port
        with open(self.data / "postgresql.conf", "a") as file:
            # A server that is told to acknowledge before the disk has it: the adapter must not go along with that.
            file.write(
                f"port = {port}\nlisten_addresses = ''\nunix_socket_directories = '{self.directory}'\n"
                "fsync = on\nrecovery_init_sync_method = syncfs\nsynchronous_commit = off\nwal_writer_delay = 10s\nmax_connections = 40\n"
                "autovacuum = off\nshared_buffers = 16MB\nwal_level = replica\nmax_wal_senders = 4\n")

    def start(self):
        self.run("pg_ctl", "-D", self.data, "-l", self.directory / f"log-{self.port}", "-w", "start")
        return self

    def stop(self, mode="fast"):
        self.run("pg_ctl", "-D", self.data, "-w", "-m", mode, "stop", check=False)

    def promote(self):
        self.run("pg_ctl", "-D", self.data, "-w", "promote")

    def info(self, user="admin", database="postgres", **more):
        fields = {"host": self.directory, "port": self.port, "user": user, "dbname": database, **more}
        return " ".join(f"{key}={value}" for key, value in fields.items())

    def sql(self, *texts, user="admin", database="postgres"):
        """Runs each text in a transaction of its own; returns the rows as text."""
        commands = [word for text in texts for word in ("-c", text)]
        return self.run("psql", "-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1", "-d", self.info(user, database), *commands)

    def session(self, text):
        """Starts psql with statements and keeps it running until it is closed by `end`."""
        process = subprocess.Popen(
            [self.bin / "psql", "-X", "-q", "-A", "-t", "-d", self.info()], stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **self.as_user)
        process.stdin.write(text + "\n\\echo ready\n")
        process.stdin.flush()
        while process.stdout.readline().strip() != "ready":
            assert process.poll() is None, "psql has ended"
        return process

    def freeze(self):
        """Stops the server's process, and then its children: it starts no more of them."""
        freeze(self.postmaster)
        freeze(*self.children)

    def thaw(self):
        """The reverse of `freeze`: children that have ended are there until the server's process goes on."""
        thaw(*self.children, self.postmaster)

    @contextlib.contextmanager
    def frozen(self):
        """The server does not go on within the block."""
        self.freeze()
        try:
            yield
        finally:
            self.thaw()

    @property
    def postmaster(self):
        return int((self.data / "postmaster.pid").read_text().split()[0])

    @property
    def children(self):
        return [int(pid) for pid in Path(f"/proc/{self.postmaster}/task/{self.postmaster}/children").read_text().split()]


def until(condition, sentence):
    """Waits until the condition holds."""
    end = time.monotonic() + LIMIT_SECONDS
    while not condition():
        assert time.monotonic() < end, f"it did not come to pass: {sentence}"
        time.sleep(0.02)
