"""The rules of each call, one function for each; `cluster` is a new cluster of two nodes that share one adapter."""

import time

from adapter import Adapter, Failure, Node, key, new_epoch


class Cluster:
    """A new cluster with nodes a and b, which have joined."""

    def __init__(self, adapter, name):
        self.adapter, self.name = adapter, name
        adapter.call("initialize", cluster=name)
        self.a, self.b = self.node("a"), self.node("b")
        self.a.join()
        self.b.join()

    def node(self, name, **options):
        return Node(self.adapter, self.name, name, **options)

    def call(self, method, **parameters):
        return self.adapter.call(method, cluster=self.name, **parameters)

    def job(self, name):
        jobs = {job["job"]: job for job in self.call("status")["jobs"]}
        return jobs.get(name)

    def third(self):
        """One more node, which has joined."""
        node = self.node("s")
        node.join()
        return node

    def expire(self, node):
        """Lets the node's lease run out by the store's clock, and not before."""
        node.renew(leaseMilliseconds=1)
        while any(one["epoch"] == node.epoch and one["leaseMilliseconds"] > 0 for one in self.call("status")["nodes"]):
            time.sleep(0.01)


def granted(reply):
    return [answer["isGranted"] for answer in reply["answers"]]


def tokens(reply):
    return [answer.get("token") for answer in reply["answers"]]


def names(reply):
    return [job["job"] for job in reply["jobs"]]


def initialize_again(c):
    c.a.acquire("j")
    c.call("initialize")
    assert c.job("j")["owner"] == c.a.epoch


def join_again(c):
    before = c.a.join()
    assert before["hasJoined"] and "holder" not in before
    assert before["identity"] == c.call("status")["identity"]


def join_while_the_lease_lasts(c):
    other = c.node("a")
    reply = other.join()
    assert not reply["hasJoined"] and reply["holder"] == c.a.epoch
    assert 0 < reply["holderLeaseMilliseconds"] <= c.a.lease
    assert other.renew()["isLost"] and not c.a.renew()["isLost"]
    assert not other.join(former=c.b.epoch)["hasJoined"], "it names an epoch of another node"


def join_with_the_former_epoch(c):
    c.a.acquire("j")
    token = tokens(c.a.claim(("j", 1), ("j", 2)))[0]
    c.a.record(("j", 2))
    version = c.b.renew()["version"]
    next_life = c.node("a")
    assert next_life.join(former=c.a.epoch)["hasJoined"] and next_life.join(former=c.a.epoch)["hasJoined"]
    assert c.a.renew()["isLost"]
    assert c.a.claim(("j", 1))["isLost"]
    assert c.job("j")["owner"] == next_life.epoch and c.b.renew()["version"] > version
    assert [(one["nominal"], one["epoch"], one["token"]) for one in next_life.acquire("j")["jobs"][0]["claims"]] == [
        (1, next_life.epoch, token)], "it inherits what has no outcome"
    assert c.a.record(("j", 1), token=token) == {"conflicts": []}, "an outcome of the former life that is told late is no conflict"
    assert next_life.acquire("j")["jobs"][0]["claims"] == [] and c.a.publish(("j", 1, token)) == {"conflicts": []}
    # A late message of the former life changes nothing.
    assert not c.a.join()["hasJoined"] and not next_life.renew()["isLost"]


def join_with_the_former_epoch_after_it_lost_its_jobs(c):
    third = c.third()
    third.acquire("j", "k")
    c.expire(third)
    c.a.acquire("j", former=third.epoch)
    next_life = c.node("s")
    next_life.join(former=third.epoch)
    assert (c.job("j")["owner"], c.job("k")["owner"]) == (c.a.epoch, next_life.epoch)
    # Nobody inherits from a node of another name.
    thief = c.node("t")
    assert thief.join(former=c.a.epoch)["hasJoined"] and c.job("j")["owner"] == c.a.epoch and not c.a.renew()["isLost"]


def join_after_the_lease_has_ended(c):
    third = c.third()
    c.expire(third)
    other = c.node("s")
    assert other.join()["hasJoined"] and third.renew()["isLost"]
    nodes = [one["epoch"] for one in c.call("status")["nodes"] if one["node"] == "s"]
    assert nodes == [other.epoch], "a node is shown once"


