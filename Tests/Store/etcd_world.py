"""An etcd of three members, as the store of clusters."""

import contextlib
from pathlib import Path

from adapter import Adapter, Store
from etcd import Etcd

SLACK = 1_100_000_000  # its clock is told in whole seconds


class EtcdWorld:
    """The members, and adapters for them."""

    # The shortest lease of etcd is a second; it looks for ended ones twice a second.
    lease, lapse, patience = 1_000, 1.9, 3
    claims_min, changes_min = 100, 0

    def __init__(self, scratch):
        self.scratch = Path(scratch)
        self.scratch.chmod(0o755)
        self.etcd = Etcd(self.scratch / "etcd")

    @property
    def store(self):
        return self.store_of(self.etcd.endpoints)

    def store_of(self, endpoints):
        words = [word for url in endpoints for word in ("--endpoint", url)]
        return Store(("etcd", *words), "etcd 3.", copies=len(self.etcd.members) - 1, slack=SLACK)

    def adapter(self, _=None, credential=None, store=None):
        return Adapter(credential, store or self.store)

    def credential(self, name, text, mode=0o600):
        file = self.scratch / name
        file.write_text(text + "\n")
        file.chmod(mode)
        return file

    def deadlocks(self):
        return 0


@contextlib.contextmanager
def an_etcd_world(scratch):
    """A world whose members run within the block."""
    world = EtcdWorld(scratch)
    try:
        world.etcd.start()
        yield world
    finally:
        world.etcd.stop()
