"""Three members of etcd, one on each node: what happens to the network of a node happens to its member."""

import base64
import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "Store"))
from etcd import Etcd  # noqa: E402 - it lies beside


class EtcdDatabase:
    """The members, by the names of the nodes."""

    # Two timeouts in which a new leader is elected, and the one by which it prolongs leases.
    ELECTION = 3
    NEMESES = ("store_crash", "leader_kill", "leader_freeze", "quorum_freeze", "peers_cut")
    # Faults of nodes that a short run with this store has; those of PostgreSQL are the others.
    OF_NODES = ("kill_all", "stop", "freeze", "freeze_hosts", "freeze_adapter", "reload", "clone")
    # With these nothing else is done at the same time: with two members cut off no node could renew its lease.
    ALONE = frozenset({*NEMESES, "clone", "cut", "cut_in", "cut_out", "loss"})

    def __init__(self, directory, network):
        nodes = list(network.nodes)
        addresses = [network.address(number) for number in range(len(nodes))]
        # Not as quick as the members of the store's tests: the machine is busier.
        self.etcd = Etcd(
            directory, len(nodes), addresses, lambda name: network.inside(nodes[int(name[1:])]),
            ("--heartbeat-interval", "100", "--election-timeout", "1000"))
        self.nodes = dict(zip(nodes, self.etcd.members))

    def prepare(self, _):
        self.etcd.start()

    def table(self, _):
        """The store in the configuration of a node."""
        urls = ", ".join(f'"{url}"' for url in self.etcd.endpoints)
        return f"{{ etcd = {{ endpoints = [{urls}] }} }}"

    def initializing(self, _):
        """The words by which `cluster init` finds what it needs beside the configuration."""
        return []

    def grant(self):
        """There is nobody to be granted anything."""

    def leader(self):
        """The node whose member is the leader, and the member."""
        leader = self.etcd.leader()
        return next((name, member) for name, member in self.nodes.items() if member is leader)

    def crash(self):
        self.etcd.stop()

    def recover(self):
        for member in self.etcd.members:
            member.start("existing")

    def freeze(self, count):
        """Freezes the leader and others, so many in all; returns the function that heals it."""
        _, leader = self.leader()
        chosen = [leader, *(member for member in self.etcd.members if member is not leader)][:count]
        for member in chosen:
            member.freeze()

        def heal():
            for member in chosen:
                member.thaw()

        return heal

    def stop(self):
        self.etcd.stop()

    def dump(self):
        """Records of the shared jobs, as JSON."""
        found = json.loads(self.etcd.control("get", "--prefix", "--write-out=json", "timelined/proof/record/"))
        records = [json.loads(base64.b64decode(item["value"])) for item in found.get("kvs", [])]
        return json.dumps({"records": [
            {"job": one["key"]["job"], "nominal": one["key"]["nominal"], "first": one["firstNominal"], "count": one["entryCount"],
             "outcome": one["outcome"], "cause": one["cause"], "node": one["node"], "epoch": one["epoch"], "reason": one["reason"],
             "token": one.get("token"), "started": one.get("startedAt"), "ended": one["endedAt"]} for one in records]})