def join_after_leaving(c):
    c.a.leave()
    assert not c.a.join()["hasJoined"], "an epoch that has left never comes back"
    assert c.node("a").join()["hasJoined"]


def renew_a_lease_that_has_ended(c):
    third = c.third()
    third.acquire("j")
    c.expire(third)
    assert third.claim(("j", 1))["isLost"]
    assert not third.renew()["isLost"]
    assert granted(third.claim(("j", 1))) == [True], "nobody has taken the job"


def renew_after_the_job_was_taken(c):
    third = c.third()
    third.acquire("j")
    c.expire(third)
    assert names(c.a.acquire("j", former=third.epoch)) == ["j"]
    reply = third.renew()
    assert not reply["isLost"] and reply["jobs"][0]["owner"] == c.a.epoch
    assert third.claim(("j", 1))["foreignJobs"] == ["j"]


def renew_by_a_stranger(c):
    stranger = c.node("x")
    assert stranger.renew(digests={"j": "1"})["isLost"]
    assert (c.job("j") or {"digests": {}})["digests"] == {}, "it has no digests here"
    stranger.leave()
    assert stranger.acquire("j") == {"isLost": True, "jobs": []}
    assert stranger.claim(("j", 1)) == {"isLost": True, "foreignJobs": ["j"], "answers": []}


def renew_tells_of_nodes(c):
    labeled = c.node("l", lease=5_000, role="db")
    labeled.join()
    reply = labeled.renew(clockOffsetMilliseconds=-7)
    node = next(one for one in reply["nodes"] if one["node"] == "l")
    assert node["labels"] == {"role": "db"} and node["clockOffsetMilliseconds"] == -7 and node["version"] == "1"
    assert 0 < node["leaseMilliseconds"] <= 5_000 and not node["hasLeft"]
    assert abs(reply["storeTime"] - time.time_ns()) < 10**10
    c.a.leave()
    left = next(one for one in labeled.renew()["nodes"] if one["node"] == "a")
    assert left["hasLeft"] and left["leaseMilliseconds"] <= 0


def the_version_counts_changes(c):
    version = c.a.renew()["version"]
    steps = [
        (lambda: c.a.renew(digests={"j": "1"}), True), (lambda: c.a.renew(digests={"j": "1"}), False),
        (lambda: c.a.renew(digests={"j": "2"}), True), (lambda: c.a.renew(), False),
        (lambda: c.a.acquire("j"), True), (lambda: c.a.acquire("j"), False), (lambda: c.b.acquire("j"), False),
        (lambda: c.call("activate", digests={"j": "2"}), True), (lambda: c.call("activate", digests={"j": "2"}), False),
        (lambda: c.call("pause", job="j", since=5), True), (lambda: c.call("pause", job="j", since=5), False),
        (lambda: c.call("pause", job="j"), True), (lambda: c.a.claim(("j", 1)), False), (lambda: c.a.record(("j", 1)), False),
        (lambda: c.a.release("j"), True), (lambda: c.a.release("j"), False),
        (lambda: c.a.acquire("j"), True), (lambda: c.a.leave(), True)]
    for number, (step, changes) in enumerate(steps):
        step()
        reply = c.b.renew(knownVersion=version)
        assert (reply["version"] > version) == changes, f"step {number}"
        assert ("jobs" in reply) == changes, f"step {number}"
        version = reply["version"]


def digests_of_nodes(c):
    c.a.renew(digests={"j": "1", "k": "1"})
    c.b.renew(digests={"j": "2"})
    assert c.job("j")["digests"] == {c.a.epoch: "1", c.b.epoch: "2"}
    c.a.renew(digests={"l": "3"}, addsDigests=True)
    assert [c.job(job)["digests"].get(c.a.epoch) for job in "jkl"] == ["1", "1", "3"]
    c.a.renew(digests={"j": "4"})
    assert [c.job(job)["digests"].get(c.a.epoch) for job in "jkl"] == ["4", None, None]
    c.b.leave()
    assert c.job("j")["digests"] == {c.a.epoch: "4"}, "nodes without a lease are left out"


