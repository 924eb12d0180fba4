"""A server of our own, with the roles and tables that docs/store.md tells an administrator to make."""

import contextlib
import re
from pathlib import Path

from adapter import Adapter
from server import Server


class World:
    """A PostgreSQL, and credential files for it."""

    def __init__(self, scratch, page):
        self.scratch = Path(scratch)
        (self.scratch / "server").mkdir()
        self.scratch.chmod(0o755)
        self.server = Server(self.scratch / "server")
        self.page = Path(page).read_text()

    def start(self):
        """Starts a new server with the roles of an owner of tables, of nodes, and of one who is asked for a password."""
        self.server.create().start()
        self.server.sql("create role owner login; create role node login; create role pw login password 'right'")

    # A lease that a slow node lets run out, and the time in which it does; what races have to come to at least.
    lease, lapse, patience = 120, 0.15, 1
    claims_min, changes_min = 1_000, 5

    def adapter(self, name):
        """An adapter of a node."""
        return Adapter(self.credential(name))

    def deadlocks(self):
        return int(self.server.sql("select deadlocks from pg_stat_database where datname = 'postgres'"))

    def credential(self, name, text=None, mode=0o600):
        file = self.scratch / name
        file.write_text((text or self.server.info("node")) + "\n")
        file.chmod(mode)
        return file

    def prepare(self):
        """Makes the tables as an administrator does, by the page."""
        make, grant = re.findall(r"```sql\n(.*?)```", self.page, re.S)
        self.server.sql(make)
        owner = Adapter(self.credential("owner", self.server.info("owner")))
        owner.call("initialize", cluster="main")
        owner.end()
        self.server.sql(grant, user="owner")

    def claims(self, cluster):
        """The number of a cluster's claims."""
        return int(self.server.sql(
            "select count(*) from timelined.claim join timelined.job j on j.id = claim.job join timelined.cluster k on k.id = j.cluster "
            f"where k.name = '{cluster}'"))


@contextlib.contextmanager
def a_world(scratch, page):
    """A world whose server runs within the block."""
    world = World(scratch, page)
    try:
        world.start()
        yield world
    finally:
        world.server.stop("immediate")
