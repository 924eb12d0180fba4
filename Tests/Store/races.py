"""Several processes at the same time: nothing is granted twice, and none waits in a circle."""

import os
import random
import threading
import time

from adapter import Failure, Node, key
from rules import Cluster
from server import LIMIT_SECONDS, until

SECONDS = int(os.environ.get("RACE_SECONDS", 3))


def at_once(*actions):
    """Performs the actions on threads of their own; raises what one of them raised."""
    problems = []

    def run(action):
        try:
            action()
        except BaseException as problem:  # noqa: BLE001 - it is raised below
            problems.append(problem)

    threads = [threading.Thread(target=run, args=(action,)) for action in actions]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if problems:
        raise problems[0]


def lasts(seconds, is_enough):
    """A function that says whether a race goes on: for these seconds, and on a busy machine ten times as long until it has shown enough."""
    begun = time.monotonic()

    def goes_on():
        parts = (time.monotonic() - begun) / seconds
        return parts < 1 or parts < 10 and not is_enough()

    return goes_on


def three_processes_claim_the_same_entries(world):
    """Of one node, as if it had started a second adapter while the first one hangs: each entry gets one token."""
    before = world.deadlocks()
    adapters = [world.adapter(f"race-{number}") for number in range(3)]
    cluster = Cluster(adapters[0], "same")
    jobs = [f"job-{number}" for number in range(10)]
    cluster.a.acquire(*jobs)
    seen = [{} for _ in adapters]
    begun, goes_on = time.monotonic(), True
    is_timely = lasts(SECONDS, lambda: len(seen[0]) > world.claims_min)

    def look():
        nonlocal goes_on
        goes_on = is_timely()

    # They begin each batch together, or the first one would be ahead of the others for good.
    together = threading.Barrier(len(adapters), look)

    def claim(number):
        node = Node(adapters[number], "same", "a")
        node.epoch = cluster.a.epoch
        batch = 0
        while together.wait(LIMIT_SECONDS) is not None and goes_on:
            keys = sorted((job, batch * 10 + at) for job in jobs for at in range(10))
            for answer in node.claim(*keys)["answers"]:
                assert answer["isGranted"]
                seen[number][answer["key"]["job"], answer["key"]["nominal"]] = answer["token"]
            batch += 1

    at_once(*[lambda number=number: claim(number) for number in range(3)])
    every = {}
    for one in seen:
        for entry, token in one.items():
            assert every.setdefault(entry, token) == token, f"two tokens of {entry}"
    assert len(set(every.values())) == len(every) > world.claims_min
    assert world.deadlocks() == before
    print(f"   {sum(map(len, seen)) / (time.monotonic() - begun):.0f} answers a second", flush=True)
    for adapter in adapters:
        adapter.end()


def a_claim_is_seen_by_the_next_owner(world):
    """A claim is held up after it has found its lease and its job. Whoever acquires the job meanwhile waits for it, and finds the claim."""
    first, second = world.adapter("seen-a"), world.adapter("seen-b")
    c = Cluster(second, "seen")
    former = Node(first, "seen", "s")
    former.join()
    former.acquire("j")
    session = world.server.session(
        "begin; insert into timelined.claim (job, nominal, epoch, token, entry_count) select id, 1, gen_random_uuid(), 1, 1 "
        "from timelined.job where cluster = (select id from timelined.cluster where name = 'seen');")
    first.send("claim", cluster="seen", epoch=former.epoch, claims=[{"key": key("j", 1), "entryCount": 1}])
    until(lambda: waiting(world) == 1, "the claim waits")
    world.server.sql(f"update timelined.member set lease_until = clock_timestamp() where epoch = '{former.epoch}'")
    second.send("acquire", cluster="seen", epoch=c.a.epoch, jobs=[{"job": "j", "formerOwner": former.epoch}])
    until(lambda: waiting(world) == 2, "the new owner waits")
    session.communicate("rollback;\n", timeout=LIMIT_SECONDS)
    claims = second.receive()["jobs"][0]["claims"]
    assert [(one["nominal"], one["epoch"]) for one in claims] == [(1, former.epoch)]
    first.receive()
    first.end()
    second.end()