def views_in_parts(c):
    wanted = {f"job-{number:04}" for number in range(1200)}
    ordered = sorted(wanted)
    for start in (0, 500, 1000):
        part = {job: "0123456789abcdef" * 4 for job in ordered[start:start + 500]}
        c.a.renew(digests=part, addsDigests=start > 0)
    for read in (lambda **after: c.a.renew(**after), lambda **after: c.call("status", **after)):
        found, reply = [], {"hasMoreJobs": True}
        while reply["hasMoreJobs"]:
            reply = read(**({"afterJob": found[-1]} if found else {}))
            found += names(reply)
        assert found == ordered, f"{len(found)} jobs"


def leave_gives_jobs_up(c):
    c.a.acquire("j")
    c.a.claim(("j", 1))
    c.a.leave()
    c.a.leave()
    assert "owner" not in c.job("j") and c.a.renew()["isLost"]
    claims = c.b.acquire("j")["jobs"][0]["claims"]
    assert [(claim["nominal"], claim["node"], claim["epoch"]) for claim in claims] == [(1, "a", c.a.epoch)]
    assert claims[0]["leaseUntil"] <= time.time_ns() + c.adapter.store.slack


def acquire_by_the_expected_owner(c):
    assert names(c.a.acquire("j")) == ["j"] == names(c.a.acquire("j"))
    assert names(c.b.acquire("j")) == [], "it has an owner"
    assert names(c.b.acquire("j", former=c.a.epoch)) == [], "the owner's lease lasts"
    assert names(c.b.acquire("j", former=new_epoch())) == [], "another one owns it"
    assert names(c.b.acquire("k", former=c.a.epoch)) == [], "it never had that owner"
    c.a.leave()
    assert names(c.b.acquire("j", former=c.a.epoch)) == [], "it has no owner any more"
    assert names(c.b.acquire("j", "k")) == ["j", "k"]


def acquire_from_an_ended_lease(c):
    third = c.third()
    third.acquire("j")
    c.expire(third)
    assert names(c.a.acquire("j", former=third.epoch)) == ["j"]
    assert names(c.b.acquire("j", former=third.epoch)) == []


def acquire_returns_what_is_needed(c):
    c.a.acquire("j")
    token = tokens(c.a.claim(("j", 7), ("j", 8)))[0]
    c.a.record(("j", 7), progress=[{"job": "j", "watermark": 7, "isFailing": True, "cursor": {"bytes": "AQID", "token": token}}])
    c.call("pause", job="j", since=9)
    job = c.a.acquire("j")["jobs"][0]
    claim = job.pop("claims")[0]
    assert job == {"job": "j", "term": 1, "watermark": 7, "cursor": "AQID", "isFailing": True, "pausedSince": 9}
    assert (claim["nominal"], claim["token"], claim["entryCount"]) == (8, token + 1, 1)


def acquire_returns_outcomes_after_the_watermark(c):
    c.a.acquire("j")
    assert len(tokens(c.a.claim(("j", 7), ("j", 9), ("j", 12)))) == 3
    c.a.record(("j", 7), ("j", 9), ("k", 11), progress=[{"job": "j", "watermark": 7}])
    c.b.record(("j", 9), outcome="unknown")
    c.a.record(("j", 14), firstNominal=13, entryCount=2)
    job = c.a.acquire("j")["jobs"][0]
    assert [one["nominal"] for one in job["claims"]] == [12]
    assert sorted(set(map(tuple, job["decided"]))) == [(9, 9), (13, 14)]
    # A late outcome of another node settles the claim when the job is acquired.
    c.b.record(("j", 12))
    assert c.a.acquire("j")["jobs"][0]["claims"] == []
    c.a.record(progress=[{"job": "j", "watermark": 14}])
    assert "decided" not in c.a.acquire("j")["jobs"][0]


