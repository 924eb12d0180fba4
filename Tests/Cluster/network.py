"""Network namespaces on a bridge, one for each node, and what can go wrong between them."""

import os
import signal
import subprocess
import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parent.parent))
from patience import patience  # noqa: E402 - it lies above

STORES = ["postgresql", "etcd"]


def prefix(store, part=1):
    """The network of a cluster with a store, in a range that no real network is likely to have (benchmarks, RFC 2544). Parts of a plan of
    faults have one each, so that they can run beside each other.
    """
    return f"198.19.{77 + STORES.index(store) + len(STORES) * (part - 1)}"


def run(*words, check=True):
    return subprocess.run(words, check=check, capture_output=True, text=True, timeout=patience(20))


class Network:
    """A bridge with the store's address, and a namespace for each node. Names have the process's number: several can be there at once."""

    def __init__(self, nodes, store, part=1):
        self.prefix = prefix(store, part)
        # The address of the bridge, at which a server listens.
        self.store = f"{self.prefix}.1"
        self.bridge = f"tlc{os.getpid()}"[:15]
        self.nodes = {node: f"{self.bridge}-{node}" for node in nodes}

    @staticmethod
    def problem(store, part=1):
        """The reason why namespaces cannot be made here; `None` if they can."""
        if os.geteuid() != 0:
            return "not root: network namespaces cannot be made"
        for words in (["ip", "-V"], ["iptables", "-V"]):
            try:
                run(*words)
            except (OSError, subprocess.SubprocessError):
                return f"no {words[0]}: apt-get install iproute2 iptables"
        if f" {prefix(store, part)}.1/" in run("ip", "-o", "addr").stdout:
            return f"another run has the network {prefix(store, part)}.0/24: wait for its end"
        name = f"tlc{os.getpid()}-try"
        if run("ip", "netns", "add", name, check=False).returncode != 0:
            return "network namespaces cannot be made"
        tried = run("ip", "netns", "exec", name, "iptables", "-w", "-A", "INPUT", "-j", "DROP", check=False)
        run("ip", "netns", "del", name, check=False)
        return None if tried.returncode == 0 else "iptables has no rules in a namespace: " + tried.stderr.strip()

    def address(self, number):
        """The address of a node, by its number."""
        return f"{self.prefix}.{number + 11}"

    def create(self):
        run("ip", "link", "add", self.bridge, "type", "bridge")
        run("ip", "addr", "add", f"{self.store}/24", "dev", self.bridge)
        run("ip", "link", "set", self.bridge, "up")
        for number, (node, name) in enumerate(self.nodes.items()):
            link = f"{self.bridge[3:]}v{node}"
            run("ip", "netns", "add", name)
            run("ip", "link", "add", link, "type", "veth", "peer", "name", "eth0", "netns", name)
            run("ip", "link", "set", link, "master", self.bridge, "up")
            run("ip", "-n", name, "addr", "add", f"{self.address(number)}/24", "dev", "eth0")
            run("ip", "-n", name, "link", "set", "eth0", "up")
            run("ip", "-n", name, "link", "set", "lo", "up")

    def remove(self):
        """Removes all, with every process that is still inside: one that is stopped would stay for ever."""
        for name in self.nodes.values():
            for pid in run("ip", "netns", "pids", name, check=False).stdout.split():
                try:
                    os.kill(int(pid), signal.SIGKILL)
                except ProcessLookupError:
                    pass
            run("ip", "netns", "del", name, check=False)
        run("ip", "link", "del", self.bridge, check=False)

    def inside(self, node):
        """The words before a command that is to run on a node; the process is the command's own."""
        return ["ip", "netns", "exec", self.nodes[node]]

    def identity(self, node):
        """The number by which a process finds its namespace."""
        return os.stat(f"/run/netns/{self.nodes[node]}").st_ino

    def drop(self, node, chains, share=None, port=None):
        """Drops what a node receives (`INPUT`), what it sends (`OUTPUT`), a share of it, or what comes from or goes to a port."""
        some = [] if share is None else ["-m", "statistic", "--mode", "random", "--probability", str(share)]
        ends = [[]] if port is None else [["-p", "tcp", side, str(port)] for side in ("--dport", "--sport")]
        for chain in chains:
            for end in ends:
                run(*self.inside(node), "iptables", "-w", "-A", chain, *end, *some, "-j", "DROP")

    def heal(self, node):
        run(*self.inside(node), "iptables", "-w", "-F")
