"""A standby takes the server's place."""

from adapter import Adapter
from rules import Cluster, granted, tokens
from server import Server


def a_promoted_standby_that_was_behind(world):
    """It has lost acknowledged claims. The identity tells so, tokens ascend all the same, and claims that are published again stay."""
    c = Cluster(Adapter(world.credential("primary")), "promoted")
    c.a.acquire("j")
    held = tokens(c.a.claim(("j", 1)))[0]
    standby = Server(world.server.directory, "standby")
    world.server.run("pg_basebackup", "-D", standby.data, "-d", world.server.info(), "-X", "stream", "-c", "fast", "--no-sync")
    renewal = c.a.renew()
    c.call("pause", job="j", since=1)
    # It follows nobody: what comes now it will never have.
    lost = {at: tokens(c.a.claim(("j", at)))[0] for at in range(10, 20)}
    (standby.data / "standby.signal").touch()
    standby.configure(5433)
    standby.start()
    try:
        # A standby is no store.
        adapter = Adapter(world.credential("standby", standby.info("node")))
        follow(c, adapter, standby, renewal, held, lost)
        adapter.end()
    finally:
        standby.stop("immediate")
    c.adapter.end()


def follow(c, adapter, standby, before, held, lost):
    identity = before["identity"]
    c.a.adapter = c.b.adapter = adapter
    try:
        c.a.renew()
    except Exception as problem:  # noqa: BLE001 - its kind is looked at
        assert getattr(problem, "kind", None) == "unavailable", problem
    else:
        raise AssertionError("a standby took a renewal")
    standby.promote()
    # At once: pg_control_checkpoint tells the former timeline until the next checkpoint.
    renewal = c.a.renew()
    assert renewal["identity"] != identity and renewal["identity"].split("/")[0] == identity.split("/")[0]
    assert renewal["identity"].endswith("/2")
    assert renewal["version"] > before["version"] + 10**9, "no version has two meanings"
    assert tokens(c.a.claim(("j", 1))) == [held], "what it has is as it was"
    assert c.a.acquire("j")["jobs"][0]["claims"][0]["nominal"] == 1, "what came later is lost"
    c.a.leave()
    c.b.acquire("j")
    again = c.b.claim(("j", 10))
    assert granted(again) == [True], "nobody can know of the lost claim"
    assert tokens(again)[0] > max(lost.values()), "but the token tells which one is later"
    assert tokens(again)[0] >> 40 == 2 and max(lost.values()) >> 40 == 1
    conflicts = c.a.publish(*[("j", at, token) for at, token in lost.items()])["conflicts"]
    assert [(one["key"]["nominal"], one["node"]) for one in conflicts] == [(10, "b")]
    assert granted(c.b.claim(*[("j", at) for at in lost])) == [True] + [False] * 9


ALL = [a_promoted_standby_that_was_behind]