def acquire_settles_claims_with_an_outcome(c):
    c.a.acquire("j")
    c.a.claim(*[("j", at) for at in range(1, 6)])
    c.b.record(("j", 3), firstNominal=2, entryCount=2, outcome="missed")
    c.b.record(("j", 5), firstNominal=4, cause="trigger")

    def check(opens):
        assert [one["nominal"] for one in c.a.acquire("j")["jobs"][0]["claims"]] == opens
        assert sorted(one["key"]["nominal"] for one in c.call("history", limit=200)["claims"]) == opens

    check([1, 4])
    # Claims that are not settled yet do not use up the limit.
    c.a.claim(*[("j", at) for at in range(10, 110)])
    c.b.record(*[("j", at) for at in range(10, 110)])
    check([1, 4])


def acquire_returns_many_outcomes(c):
    c.a.acquire("j")
    c.a.record(progress=[{"job": "j", "watermark": 0}])
    for start in range(1, 151, 50):
        c.a.record(*[("j", 2 * at) for at in range(start, start + 50)])
        c.a.record(*[("j", 2 * at + 1) for at in range(start, start + 50)], cause="trigger")
    decided = c.a.acquire("j")["jobs"][0]["decided"]
    assert decided == [[2, 102]] + [[at, at] for at in range(104, 302, 2)], "the earliest ones are one, and triggers do not count"


def acquire_as_many_as_fit(c):
    jobs = ["j", "k", "l"]
    c.a.acquire(*jobs)
    cursor = {"bytes": "A" * 85_000, "token": 1}
    for job in jobs:
        c.a.record(progress=[{"job": job, "watermark": 0, "cursor": cursor}])
    c.a.leave()
    assert names(c.b.acquire(*jobs)) == ["j"]
    assert "owner" not in c.job("k"), "what does not fit is not acquired"
    assert names(c.b.acquire("k")) == ["k"]


def release_own_jobs(c):
    c.a.acquire("j")
    c.b.release("j", "unknown", j=1)
    assert c.job("j")["owner"] == c.a.epoch
    c.a.release("j")
    assert "owner" not in c.job("j") and c.a.claim(("j", 1))["foreignJobs"] == ["j"]


def late_calls_of_an_earlier_term(c):
    def term():
        return c.job("j")["term"]

    c.a.acquire("j")
    assert term() == c.a.terms["j"] == 1
    c.a.acquire("j")
    assert term() == 1, "a repeated call"
    c.a.release("j")
    assert term() == 1
    c.a.acquire("j")
    c.a.claim(("j", 1))
    version = c.b.renew()["version"]
    c.a.release("j", j=1)
    c.a.withdraw(("j", 1), j=1)
    assert c.job("j")["owner"] == c.a.epoch and c.b.renew()["version"] == version
    assert [one["nominal"] for one in c.a.acquire("j")["jobs"][0]["claims"]] == [1] and term() == 2
    # An owner that begins anew is not disturbed by what it sent before.
    c.a.acquire("j", former=c.a.epoch)
    assert term() == c.a.terms["j"] == 3 and c.b.renew()["version"] > version
    c.a.release("j", j=2)
    assert c.job("j")["owner"] == c.a.epoch
    c.a.withdraw(("j", 1))
    c.a.release("j")
    assert c.b.acquire("j")["jobs"][0]["claims"] == [] and c.b.terms["j"] == 4


def claim_once(c):
    c.a.acquire("j", "k")
    first = c.a.claim(("j", 1), ("j", 2), ("k", 1))
    assert granted(first) == [True] * 3 and first["foreignJobs"] == [] and not first["isLost"]
    assert tokens(first) == sorted(tokens(first)) and len(set(tokens(first))) == 3
    again = c.a.claim(("j", 1), ("j", 2), ("j", 3))
    assert granted(again) == [True] * 3 and tokens(again)[:2] == tokens(first)[:2]
    assert tokens(again)[2] > max(tokens(first))
    assert c.b.claim(("j", 1))["answers"][0] == {
        "key": key("j", 1), "isGranted": False, "token": tokens(first)[0], "node": "a", "epoch": c.a.epoch, "hasOutcome": False}
    assert c.a.claim()["answers"] == []