def a_renewal_tells_of_the_next_owner(world):
    """A job is being acquired from a lease that has ended. The renewal that comes at this moment waits, and names the new owner."""
    first, second = world.adapter("told-a"), world.adapter("told-b")
    c = Cluster(second, "told")
    former = Node(first, "told", "s")
    former.join()
    former.acquire("j")
    c.expire(former)
    # The last row that is locked: all has been decided, and nothing is committed.
    session = world.server.session("begin; select 1 from timelined.cluster where name = 'told' for update;")
    second.send("acquire", cluster="told", epoch=c.a.epoch, jobs=[{"job": "j", "formerOwner": former.epoch}])
    until(lambda: waiting(world) == 1, "the new owner waits")
    first.send("renew", cluster="told", epoch=former.epoch, leaseMilliseconds=60_000, addsDigests=False)
    until(lambda: waiting(world) == 2, "the renewal waits")
    session.communicate("rollback;\n", timeout=LIMIT_SECONDS)
    assert [one["job"] for one in second.receive()["jobs"]] == ["j"]
    assert first.receive()["jobs"][0]["owner"] == c.a.epoch
    first.end()
    second.end()


def a_claim_does_not_wait_for_a_renewal(world):
    first = world.adapter("alone")
    c = Cluster(first, "alone")
    c.a.acquire("j")
    session = world.server.session(
        f"begin; update timelined.member set lease_until = lease_until where epoch = '{c.a.epoch}';")
    assert c.a.claim(("j", 1))["answers"][0]["isGranted"]
    session.communicate("rollback;\n", timeout=LIMIT_SECONDS)
    first.end()


def waiting(world):
    """Number of adapters that wait for a lock."""
    return int(world.server.sql(
        "select count(*) from pg_stat_activity where application_name = 'timeline-store' and wait_event_type = 'Lock'"))


def what_is_inherited_is_not_taken_meanwhile(world):
    """A node is started anew and names its former life, while another one tries to take the jobs of that, which has no lease any more."""
    first, second = world.adapter("heir"), world.adapter("taker")
    c, jobs = Cluster(first, "inherited"), [f"job-{number:03}" for number in range(300)]
    for start in range(0, len(jobs), 100):
        c.a.acquire(*jobs[start:start + 100])
        c.a.claim(*[(job, 1) for job in jobs[start:start + 100]])
    taker, next_life, taken = Node(second, c.name, "b"), c.node("a"), []
    has_begun, has_joined = threading.Event(), threading.Event()
    taker.epoch = c.b.epoch

    def take():
        while not has_joined.is_set():
            taken.extend(taker.acquire(*jobs[-100:], former=c.a.epoch)["jobs"])
            has_begun.set()

    def join():
        assert has_begun.wait(LIMIT_SECONDS)
        assert next_life.join(former=c.a.epoch)["hasJoined"]
        has_joined.set()

    at_once(take, join)
    owned = [job for start in range(0, len(jobs), 100) for job in next_life.acquire(*jobs[start:start + 100], former=next_life.epoch)["jobs"]]
    assert taken == [] and len(owned) == len(jobs), f"{len(taken)} jobs were taken"
    assert all(claim["epoch"] == next_life.epoch for job in owned for claim in job["claims"])
    first.end()
    second.end()


