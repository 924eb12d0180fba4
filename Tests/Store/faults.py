"""What goes wrong with servers and processes, and what the adapter says about it."""

import os
import subprocess
import threading
import time

from adapter import Adapter, Failure, Late, Node
from rules import Cluster, granted, tokens
from server import LIMIT_SECONDS, patience, until


def failure(action):
    """The failure of a call that has to fail."""
    try:
        found = action()
    except Failure as problem:
        return problem
    raise AssertionError(f"it succeeded: {found}")


def fails(kind, action, words=""):
    problem = failure(action)
    assert problem.kind == kind and words in problem.message, problem
    assert "\n" not in problem.message


def cluster(world, name):
    """A new cluster with an adapter of its own, and the job j of node a."""
    c = Cluster(Adapter(world.credential(f"credential-{name}")), name)
    c.a.acquire("j")
    return c


def adapters_are_used_rightly(world):
    def ends(status, words, *arguments):
        done = subprocess.run(
            [Adapter.program, *map(str, arguments)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
            stdin=subprocess.DEVNULL, timeout=LIMIT_SECONDS)
        assert done.returncode == status and words in done.stdout, f"{arguments}: {done.returncode} {done.stdout}"

    good = world.credential("good")
    ends(0, "timeline-store postgresql --credential FILE", "--help")
    ends(0, "timeline-store 0.", "--version")
    ends(64, "error: store: none is given")
    ends(64, 'error: store "redis": it is not known', "redis")
    ends(64, "error: postgresql: it takes --credential FILE", "postgresql")
    ends(64, "error: descriptor 3: it is not a socket", "postgresql", "--credential", good)
    serve = ("postgresql", "--credential")
    ends(1, "no such file or directory", *serve, world.scratch / "missing")
    ends(1, "no regular file", *serve, world.scratch)
    for mode in (0o604, 0o602):
        ends(1, "others may", *serve, world.credential("open", mode=mode))
    if os.geteuid() == 0:  # a user's own group has nobody else in it
        file = world.credential("open", mode=0o640)
        os.chown(file, 0, 65534)
        ends(1, "others may read it", *serve, file)
    ends(1, "it has 2 lines", *serve, world.credential("lines", "a=b\nc=d"))
    ends(1, "at most 4096 bytes", *serve, world.credential("long", "a" * 5000))
    adapter = Adapter(world.scratch / "missing")
    fails("refused", lambda: adapter.call("status", cluster="main"), "missing: no such file or directory")
    world.credential("missing", world.server.info("admin"))
    fails("uninitialized", lambda: adapter.call("status", cluster="main"))
    adapter.end()


def no_tables(world):
    adapter = Adapter(world.credential("no-tables", world.server.info("admin")))
    fails("uninitialized", lambda: adapter.call("status", cluster="main"), "timelinectl cluster init")
    fails("uninitialized", lambda: adapter.call("join", cluster="main", node="a", epoch="0" * 32, leaseMilliseconds=1, labels={}, version=""))
    nobody = Adapter(world.credential("nobody"))
    fails("refused", lambda: nobody.call("initialize", cluster="main"), "permission denied")
    adapter.end()
    nobody.end()


def many_nodes_make_the_tables_at_once(world):
    for database in ("first", "second"):
        world.server.sql(f"create database {database}")
        file = world.credential(database, world.server.info("admin", database))
        adapters = [Adapter(file) for _ in range(6)]
        for number, adapter in enumerate(adapters):
            adapter.send("initialize", cluster=f"c{number % 2}")
        assert all(adapter.receive() for adapter in adapters)
        assert world.server.sql("select count(*) from timelined.cluster", database=database) == "2"
        for adapter in adapters:
            adapter.end()


def tables_of_a_later_version(world):
    adapter = Adapter(world.credential("second", world.server.info("admin", "second")))
    world.server.sql("update timelined.meta set version = 1000", database="second")
    fails("newer", lambda: adapter.call("status", cluster="c0"), "version 1000")
    fails("newer", lambda: adapter.call("initialize", cluster="c0"), "version 1000")
    adapter.end()


def tables_of_an_earlier_version(world):
    world.server.sql("alter table timelined.job drop column term, drop column incidents; update timelined.meta set version = 1", database="first")
    adapter = Adapter(world.credential("first", world.server.info("admin", "first")))
    fails("uninitialized", lambda: adapter.call("status", cluster="c1"), "older than this program")
    assert Cluster(adapter, "c1").a.acquire("j")["jobs"][0]["term"] == 1
    adapter.end()


def tables_that_came_from_another_server(world):
    c = Cluster(Adapter(world.credential("first", world.server.info("admin", "first"))), "c0")
    c.a.acquire("j")
    former = tokens(c.a.claim(("j", 1)))[0] | 7 << 40  # as if the other server had come to its seventh timeline
    world.server.sql(f"update timelined.meta set system = '1'; update timelined.claim set token = {former}", database="first")
    fails("uninitialized", lambda: c.a.claim(("j", 2)), "another server")
    c.call("initialize")
    assert tokens(c.a.claim(("j", 2)))[0] > former
    c.adapter.end()


def connections_that_are_refused(world):
    def refused(words, **info):
        adapter = Adapter(world.credential("refused", world.server.info(**info)))
        fails("unavailable", lambda: adapter.call("status", cluster="main"), words)
        adapter.end()

    refused("password authentication failed", user="pw", password="wrong")
    refused("does not exist", database="nowhere")
    refused("does not exist", user="stranger")
    text = world.credential("text", "no connection string at all")
    adapter = Adapter(text)
    fails("unavailable", lambda: adapter.call("status", cluster="main"))
    # The file is read anew for each connection.
    world.credential("text")
    assert adapter.call("status", cluster="main")["server"]
    adapter.end()


def rights_that_are_missing(world):
    world.server.sql("grant usage on schema timelined to pw; grant select on timelined.meta, timelined.cluster to pw", user="owner")
    adapter = Adapter(world.credential("password", world.server.info("pw", password="right")))
    fails("refused", lambda: Node(adapter, "main", "a").join(), "permission denied for table member (42501)")
    adapter.end()


def a_server_that_only_reads(world):
    c = cluster(world, "reading")
    world.server.sql("alter system set default_transaction_read_only = on", "select pg_reload_conf()")
    until(lambda: world.server.sql("show default_transaction_read_only") == "on", "the server only reads")
    try:
        fails("refused", lambda: c.a.claim(("j", 1)), "(25006)")
        fresh = Adapter(world.credential("fresh"))
        fails("refused", lambda: fresh.call("initialize", cluster="more"), "(25006)")
        assert c.call("status")["nodes"], "it can be asked"
        fresh.end()
    finally:
        world.server.sql(
            "set default_transaction_read_only = off", "alter system reset default_transaction_read_only", "select pg_reload_conf()")
    until(lambda: world.server.sql("show default_transaction_read_only") == "off", "the server writes")
    assert granted(c.a.claim(("j", 1))) == [True]
    c.adapter.end()


def a_full_disk(world):
    """A tablespace of two megabytes, which only root can make."""
    if os.geteuid() != 0:
        print("   not as root: no small disk", flush=True)
        return
    disk = world.server.directory / "small"
    disk.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=2m,mode=0777", "timeline-store", disk], check=True)
    try:
        os.chown(disk, os.stat(world.server.directory).st_uid, -1)
        world.server.sql(f"create tablespace small location '{disk}'")
        world.server.sql("alter table timelined.record set tablespace small")
        c = cluster(world, "full")

        def fill():
            for start in range(0, 10_000, 100):
                c.a.record(*[("j", start + at) for at in range(100)], reason="%d" % start * 200)

        fails("refused", fill, "(53100)")
        count = int(world.server.sql("select count(*) from timelined.record where cluster = (select id from timelined.cluster where name = 'full')"))
        assert count % 100 == 0 and count > 0, "a call is performed whole or not at all"
        assert granted(c.a.claim(("j", 10**6))) == [True], "what needs no room goes on"
        c.adapter.end()
        world.server.sql("delete from timelined.record where node = 'a' and reason <> ''")
    finally:
        world.server.sql("alter table timelined.record set tablespace pg_default", "drop tablespace small")
        subprocess.run(["umount", disk], check=True)


def a_lock_that_is_held(world):
    c = cluster(world, "locked")
    session = world.server.session("begin; select 1 from timelined.job where name = 'j' for update;")
    start = time.monotonic()
    fails("unavailable", lambda: c.a.claim(("j", 1)), "(55P03)")
    assert 1 < time.monotonic() - start < patience(15)
    session.communicate("rollback;\n", timeout=LIMIT_SECONDS)
    assert granted(c.a.claim(("j", 1))) == [True]
    c.adapter.end()


def backend(world):
    """The server's process of the adapter that has a transaction open, if there is one."""
    return world.server.sql(
        "select pid from pg_stat_activity where application_name = 'timeline-store' and state <> 'idle' and wait_event is not null "
        "and wait_event_type in ('Lock', 'IPC')")


def a_backend_that_is_killed(world):
    c = cluster(world, "killed")
    session = world.server.session("begin; select 1 from timelined.job where name = 'j' for update;")
    c.a.adapter.send("claim", cluster=c.name, epoch=c.a.epoch, claims=[{"key": {"job": "j", "nominal": 1}, "entryCount": 1}])
    until(lambda: backend(world), "the claim waits")
    world.server.sql(f"select pg_terminate_backend({backend(world)})")
    fails("unavailable", c.adapter.receive, "terminating connection")
    session.communicate("rollback;\n", timeout=LIMIT_SECONDS)
    assert c.call("history", limit=1)["claims"] == [], "it certainly had no effect"
    # A connection that was killed while it was idle is not even noticed.
    world.server.sql("select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'timeline-store'")
    assert granted(c.a.claim(("j", 1))) == [True]
    c.adapter.end()


def a_commit_whose_end_is_unknown(world):
    """With a synchronous standby that is gone, a commit waits in spite of all timeouts. It is not visible, and it is not undone."""
    c = cluster(world, "undecided")
    world.server.sql("alter system set synchronous_standby_names = 'gone'", "select pg_reload_conf()")
    until(lambda: world.server.sql("show synchronous_standby_names") == "gone", "a standby is waited for")
    claim = {"cluster": c.name, "epoch": c.a.epoch, "claims": [{"key": {"job": "j", "nominal": 1}, "entryCount": 1}]}
    try:
        c.adapter.send("claim", **claim)
        until(lambda: backend(world), "the commit waits")
        second = Adapter(world.credential("second-process"))
        fails("unavailable", lambda: second.call("take", cluster=c.name, epoch=c.a.epoch, claims=[
            {"key": {"job": "j", "nominal": 1}, "formerEpoch": c.b.epoch}]), "(55P03)")
        assert second.call("history", cluster=c.name, limit=1)["claims"] == [], "nobody sees it"
        second.end()
        world.server.sql(f"select pg_terminate_backend({backend(world)})")
        fails("undecided", c.adapter.receive, "may have had its effect")
    finally:
        world.server.sql("alter system reset synchronous_standby_names", "select pg_reload_conf()")
    until(lambda: world.server.sql("show synchronous_standby_names") == "", "no standby is waited for")
    open_claims = c.call("history", limit=1)["claims"]
    assert [one["epoch"] for one in open_claims] == [c.a.epoch], "it was performed after all"
    reply = c.a.claim(("j", 1))
    assert granted(reply) == [True] and tokens(reply) == [open_claims[0]["token"]], "to ask again settles it"
    c.adapter.end()


def a_server_that_crashes_loses_no_claim(world):
    """Although its own configuration acknowledges commits that are not on the disk."""
    assert world.server.sql("show synchronous_commit") == "off"
    c = cluster(world, "crash")
    acknowledged = {at: tokens(c.a.claim(("j", at)))[0] for at in range(200)}
    world.server.stop("immediate")
    fails("unavailable", lambda: c.a.claim(("j", 1000)))
    fails("unavailable", lambda: c.a.claim(("j", 1000)))
    world.server.start()
    for start in (0, 100):
        reply = c.a.claim(*[("j", start + at) for at in range(100)])
        assert tokens(reply) == [acknowledged[start + at] for at in range(100)]
    assert tokens(c.a.claim(("j", 1000)))[0] > max(acknowledged.values())
    c.adapter.end()


def a_server_that_crashes_in_the_middle(world):
    """Each entry has one token, whatever was answered."""
    c = cluster(world, "crashes")
    grants, problems, stopping = {}, [], threading.Event()

    def claim(number):
        adapter = Adapter(world.credential(f"crashes-{number}"))
        node, at = Node(adapter, "crashes", "a"), 0
        node.epoch = c.a.epoch
        while not stopping.is_set():
            try:
                for answer in node.claim(*[("j", at + one) for one in range(10)])["answers"]:
                    grants.setdefault(answer["key"]["nominal"], set()).add(answer["token"])
                at += 10
            except Failure as problem:
                problems.append(problem.kind)
                time.sleep(0.01)
        adapter.end()

    threads = [threading.Thread(target=claim, args=(number,)) for number in range(2)]
    for thread in threads:
        thread.start()
    until(lambda: len(grants) > 100, "entries are granted")
    world.server.stop("immediate")
    world.server.start()
    before = len(grants)
    until(lambda: len(grants) > before + 100, "entries are granted again")
    stopping.set()
    for thread in threads:
        thread.join()
    assert all(len(found) == 1 for found in grants.values()), "an entry has two tokens"
    assert problems and set(problems) <= {"unavailable", "undecided"}, set(problems)
    c.adapter.end()


def a_server_that_is_frozen(world):
    """Nothing but a deadline finds out; whoever kills the adapter gets on with a new one."""
    c = cluster(world, "frozen")
    c.a.claim(("j", 1))
    late = False
    with world.server.frozen():
        try:
            c.adapter.call("claim", seconds=1, cluster=c.name, epoch=c.a.epoch, claims=[])
        except Late:
            late = True
        c.adapter.kill()
    assert late, "a frozen server answered"
    c.a.adapter = Adapter(world.credential("after-frost"))
    assert granted(c.a.claim(("j", 1), ("j", 2))) == [True, True]
    c.a.adapter.end()


def an_adapter_whose_daemon_was_killed(world):
    """It ends although the server does not answer, and what it had begun is undone."""
    c = cluster(world, "orphan")
    with world.server.frozen():
        c.adapter.send("status", cluster=c.name)
        c.adapter.near.close()
        assert c.adapter.process.wait(LIMIT_SECONDS) == 1
    c.adapter.process.stderr.close()


def an_adapter_that_is_killed(world):
    c = cluster(world, "dead")
    session = world.server.session("begin; select 1 from timelined.job where name = 'j' for update;")
    c.adapter.send("claim", cluster=c.name, epoch=c.a.epoch, claims=[{"key": {"job": "j", "nominal": 1}, "entryCount": 1}])
    until(lambda: backend(world), "the claim waits")
    c.adapter.kill()
    session.communicate("rollback;\n", timeout=LIMIT_SECONDS)
    c.a.adapter = c.adapter = Adapter(world.credential("next"))
    until(lambda: not backend(world), "the transaction is given up")
    assert c.call("history", limit=1)["claims"] == []
    assert granted(c.a.claim(("j", 1))) == [True]
    c.adapter.end()


def old_rows_are_forgotten(world):
    c, now = cluster(world, "old"), time.time_ns()
    for at in range(0, 700, 100):
        c.a.claim(*[("j", at + one) for one in range(100)])
        c.a.record(*[("j", at + one) for one in range(100)], endedAt=now)
    c.a.claim(("j", now))
    c.a.record(("j", now))
    gone = c.node("gone")
    gone.join()
    gone.renew(digests={"j": "1"})
    number = world.server.sql("select id from timelined.cluster where name = 'old'")
    rows = "select (select count(*) from timelined.claim c where c.job = j.id), (select count(*) from timelined.record r where r.job = j.id) " \
        f"from timelined.job j where j.cluster = {number}"
    world.server.sql("update timelined.job set tidied_at = tidied_at - interval '2 hours'")
    c.a.renew()
    c.a.renew()
    assert world.server.sql(rows) == "701|701", "they are old by their entries, and were claimed just now"
    world.server.sql(
        "update timelined.job set tidied_at = tidied_at - interval '2 hours';"
        f"update timelined.claim set claimed_at = claimed_at - interval '91 days' where nominal < {now};"
        f"update timelined.record set ended_at = nominal where nominal < {now};"
        "update timelined.member set lease_until = lease_until - interval '91 days' where node = 'gone'")
    for expected in ("201|201", "1|1", "1|1"):
        c.a.renew()
        c.call("status")
        assert world.server.sql(rows) == expected
    assert world.server.sql(f"select count(*) from timelined.member where node = 'gone' and cluster = {number}") == "0"
    assert c.job("j")["owner"] == c.a.epoch
    c.adapter.end()


BEFORE_TABLES = [
    adapters_are_used_rightly, no_tables, many_nodes_make_the_tables_at_once, tables_of_an_earlier_version,
    tables_of_a_later_version, tables_that_came_from_another_server,
]
ALL = [
    connections_that_are_refused, rights_that_are_missing, a_server_that_only_reads, a_full_disk, a_lock_that_is_held,
    a_backend_that_is_killed, a_commit_whose_end_is_unknown, a_server_that_crashes_loses_no_claim,
    a_server_that_crashes_in_the_middle, a_server_that_is_frozen, an_adapter_whose_daemon_was_killed, an_adapter_that_is_killed,
    old_rows_are_forgotten,
]