def claim_of_another_owner(c):
    c.a.acquire("j")
    c.b.acquire("k")
    reply = c.a.claim(("j", 1), ("k", 1), ("unknown", 1))
    assert reply["foreignJobs"] == ["k", "unknown"] and granted(reply) == [True, False, False]
    assert tokens(reply)[1:] == [None, None], "nothing of them was claimed"


def claim_without_a_lease(c):
    third = c.third()
    third.acquire("j")
    third.claim(("j", 1))
    c.expire(third)
    assert third.claim(("j", 1), ("j", 2)) == {"isLost": True, "foreignJobs": [], "answers": []}
    assert third.take(c.a.epoch, ("j", 1))["isLost"] and third.acquire("j")["isLost"]
    c.a.acquire("j", former=third.epoch)
    assert granted(c.a.claim(("j", 1), ("j", 2))) == [False, True], "the first one is held, the second one is free"


def claim_with_an_outcome(c):
    c.a.acquire("j")
    c.a.claim(("j", 1))
    c.a.record(("j", 1))
    c.b.record(("j", 2))
    reply = c.a.claim(("j", 1), ("j", 2))
    assert granted(reply) == [False, False] and [one["hasOutcome"] for one in reply["answers"]] == [True, True]


def claims_of_counted_jobs(c):
    c.a.acquire("j")
    c.a.claim(("j", 10), count=50)
    assert c.a.acquire("j")["jobs"][0]["claims"][0]["entryCount"] == 50


def take_over(c):
    c.a.acquire("j")
    old = tokens(c.a.claim(("j", 1), ("j", 2), ("j", 3)))
    c.a.record(("j", 3))
    assert granted(c.b.take(c.a.epoch, ("j", 1))) == [False], "the job is another's"
    c.a.leave()
    c.b.acquire("j")
    assert granted(c.b.claim(("j", 1))) == [False], "to claim is not to take"
    assert granted(c.b.take(new_epoch(), ("j", 1))) == [False], "another one holds it"
    taken = c.b.take(c.a.epoch, ("j", 1), ("j", 3), ("j", 4))
    assert granted(taken) == [True, False, False] and tokens(taken)[0] > max(old) and tokens(taken)[2] is None
    assert tokens(c.b.take(c.a.epoch, ("j", 1)))[0] == tokens(taken)[0], "a second time it is the same"
    assert tokens(c.b.claim(("j", 1)))[0] == tokens(taken)[0]
    reply = c.a.record(("j", 1))
    assert reply["conflicts"] == [{"key": key("j", 1), "node": "b", "epoch": c.b.epoch}]
    assert c.b.record(("j", 1), outcome="unknown") == {"conflicts": []}
    assert c.a.record(("j", 1)) == {"conflicts": []}, "who does not know and has not run it contradicts nobody"


def withdraw_claims(c):
    c.a.acquire("j")
    first = tokens(c.a.claim(("j", 1), ("j", 2), ("j", 3)))
    c.a.record(("j", 2))
    c.b.withdraw(("j", 1), j=1)
    c.a.withdraw(("j", 2), ("j", 3), ("j", 4), ("unknown", 1))
    assert [one["nominal"] for one in c.a.acquire("j")["jobs"][0]["claims"]] == [1]
    reply = c.a.claim(("j", 1), ("j", 2), ("j", 3))
    assert granted(reply) == [True, False, True] and tokens(reply)[0] == first[0] and tokens(reply)[2] > max(first)
    c.a.leave()
    c.a.withdraw(("j", 1))
    c.b.acquire("j")
    assert granted(c.b.claim(("j", 1))) == [True], "it was given up without a lease"


def record_twice(c):
    c.a.acquire("j")
    c.a.claim(("j", 1))
    assert c.a.record(("j", 1)) == c.a.record(("j", 1), outcome="failed") == {"conflicts": []}
    records = c.call("history", limit=10)["records"]
    assert [(one["key"]["nominal"], one["outcome"]) for one in records] == [(1, "succeeded")]
    conflict = c.b.record(("j", 1), ("j", 2))["conflicts"]
    assert conflict == [{"key": key("j", 1), "node": "a", "epoch": c.a.epoch}]
    assert c.a.record(("j", 1))["conflicts"] == [{"key": key("j", 1), "node": "b", "epoch": c.b.epoch}]
    assert len(c.call("history", limit=10)["records"]) == 3, "both stay"