class Contender:
    """A node that takes whatever jobs it can get, and now and then lets its lease run out."""

    def __init__(self, world, number, jobs, log):
        self.lapse = world.lapse
        self.adapter = world.adapter(f"contender-{number}")
        self.node = Node(self.adapter, "contended", f"n{number}", lease=world.lease)
        self.random, self.jobs, self.log, self.next = random.Random(number), jobs, log, 0

    def run(self, goes_on):
        self.node.join()
        while goes_on():
            try:
                self.turn()
            except Failure as failure:
                assert failure.kind == "unavailable", failure
        self.adapter.end()

    def turn(self):
        view = self.node.renew()
        assert not view["isLost"]
        for job in self.random.sample(self.jobs, 3):
            owner = next((one.get("owner") for one in view["jobs"] if one["job"] == job), None)
            for one in self.node.acquire(job, former=owner)["jobs"]:
                if owner != self.node.epoch:
                    self.log.append(("acquire", job, self.node.epoch, None, None))
                for claim in one["claims"][:20]:
                    if claim["epoch"] != self.node.epoch:
                        self.take(job, claim)
        self.next += 1
        keys = sorted((job, self.next + at) for job in self.jobs for at in range(5))
        self.note("claim", self.node.claim(*keys))
        if self.random.random() < 0.2:
            time.sleep(self.lapse)  # longer than the lease: it is a slow node that is played here

    def take(self, job, claim):
        reply = self.node.take(claim["epoch"], (job, claim["nominal"]))
        if reply["isLost"]:
            # The lease has run out, perhaps after the claim was taken: then it is granted when it is asked for.
            self.log.append(("lost", job, self.node.epoch, claim["nominal"], None))
        self.note("take", reply)

    def note(self, what, reply):
        for answer in reply["answers"]:
            if answer["isGranted"]:
                entry = answer["key"]["job"], answer["key"]["nominal"]
                self.log.append((what, entry[0], self.node.epoch, entry[1], answer["token"]))


def changes_of_owners(log, jobs):
    """Of each job, in the order of its tokens: how often its owner changed, and how often it was acquired."""
    grants = {(job, token): epoch for _, job, epoch, _, token in log if token is not None}
    for job in jobs:
        holders = [epoch for (one, token), epoch in sorted(grants.items(), key=lambda item: item[0][1]) if one == job]
        changed = sum(left != right for left, right in zip(holders, holders[1:]))
        yield changed, sum(what == "acquire" and one == job for what, one, *_ in log)


def three_nodes_contend_for_jobs(world):
    """With leases that end all the time. In the order of its tokens each job changes hands only when it was acquired."""
    before = world.deadlocks()
    log, jobs = [], [f"job-{number}" for number in range(5)]
    first = world.adapter("contended")
    first.call("initialize", cluster="contended")
    contenders = [Contender(world, number, jobs, log) for number in range(3)]
    def is_contended():
        seen = list(log)
        return sum(changed for changed, _ in changes_of_owners(seen, jobs)) > world.changes_min and any(
            what == "take" for what, *_ in seen)

    goes_on = lasts(SECONDS * world.patience, is_contended)
    at_once(*[lambda one=one: one.run(goes_on) for one in contenders])
    first.end()
    grants = {}
    for _, job, epoch, nominal, token in log:
        if token is not None:
            assert grants.setdefault((job, token), (epoch, nominal)) == (epoch, nominal), "a token was given twice"
    claimed = {}
    for what, job, epoch, nominal, token in log:
        if what == "claim":
            claimed.setdefault((job, nominal), set()).add(epoch)
    taken = {(job, nominal) for what, job, _, nominal, _ in log if what in ("take", "lost")}
    twice = {entry for entry, epochs in claimed.items() if len(epochs) > 1} - taken
    assert not twice, f"granted to two nodes: {sorted(twice)[:3]}"
    changes = 0
    for changed, acquired in changes_of_owners(log, jobs):
        assert changed <= acquired
        changes += changed
    assert changes > world.changes_min and taken, "nobody contended"
    assert world.deadlocks() == before
    print(f"   {len(grants)} grants, {changes} changes of owners, {len(taken)} claims taken over", flush=True)


# Of each store, and of PostgreSQL alone: what waits for its locks.
EVERY = [what_is_inherited_is_not_taken_meanwhile, three_processes_claim_the_same_entries, three_nodes_contend_for_jobs]
OF_POSTGRESQL = [a_claim_is_seen_by_the_next_owner, a_renewal_tells_of_the_next_owner, a_claim_does_not_wait_for_a_renewal]
