"""What goes wrong with members of etcd and with processes, and what the adapter says about it."""

import os
import re
import subprocess
import threading
import time

from adapter import Adapter, Failure, Late, Node
from etcd import LIMIT_SECONDS, Etcd, Member, until
from faults import failure, fails
from freezing import frozen
from patience import patience
from rules import Cluster, granted, tokens

# The longest time in which the members that are left elect a leader and answer.
ELECTION_SECONDS = patience(8)


def cluster(world, name):
    """A new cluster with an adapter of its own, and the job j of node a."""
    c = Cluster(world.adapter(), name)
    c.a.acquire("j")
    return c


def persistent(action, seconds=ELECTION_SECONDS):
    """What the daemon does: it asks again until it has an answer."""
    end = time.monotonic() + seconds
    while True:
        try:
            return action()
        except Failure as problem:
            assert problem.kind in ("unavailable", "undecided"), problem
            if time.monotonic() > end:
                raise
            time.sleep(0.05)


def adapters_are_used_rightly(world):
    def ends(status, words, *arguments):
        done = subprocess.run(
            [Adapter.program, "etcd", *map(str, arguments)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
            stdin=subprocess.DEVNULL, timeout=LIMIT_SECONDS)
        assert done.returncode == status and words in done.stdout, f"{arguments}: {done.returncode} {done.stdout}"

    url = ("--endpoint", "http://127.0.0.1:1")
    ends(64, "0 endpoints: give 1 to 16")
    ends(64, "17 endpoints", *url * 17)
    ends(64, "it takes --endpoint URL", "--endpoint", "127.0.0.1:1")
    ends(64, "it takes --endpoint URL", *url, "--credential")
    ends(64, "descriptor 3: it is not a socket", *url)
    ends(1, "no such file or directory", *url, "--credential", world.scratch / "missing")
    for text, words in [
            ("name", "line 1 is not of the form NAME=VALUE"), ("ETCD_USER=a", "is not known: use ETCDCTL_USER"),
            ("ETCDCTL_USER=a", "a user and a password belong together"), ("# no more\nETCDCTL_CERT=/a", "belong together")]:
        ends(1, words, *url, "--credential", world.credential("wrong", text))
    if os.geteuid() == 0:  # only root can give files away
        theirs = world.credential("theirs", "")
        os.chown(theirs, 65534, -1)
        ends(1, "belongs to user 65534", *url, "--credential", world.credential("wrong", f"ETCDCTL_CACERT={theirs}"))
    ends(64, "descriptor 3", *url, "--credential", world.credential("right", "# all\n\nETCDCTL_USER='a:b:c'\nETCDCTL_CACERT=/d"))


def no_keys(world):
    adapter = world.adapter()
    fails("uninitialized", lambda: adapter.call("status", cluster="main"), "timelinectl cluster init")
    fails("uninitialized", lambda: Node(adapter, "main", "a").join())
    adapter.end()


def many_nodes_make_the_keys_at_once(world):
    adapters = [world.adapter() for _ in range(6)]
    for adapter in adapters:
        adapter.send("initialize", cluster="c0")
    assert all(adapter.receive() for adapter in adapters)
    assert len(world.etcd.control("get", "--prefix", "--keys-only", "timelined/c0/").split()) == 1
    for adapter in adapters:
        adapter.end()


def keys_of_a_later_version(world):
    adapter = world.adapter()
    adapter.call("initialize", cluster="later")
    meta = world.etcd.control("get", "--print-value-only", "timelined/later/meta")
    world.etcd.control("put", "timelined/later/meta", meta.replace('"version":1', '"version":1000'))
    for method in ("status", "initialize"):
        fails("newer", lambda method=method: adapter.call(method, cluster="later"), "version 1000")
    adapter.end()


def members_that_do_not_answer(world, _):
    """A refused connection had no effect; another member answers in its place."""
    alone = world.adapter(store=world.store_of(["http://127.0.0.1:1"]))
    fails("unavailable", lambda: alone.call("status", cluster="main"), "start it, or correct the endpoints")
    alone.end()
    c = cluster(world, "one-is-gone")
    several = world.adapter(store=world.store_of(["http://127.0.0.1:1", *world.etcd.endpoints]))
    for _ in range(3):
        assert several.call("status", cluster=c.name)["server"].startswith("etcd ")
    several.end()
    c.adapter.end()


def a_leader_that_is_gone(world, _):
    """Killed, or frozen: no acknowledged claim is lost, and each entry has one token."""
    c = cluster(world, "leader")
    held, at = {}, 0
    for end in (Member.kill, Member.freeze):
        leader = world.etcd.leader()
        for _ in range(20):
            held[at] = tokens(c.a.claim(("j", at)))[0]
            at += 1
        end(leader)
        begun = time.monotonic()
        held[at] = tokens(persistent(lambda: c.a.claim(("j", at))))[0]
        print(f"   claims again {time.monotonic() - begun:.1f} s after {end.__name__}", flush=True)
        at += 1
        if end == Member.kill:
            leader.start("existing")
        else:
            leader.thaw()
        until(leader.answers, "the member answers again")
    again = {}
    for number in range(at):
        again[number] = tokens(persistent(lambda number=number: c.a.claim(("j", number))))[0]
    assert again == held and sorted(held.values()) == list(held.values())
    c.adapter.end()


def claims_while_leaders_come_and_go(world, _):
    """Two processes of one node claim the same entries: each has one token, whatever was answered."""
    c = cluster(world, "come-and-go")
    grants, problems, stopping = {}, set(), threading.Event()

    def claim():
        adapter = world.adapter()
        node, at = Node(adapter, c.name, "a"), 0
        node.epoch = c.a.epoch
        while not stopping.is_set():
            try:
                for answer in node.claim(*[("j", at + one) for one in range(10)])["answers"]:
                    grants.setdefault(answer["key"]["nominal"], set()).add(answer["token"])
                at += 10
            except Failure as problem:
                problems.add(problem.kind)
                time.sleep(0.01)
        adapter.end()

    threads = [threading.Thread(target=claim) for _ in range(2)]
    for thread in threads:
        thread.start()
    # Killed, and stopped as an administrator does it: then the leader hands over first.
    for end in (Member.kill, Member.terminate):
        leader = world.etcd.leader()
        before = len(grants)
        until(lambda before=before: len(grants) > before + 50, "entries are granted")
        end(leader)
        before = len(grants)
        until(lambda before=before: len(grants) > before + 50, "entries are granted without it")
        leader.start("existing")
        until(leader.answers, "the member answers again")
    stopping.set()
    for thread in threads:
        thread.join()
    assert all(len(found) == 1 for found in grants.values()), "an entry has two tokens"
    assert problems <= {"unavailable", "undecided"}, problems
    c.adapter.end()


def a_quorum_that_is_lost(world, _):
    """Nothing is granted. What was asked meanwhile may be performed later, and to ask again settles it."""
    c = cluster(world, "quorum")
    first = tokens(c.a.claim(("j", 1)))[0]
    leader = world.etcd.leader()
    others = [member for member in world.etcd.members if member is not leader]
    with frozen(*[member.process.pid for member in others]):
        problem = failure(lambda: c.a.claim(("j", 2)))
    assert problem.kind in ("unavailable", "undecided"), problem
    reply = persistent(lambda: c.a.claim(("j", 1), ("j", 2)))
    assert granted(reply) == [True, True] and tokens(reply)[0] == first < tokens(reply)[1]
    assert tokens(persistent(lambda: c.a.claim(("j", 2))))[0] == tokens(reply)[1]
    assert granted(c.b.claim(("j", 2))) == [False]
    c.adapter.end()


def a_lease_outlives_its_leader(world, _):
    """A node whose lease was granted by a leader that is gone has it to its end at least; another one gets the job then."""
    c = cluster(world, "lease")
    third = c.node("s", lease=2_000)
    third.join()
    third.acquire("k")
    begun = time.monotonic()
    third.renew()
    world.etcd.leader().kill()
    while persistent(lambda: c.b.acquire("k", former=third.epoch))["jobs"] == []:
        assert time.monotonic() - begun < 2 * ELECTION_SECONDS
        time.sleep(0.05)
    assert time.monotonic() - begun > 2.0, "the lease was shorter than promised"
    for member in world.etcd.members:
        if member.process.poll() is not None:
            member.start("existing")
    until(lambda: all(member.answers() for member in world.etcd.members), "all members answer")
    c.adapter.end()


def all_members_are_killed(world, _):
    """No acknowledged claim is lost."""
    c = cluster(world, "killed")
    held = [tokens(c.a.claim(("j", at)))[0] for at in range(50)]
    world.etcd.stop()
    fails("unavailable", lambda: c.a.claim(("j", 100)))
    for member in world.etcd.members:
        member.start("existing")
    until(lambda: all(member.answers() for member in world.etcd.members), "all members answer")
    assert tokens(persistent(lambda: c.a.claim(*[("j", at) for at in range(50)]))) == held
    assert tokens(persistent(lambda: c.a.claim(("j", 100))))[0] > held[-1]
    c.adapter.end()


def an_adapter_whose_daemon_was_killed(world, _):
    """It ends although no member answers."""
    c = cluster(world, "orphan")
    with frozen(*[member.process.pid for member in world.etcd.members]):
        c.adapter.send("status", cluster=c.name)
        c.adapter.near.close()
        c.adapter.process.wait(LIMIT_SECONDS)
    c.adapter.process.stderr.close()
    until(lambda: all(member.answers() for member in world.etcd.members), "all members answer")


def an_adapter_that_is_killed(world, _):
    """The next process goes on; it does not always ask the same member first."""
    c = cluster(world, "dead")
    leader = world.etcd.leader()
    with frozen(leader.process.pid):
        c.adapter.kill()
        reply = None
        for _ in range(40):
            c.a.adapter = world.adapter()
            try:
                reply = c.a.adapter.call(
                    "claim", seconds=0.6, cluster=c.name, epoch=c.a.epoch, claims=[{"key": {"job": "j", "nominal": 1}, "entryCount": 1}])
                c.a.adapter.end()
                break
            except (Late, Failure):
                c.a.adapter.kill()
        assert reply and granted(reply) == [True]
    until(leader.answers, "the member answers again")


def old_keys_are_forgotten(world, _):
    c, now = cluster(world, "old"), time.time_ns()
    day = 86_400 * 10**9
    c.a.claim(*[("j", at) for at in range(100)])
    c.a.claim(*[("j", at) for at in range(100, 150)])
    c.a.record(*[("j", at) for at in range(100)], endedAt=1)
    c.a.record(*[("j", at) for at in range(100, 150)], endedAt=now)
    c.a.claim(("j", now), ("k", 1))
    c.a.record(("j", now))
    prefix = f"timelined/{c.name}/"

    def count(kind):
        return len(world.etcd.control("get", "--prefix", "--keys-only", prefix + kind).split())

    assert (count("record/"), count("time/")) == (151, 151)
    gone = c.node("gone")
    gone.join()
    gone.renew(digests={"j": "1"})
    gone.leave()
    member = world.etcd.control("get", "--print-value-only", f"{prefix}member/{gone.epoch}")
    old = re.sub(r'"leaseUntil":\d+', f'"leaseUntil":{now - 91 * day}', member)
    world.etcd.control("put", f"{prefix}member/{gone.epoch}", old)
    for _ in range(6):
        c.a.renew()
        c.call("status")
    assert (count("record/"), count("time/")) == (51, 51), "those that ended just now stay"
    assert count("member/") == 2 and count("digest/") == 0
    assert c.job("j")["owner"] == c.a.epoch and granted(c.a.claim(("j", 120))) == [False]
    c.adapter.end()


def a_user_with_a_password(world, page):
    """With the rights that the page lists, and with a member of its own: it is not undone."""
    alone = Etcd(world.scratch / "account", count=1)
    try:
        alone.start()
        for line in rights(page):
            alone.control(*line)
        store = world.store_of(alone.endpoints)
        refused = world.adapter(store=store)
        fails("refused", lambda: refused.call("initialize", cluster="main"), "name a credential with ETCDCTL_USER")
        refused.end()
        wrong = world.adapter(credential=world.credential("account-file", "ETCDCTL_USER=timelined:wrong"), store=store)
        fails("refused", lambda: wrong.call("initialize", cluster="main"), "correct the credential")
        # The file is read anew for each token.
        file = world.credential("account-file", "ETCDCTL_USER=timelined\nETCDCTL_PASSWORD=secret")
        c = Cluster(wrong, "main")
        c.a.acquire("j")
        assert granted(c.a.claim(("j", 1))) == [True] and c.call("status")["server"].startswith("etcd ")
        # Its token is forgotten by a member that starts anew.
        alone.stop()
        alone.members[0].start("existing")
        until(lambda: granted(persistent(lambda: c.a.claim(("j", 2)))) == [True], "it has another token")
        alone.control("role", "revoke-permission", "--prefix=true", "timelined", "timelined/", user="root:root")
        fails("refused", lambda: c.a.claim(("j", 3)), "permission denied")
        wrong.end()
        file.unlink()
    finally:
        alone.stop()


def rights(page):
    """The words of the commands that the page tells an administrator, with passwords of ours."""
    with open(page, encoding="utf-8") as file:
        block = re.search(r"```sh\n(etcdctl user add.*?)```", file.read(), re.S).group(1)
    for line in block.splitlines():
        # Of root and of the node.
        password = "root" if "'root:" in line else "secret"
        yield [word.strip("'").replace("PASSWORD", password) for word in line.split()[1:]]


def certificates_of_both(world, _):
    """The server asks for a client's certificate, and the client for the server's."""
    made = world.scratch / "certificates"
    made.mkdir()

    def run(*words):
        subprocess.run(["openssl", *words], cwd=made, check=True, capture_output=True, timeout=LIMIT_SECONDS)

    run("req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-keyout", "ca.key", "-out", "ca.pem",
        "-days", "2", "-subj", "/CN=authority")
    for name in ("server", "client"):
        run("req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-keyout", f"{name}.key", "-out",
            f"{name}.csr", "-subj", f"/CN={name}")
        (made / "names").write_text("subjectAltName = IP:127.0.0.1\n")
        run("x509", "-req", "-in", f"{name}.csr", "-CA", "ca.pem", "-CAkey", "ca.key", "-CAcreateserial", "-days", "2", "-out",
            f"{name}.pem", "-extfile", "names")
    subprocess.run(["chmod", "-R", "a+rX", made], check=True)
    alone = Etcd(world.scratch / "private", count=1, options=(
        "--cert-file", made / "server.pem", "--key-file", made / "server.key", "--client-cert-auth", "--trusted-ca-file", made / "ca.pem"))
    alone.members[0].client = alone.members[0].client.replace("http:", "https:")
    subprocess.run(["chmod", "a+r", made / "server.key"], check=True)
    try:
        alone.members[0].start("new")
        store = world.store_of(alone.endpoints)
        full = f"ETCDCTL_CACERT={made}/ca.pem\nETCDCTL_CERT={made}/client.pem\nETCDCTL_KEY={made}/client.key"
        adapter = world.adapter(credential=world.credential("full", full), store=store)
        persistent(lambda: adapter.call("initialize", cluster="main"))
        adapter.end()
        for text in ("ETCDCTL_CACERT=/etc/hostname", f"ETCDCTL_CACERT={made}/ca.pem"):
            adapter = world.adapter(credential=world.credential("part", text), store=store)
            fails("unavailable", lambda: adapter.call("status", cluster="main"))
            adapter.end()
    finally:
        alone.stop()


def no_space(world, _):
    """The alarm is told, and nothing is performed."""
    alone = Etcd(world.scratch / "small", count=1, options=("--quota-backend-bytes", str(2 * 1024 * 1024)))
    try:
        alone.start()
        c = Cluster(world.adapter(store=world.store_of(alone.endpoints)), "small")
        c.a.acquire("j")

        def fill():
            for start in range(0, 10_000, 100):
                c.a.record(*[("j", start + at) for at in range(100)], reason="r" * 1000)

        fails("refused", fill, "disarm its alarm")
        assert c.call("status")["nodes"], "it can be asked"
        c.adapter.end()
    finally:
        alone.stop()


def keys_that_were_restored(world, _):
    """A snapshot lacks acknowledged claims. The identity tells so, and tokens ascend all the same."""
    c = cluster(world, "restored")
    held = tokens(c.a.claim(("j", 1)))[0]
    snapshot = world.scratch / "snapshot"
    world.etcd.control("snapshot", "save", snapshot, endpoints=world.etcd.members[:1])
    snapshot.chmod(0o644)
    before = c.a.renew()
    lost = {at: tokens(c.a.claim(("j", at)))[0] for at in range(10, 20)}
    world.etcd.restore(snapshot, "second")

    def kind():
        return failure(lambda: c.a.claim(("j", 10))).kind

    until(lambda: kind() == "uninitialized", "it is asked to be made again")
    fails("uninitialized", lambda: c.a.claim(("j", 10)), "restored in another cluster")
    c.call("initialize")
    renewal = persistent(c.a.renew)
    assert renewal["identity"] != before["identity"] and renewal["version"] > before["version"]
    assert tokens(c.a.claim(("j", 1))) == [held], "what it has is as it was"
    c.a.leave()
    c.b.join()
    c.b.acquire("j")
    again = c.b.claim(("j", 10))
    assert granted(again) == [True] and tokens(again)[0] > max(lost.values())
    conflicts = c.a.publish(*[("j", at, token) for at, token in lost.items()])["conflicts"]
    assert [(one["key"]["nominal"], one["node"]) for one in conflicts] == [(10, "b")]
    assert granted(c.b.claim(*[("j", at) for at in lost])) == [True] + [False] * 9
    c.adapter.end()


BEFORE_KEYS = [adapters_are_used_rightly, no_keys, many_nodes_make_the_keys_at_once, keys_of_a_later_version]
ALL = [
    members_that_do_not_answer, a_leader_that_is_gone, claims_while_leaders_come_and_go, a_quorum_that_is_lost,
    a_lease_outlives_its_leader, all_members_are_killed, an_adapter_whose_daemon_was_killed, an_adapter_that_is_killed,
    old_keys_are_forgotten, a_user_with_a_password, certificates_of_both, no_space, keys_that_were_restored,
]