def record_progress(c):
    def progress(watermark, failing=None, cursor=None):
        one = {"job": "j", "watermark": watermark}
        one.update({} if failing is None else {"isFailing": failing})
        one.update({} if cursor is None else {"cursor": {"bytes": cursor[0], "token": cursor[1]}})
        c.a.record(progress=[one])
        job = c.a.acquire("j")["jobs"][0]
        return job["watermark"], job["isFailing"], job.get("cursor")

    c.a.acquire("j")
    assert progress(5, True, ("BB", 20)) == (5, True, "BB")
    assert progress(6) == (6, True, "BB")
    assert progress(4, False, ("AA", 19)) == (6, True, "BB"), "an old token, and an old entry"
    assert progress(7, False, ("CC", 21)) == (7, False, "CC")
    assert progress(7, False, ("CC", 21)) == (7, False, "CC")


def record_incidents(c):
    def incident(count):
        return {"kind": "failure", "policy": {"after": 2, "remind": 60}, "count": count, "since": 1, "reportedAt": 2, "recent": [],
                "last": c.a.outcome("j", 1)}

    def tell(node, term, *incidents):
        node.record(incidents=[{"job": "j", "term": term, "incidents": list(incidents)}])

    first = c.a.acquire("j")["jobs"][0]
    assert "incidents" not in first
    tell(c.a, 1, incident(2))
    tell(c.a, 0, incident(7))
    c.a.record(("j", 1), progress=[{"job": "j", "watermark": 1}])
    c.a.release("j")
    tell(c.a, 1, incident(3))
    assert c.b.acquire("j")["jobs"][0]["incidents"] == [incident(3)], "a term lasts until the next one begins"
    tell(c.a, 1, incident(8))
    assert c.b.acquire("j")["jobs"][0]["incidents"] == [incident(3)], "a former owner is late"
    tell(c.b, 2)
    assert not c.b.acquire("j")["jobs"][0].get("incidents")


def record_cuts_reasons(c):
    c.a.record(("j", 1), reason="ü" * 2000)
    assert c.call("history", limit=1)["records"][0]["reason"] == "ü" * 510 + "…"


def publish_again(c):
    c.a.acquire("j")
    token = tokens(c.a.claim(("j", 1)))[0]
    assert c.a.publish(("j", 1, token), ("new", 5, token + 9)) == {"conflicts": []}
    assert c.b.publish(("j", 1, 3)) == {"conflicts": [{"key": key("j", 1), "node": "a", "epoch": c.a.epoch}]}
    assert tokens(c.a.claim(("j", 1))) == [token]
    stranger = c.node("x")
    stranger.record(("j", 8))
    assert stranger.publish(("j", 8, 2)) == {"conflicts": []}, "neither lease nor job is needed"
    assert [one["nominal"] for one in c.a.acquire("j")["jobs"][0]["claims"]] == [1], "the other one has its outcome"


def history_filters(c):
    for at in range(10):
        c.a.record(("j", at), outcome="failed" if at % 2 else "succeeded")
    c.b.acquire("k")
    c.b.claim(("k", 4))

    def found(**filters):
        return [one["key"]["nominal"] for one in c.call("history", **{"limit": 200, **filters})["records"]]

    assert found() == list(range(9, -1, -1)) and found(limit=2) == [9, 8] and found(limit=0) == []
    assert found(since=3, until=5) == [4, 3] and found(job="k") == [] and found(outcomes=["failed"]) == [9, 7, 5, 3, 1]
    claims = c.call("history", limit=5)["claims"]
    assert [(one["key"], one["node"]) for one in claims] == [(key("k", 4), "b")]
    assert 0 < claims[0]["leaseUntil"] - claims[0]["claimedAt"] <= 60_000_000_000 + 2 * c.adapter.store.slack
    assert c.call("history", limit=5, job="j")["claims"] == []


