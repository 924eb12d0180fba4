"""PostgreSQL on the bridge: a primary and a standby that follows it, of which each can take the other's place."""

import contextlib
import shutil
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "Store"))
from server import Server, until  # noqa: E402 - it lies beside


class Database:
    """Two servers in one directory. `primary` is the one that takes writes."""

    PORTS = (5433, 5434)
    ELECTION = 0
    NEMESES = ("store_crash", "store_freeze", "store_promotion", "standby_freeze")
    # Faults of nodes that a short run with this store has; those of etcd are the others.
    OF_NODES = ("kill", "freeze_all", "restart", "leave", "cut", "cut_in", "cut_out", "loss", "clock", "diverge")
    # With these nothing else is done at the same time: they need a primary that answers.
    ALONE = frozenset({"store_promotion", "standby_freeze", "clone"})

    def __init__(self, directory, network):
        self.network = network
        self.directory = Path(directory)
        self.directory.mkdir()
        self.primary = Server(self.directory, "first")
        self.standby = Server(self.directory, "second")

    @property
    def connection(self):
        """What the nodes are told: both servers, of which the adapter uses the primary."""
        return f"host={self.network.store},{self.network.store} port={self.PORTS[0]},{self.PORTS[1]} user=node dbname=postgres"

    def prepare(self, directory):
        """Starts the servers, and writes the files by which nodes and the owner of the tables find them."""
        self.create()
        for name, text in [("credential", self.connection), ("owner", self.primary.info("owner"))]:
            path = directory / name
            path.write_text(text + "\n")
            path.chmod(0o600)

    def table(self, directory):
        """The store in the configuration of a node."""
        return f'{{ postgresql = {{ credential = "{directory}/credential" }} }}'

    def initializing(self, directory):
        """The words by which `cluster init` finds what it needs beside the configuration."""
        return ["--credential", directory / "owner"]

    def create(self):
        self.primary.create(self.PORTS[0])
        self._listen(self.primary)
        with open(self.primary.data / "pg_hba.conf", "a") as file:
            file.write(f"host all node {self.network.prefix}.0/24 trust\n")
        self.primary.start()
        self.primary.sql("create role owner login; create role node login; grant create on database postgres to owner")
        self.standby.port = self.PORTS[1]
        self.follow()

    def _listen(self, server):
        with open(server.data / "postgresql.conf", "a") as file:
            file.write(f"listen_addresses = '{self.network.store}'\nwal_keep_size = 256MB\n")

    def follow(self):
        """Makes the standby anew from the primary, and starts it."""
        self.standby.stop("immediate")
        shutil.rmtree(self.standby.data, ignore_errors=True)
        self.primary.run(
            "pg_basebackup", "-D", self.standby.data, "-d", self.primary.info(), "-X", "stream", "-c", "fast", "-R")
        self.standby.configure(self.standby.port)
        self._listen(self.standby)
        self.standby.start()
        until(lambda: self.primary.sql("select count(*) from pg_stat_replication") == "1", "the standby follows")

    def grant(self):
        """Gives the nodes what docs/store.md lists."""
        self.primary.sql(
            "grant usage on schema timelined to node",
            "grant select, insert, update, delete on all tables in schema timelined to node",
            "grant usage on all sequences in schema timelined to node", user="owner")

    # What goes wrong with it.

    def crash(self):
        self.primary.stop("immediate")

    def recover(self):
        self.primary.start()

    def detach(self):
        """Has the standby receive nothing more, so that it lags."""
        self.standby.sql("alter system set primary_conninfo = ''", "select pg_reload_conf()")
        until(lambda: self.primary.sql("select count(*) from pg_stat_replication") == "0", "the standby lags")

    def promote(self):
        """Ends the primary, and has the standby take its place."""
        self.primary.stop("immediate")
        self.standby.promote()
        self.primary, self.standby = self.standby, self.primary

    def synchronous(self, is_on):
        names = "*" if is_on else ""
        self.primary.sql(f"alter system set synchronous_standby_names = '{names}'", "select pg_reload_conf()")

    def stop(self):
        for server in (self.primary, self.standby):
            # Without it, or with half of it, the server does not run.
            with contextlib.suppress(OSError, ValueError):
                server.thaw()
            if server.data.exists():
                server.stop("immediate")

    def dump(self):
        """Records and claims of the shared jobs, as JSON."""
        return self.primary.sql(
            """select json_build_object(
              'records', (select json_agg(json_build_object('job', j.name, 'nominal', r.nominal, 'first', r.first_nominal,
                'count', r.entry_count, 'outcome', r.outcome, 'cause', r.cause, 'node', r.node, 'epoch', r.epoch, 'reason', r.reason,
                'token', r.token, 'started', r.started_at, 'ended', r.ended_at))
                from timelined.record r join timelined.job j on j.id = r.job),
              'claims', (select json_agg(json_build_object('job', j.name, 'nominal', c.nominal, 'token', c.token,
                'settled', c.is_settled)) from timelined.claim c join timelined.job j on j.id = c.job))""")
