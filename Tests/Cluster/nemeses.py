"""What is done to the nodes and the store: each nemesis strikes, and heals what it did."""

import random
import signal
import sys
import time
from dataclasses import dataclass
from pathlib import Path

from world import Fault

sys.path.append(str(Path(__file__).resolve().parent.parent))
from freezing import freeze, thaw  # noqa: E402 - it lies above
from share import taken  # noqa: E402


@dataclass
class Strike:
    """One fault that is under way, and how it is healed."""

    fault: Fault
    heal: object


class Nemeses:
    """Each method begins a fault on a node and returns the function that heals it."""

    def __init__(self, world, dice):
        self.world, self.dice = world, dice

    # A daemon and its processes.

    def kill(self, node):
        node.kill(with_hosts=False)
        return node.start

    def kill_all(self, node):
        node.kill(with_hosts=True)
        return node.start

    def stop(self, node):
        node.stop()
        return node.start

    def restart(self, node):
        node.stop()
        node.start()
        return lambda: None

    def freeze(self, node):
        return self._freeze([node.process.pid])

    def freeze_hosts(self, node):
        return self._freeze(node.hosts())

    def freeze_adapter(self, node):
        return self._freeze(node.adapters())

    def freeze_all(self, node):
        return self._freeze([node.process.pid, *node.hosts(), *node.adapters()])

    def _freeze(self, pids):
        freeze(*pids)
        return lambda: thaw(*pids)

    def leave(self, node):
        self._must(node, "cluster", "leave")

        def heal():
            node.stop()
            node.start()

        return heal

    def clone(self, node):
        """A daemon is started with a copy of the node's state, under the same name."""
        copy = node.copy()
        copy.start()
        return lambda: copy.kill(with_hosts=True)

    # A node's network and clock.

    def cut(self, node):
        return self._drop(node, ["INPUT", "OUTPUT"])

    def cut_in(self, node):
        return self._drop(node, ["INPUT"])

    def cut_out(self, node):
        return self._drop(node, ["OUTPUT"])

    def loss(self, node):
        return self._drop(node, ["INPUT"], 0.3)

    def _drop(self, node, chains, share=None):
        self.world.network.drop(node.name, chains, share)
        return lambda: self.world.network.heal(node.name)

    def clock(self, node):
        self._set_offset(node, self.dice.choice([5, -5]))
        return lambda: self._set_offset(node, 0)

    def _set_offset(self, node, seconds):
        node.set_offset(seconds)
        node.signal(signal.SIGUSR2)

    # A node's configuration.

    def reload(self, node):
        self._must(node, "reload")
        return lambda: None

    def diverge(self, node):
        name = self.dice.choice(["once", "least", "buffers"])
        node.timeouts = {name: 50}
        node.configure()
        self._must(node, "reload")
        if self.dice.random() < 0.5:
            time.sleep(self.world.lease / 2)
            # It may have lost the store: then it is for the next one.
            node.ask("cluster", "activate", name)

        def heal():
            node.timeouts = {}
            node.configure()
            self._must(node, "reload")

        return heal

    def _must(self, node, *words):
        status, text = node.ask(*words)
        if status != 0:
            self.world.surprises.append(f"node {node.name}: timelinectl {' '.join(words)} ended with status {status}: {text}")

    # The store, which is every node's.

    def store_crash(self, _):
        self.world.database.crash()
        return self.world.database.recover

    # Of PostgreSQL.

    def store_freeze(self, _):
        server = self.world.database.primary
        server.freeze()
        return server.thaw

    def store_promotion(self, _):
        """A standby that lags takes the primary's place: acknowledged claims are lost."""
        database = self.world.database
        database.detach()
        time.sleep(1.5)
        database.promote()
        return database.follow

    def standby_freeze(self, _):
        """Commits wait for a standby that does not answer."""
        database = self.world.database
        database.synchronous(True)
        time.sleep(0.5)
        database.standby.freeze()

        def heal():
            database.standby.thaw()
            database.synchronous(False)

        return heal

    # Of etcd.

    def leader_kill(self, _):
        _, member = self.world.database.leader()
        member.kill()
        return lambda: member.start("existing")

    def leader_freeze(self, _):
        return self.world.database.freeze(1)

    def quorum_freeze(self, _):
        return self.world.database.freeze(2)

    def peers_cut(self, _):
        """The leader is cut off from the other members, and not from the nodes."""
        name, _ = self.world.database.leader()
        self.world.network.drop(name, ["INPUT", "OUTPUT"], port=2380)
        return lambda: self.world.network.heal(name)


OF_NODES = ["kill", "kill_all", "stop", "restart", "freeze", "freeze_hosts", "freeze_adapter", "freeze_all", "leave", "cut", "cut_in",
            "cut_out", "loss", "clock", "reload", "diverge", "clone"]


def recovery(lease):
    """Seconds after a fault in which entries may still be late: a takeover, and the daemon's start."""
    return 2 * lease + 2


def plan(seed, seconds, lease, database, kinds=None):
    """What is done and when: kinds with nodes, the time they last, and the quiet time that follows. Every kind comes by turns."""
    dice = random.Random(seed)
    kinds = kinds or [*OF_NODES, *database.NEMESES]
    clock, script, bag = 0, [], []
    while True:
        if not bag:
            bag = dice.sample(kinds, len(kinds))
        chosen = [bag.pop()]
        is_pair = bag and may_be_pair(chosen[0], bag[-1], database)
        if is_pair and dice.random() < 0.3:
            chosen.append(bag.pop())
        # Two faults never have the same node.
        nodes = dice.sample(["a", "b", "c"], len(chosen))
        lasts = dice.uniform(0.5, 3.5) * lease
        quiet = recovery(lease) + lasts + 9
        if clock + lasts + quiet > seconds:
            return script
        script.append((list(zip(chosen, nodes)), lasts, quiet))
        clock += lasts + quiet


def short_plan(seed, lease, database, share=(1, 1)):
    """Each fault of the store and of its part of the nodes' once, two at a time where that can be, in the order of the seed; of a share
    (1, 2) the first of two parts of them.
    """
    dice = random.Random(seed)
    kinds = [*database.OF_NODES, *database.NEMESES]
    bag, script = dice.sample(kinds, len(kinds)), []
    while bag:
        chosen = [bag.pop()]
        beside = [kind for kind in bag if may_be_pair(chosen[0], kind, database)]
        if beside:
            bag.remove(beside[-1])
            chosen.append(beside[-1])
        nodes = dice.sample(["a", "b", "c"], len(chosen))
        # Some end before the lease does, and some after it.
        lasts = dice.uniform(0.5, 2) * lease
        script.append((list(zip(chosen, nodes)), lasts, recovery(lease) + lasts + 6))
    return taken(script, share)


def may_be_pair(one, other, database):
    """Whether two faults can be there at once. The store has one at a time: what is down cannot be frozen."""
    return not {one, other} & database.ALONE and not {one, other} <= {*database.NEMESES}


def strike(world, nemeses, chosen, lasts):
    """Does it, waits, and heals."""
    strikes = []
    for kind, name in chosen:
        node = world.nodes[name]
        fault = Fault(kind, [name] if kind in OF_NODES else sorted(world.nodes), time.time_ns())
        world.faults.append(fault)
        strikes.append(Strike(fault, getattr(nemeses, kind)(node)))
        # It takes some time: members of a store are asked who leads before they are frozen.
        fault.struck = time.time_ns()
    time.sleep(lasts)
    for one in reversed(strikes):
        one.fault.heal(one.heal)
    world.look_after()