def history_fits(c):
    for start in (0, 100):
        c.a.record(*[("j", start + at) for at in range(100)], reason="r" * 1024)
    found = c.call("history", limit=200)["records"]
    assert 80 < len(found) < 200 and found[0]["key"]["nominal"] == 199


def status_of_the_store(c):
    status = c.call("status")
    assert status["server"].startswith(c.adapter.store.server)
    assert [one["isSynchronous"] for one in status["standbys"]] == [True] * c.adapter.store.copies
    assert status["identity"] == c.a.renew()["identity"] and status["identity"].endswith("/1")
    assert abs(status["storeTime"] - time.time_ns()) < 10**10


def clusters_are_apart(c):
    other = Cluster(c.adapter, c.name + "-other")
    c.a.acquire("j")
    assert names(other.a.acquire("j")) == ["j"] and granted(other.a.claim(("j", 1))) == [True]
    assert granted(c.a.claim(("j", 1))) == [True]
    c.a.record(("j", 1))
    assert other.call("history", limit=9)["records"] == []


def kind(action):
    """The kind of the failure of an action; nothing if it succeeds."""
    try:
        action()
    except Failure as failure:
        return failure.kind
    return None


def malformed_calls(c):
    assert kind(lambda: c.adapter.raw(b"{")) == "malformed"
    assert kind(lambda: c.adapter.raw(b'{"id": 1, "method": "fly", "cluster": "main", "parameters": {}}')) == "malformed"
    assert kind(lambda: c.a.claim(*[("j", at) for at in range(101)])) == "malformed"
    assert kind(lambda: c.a.join(labels={"a": "b" * 600})) == "malformed"
    assert kind(lambda: c.call("pause", job="a\0b")) == "malformed"
    assert kind(lambda: c.call("history", limit=201)) == "malformed"
    assert not c.a.renew()["isLost"], "the process goes on"


def quotes_are_text(c):
    job = "'; drop table timelined.claim; -- ü \"\\"
    c.a.acquire(job)
    c.call("pause", job=job, since=1)
    assert c.job(job)["owner"] == c.a.epoch and c.job(job)["pausedSince"] == 1
    assert kind(lambda: c.a.claim((job, 1))) == "malformed", "no job has this name"


def record_of_several_entries(c):
    """It settles the claims of its epoch between its first entry and its last."""
    c.a.acquire("j")
    c.a.claim(("j", 1), ("j", 2), ("j", 3), ("j", 4))
    c.a.record(("j", 3), firstNominal=2, entryCount=2, outcome="missed")
    assert [one["nominal"] for one in c.a.acquire("j")["jobs"][0]["claims"]] == [1, 4]


def unknown_cluster(c):
    try:
        c.adapter.call("status", cluster="never made")
    except Failure as failure:
        assert failure.kind == "uninitialized" and "never made" in failure.message
    else:
        raise AssertionError("it has a status")


ALL = [
    initialize_again, join_again, join_while_the_lease_lasts, join_with_the_former_epoch,
    join_with_the_former_epoch_after_it_lost_its_jobs, join_after_the_lease_has_ended,
    join_after_leaving, renew_a_lease_that_has_ended, renew_after_the_job_was_taken, renew_by_a_stranger, renew_tells_of_nodes,
    the_version_counts_changes, digests_of_nodes, views_in_parts, leave_gives_jobs_up, acquire_by_the_expected_owner,
    acquire_from_an_ended_lease, acquire_returns_what_is_needed, acquire_returns_outcomes_after_the_watermark, acquire_settles_claims_with_an_outcome,
    acquire_returns_many_outcomes, acquire_as_many_as_fit, release_own_jobs, late_calls_of_an_earlier_term, claim_once,
    claim_of_another_owner, claim_without_a_lease, claim_with_an_outcome, claims_of_counted_jobs, take_over, withdraw_claims, record_twice,
    record_progress, record_incidents, record_cuts_reasons, record_of_several_entries, publish_again, history_filters, history_fits, status_of_the_store, clusters_are_apart,
    malformed_calls, quotes_are_text, unknown_cluster,
]
