"""clusters.py: a PostgreSQL of our own with the tables of a cluster, and daemons of ours that are its nodes. What knows the server, its tables and
the adapter is of the store's tests."""
import contextlib
import json
import sys
import tempfile
from pathlib import Path

import daemons
from frame import Missing

sys.path.append(str(Path(__file__).resolve().parent.parent / "Store"))
from adapter import Adapter
from server import until
from world import a_world


@contextlib.contextmanager
def store(bench):
    """A server that is prepared for clusters; it is ended, and its directory removed, when the block is left."""
    Adapter.program = bench.ours.stage / "timeline-store"
    # Not below the others, where the server's user might not come.
    with tempfile.TemporaryDirectory() as scratch, contextlib.ExitStack() as stack:
        try:
            world = stack.enter_context(a_world(scratch, bench.root / "docs/store.md"))
        except SystemExit as reason:
            raise Missing(str(reason)) from None
        world.prepare()
        yield world


@contextlib.contextmanager
def adapter(world, build):
    """An adapter as a node of that build has it."""
    class OfBuild(Adapter):
        program = build.stage / "timeline-store"

    made = OfBuild(world.credential("node"))
    try:
        yield made
    finally:
        made.end()


def make(world, build, cluster):
    with adapter(world, build) as made:
        made.call("initialize", cluster=cluster)


@contextlib.contextmanager
def node(bench, world, build, cluster, name, text, lease="10s"):
    """A daemon of that build on the configuration `text` that is a member."""
    lines = (f'[cluster]\nname = "{cluster}"\nlease = "{lease}"\nnode = {{ name = "{name}" }}\n'
             f'store = {{ postgresql = {{ credential = "{world.credential("node")}" }} }}\n')
    with daemons.daemon(bench, lines + text, build=build) as daemon:
        until(lambda: state(daemon), f"{name} is a member")
        yield daemon


def state(daemon):
    """What the daemon tells of its cluster; `None` while it is no member or cannot use the store."""
    try:
        return json.loads(daemon.control("cluster", "--json"))
    except RuntimeError:  # its exit status says so
        return None


def runs_jobs(daemon):
    told = state(daemon)
    return told is not None and any(job["isHere"] for job in told["jobs"])
