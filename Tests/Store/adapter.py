"""A `timeline-store` process, spoken to as the daemon does."""

import json
import os
import select
import socket
import subprocess
import uuid
from dataclasses import dataclass

from server import LIMIT_SECONDS

MESSAGE_MAX = 160 * 1024


def new_epoch():
    return uuid.uuid4().hex


@dataclass(frozen=True)
class Store:
    """A kind of store: the words by which an adapter for it is started, and what differs in its replies."""

    words: tuple
    # How the name of its server begins, and the number of its copies.
    server: str
    copies: int = 0
    # Nanoseconds by which its clock can be wrong.
    slack: int = 0


POSTGRESQL = Store(("postgresql",), "PostgreSQL ")


class Failure(Exception):
    def __init__(self, failure):
        super().__init__(f"{failure['kind']}: {failure['message']}")
        self.kind, self.message = failure["kind"], failure["message"]


class Late(Exception):
    """The adapter did not answer in time."""


class Adapter:
    """One process. A call returns the reply's content, and raises the failure."""

    program = None

    def __init__(self, credential, store=POSTGRESQL):
        self.store = store
        self.near, far = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        number = far.fileno()

        def place():
            os.dup2(number, 3, inheritable=True)
            os.set_inheritable(3, True)

        self.process = subprocess.Popen(
            [self.program, *store.words, *(["--credential", credential] if credential else [])], pass_fds=(3,), preexec_fn=place,
            stdin=subprocess.DEVNULL, stderr=subprocess.PIPE)
        far.close()
        self.number = 0

    def send(self, method, cluster, epoch=None, **parameters):
        self.number += 1
        request = {"id": self.number, "method": method, "cluster": cluster, "parameters": parameters}
        if epoch:
            request["epoch"] = epoch
        self.near.send(json.dumps(request).encode())

    def receive(self, seconds=LIMIT_SECONDS):
        if not select.select([self.near], [], [], seconds)[0]:
            raise Late
        try:
            message = self.near.recv(4 * MESSAGE_MAX)
        except ConnectionResetError:  # it has ended without reading all
            message = b""
        if not message:
            raise EOFError(self.process.stderr.read().decode())
        assert len(message) <= MESSAGE_MAX, f"a message of {len(message)} bytes"
        response = json.loads(message)
        assert response["id"] == self.number or response["id"] == 0, f"{response['id']} is not {self.number}"
        if "failure" in response:
            raise Failure(response["failure"])
        return next(value for key, value in response.items() if key != "id")

    def call(self, method, seconds=LIMIT_SECONDS, **parameters):
        self.send(method, **parameters)
        return self.receive(seconds)

    def raw(self, message):
        self.number = 1
        self.near.send(message)
        return self.receive()

    def kill(self):
        self.process.kill()
        self.end()

    def end(self):
        """Closes the socket; the process has to end by itself."""
        self.near.close()
        self.process.stderr.close()
        return self.process.wait(LIMIT_SECONDS)


class Node:
    """A node of a cluster with an adapter of its own, or one that it shares."""

    def __init__(self, adapter, cluster, name, lease=60_000, **labels):
        self.adapter, self.cluster, self.name, self.lease, self.labels = adapter, cluster, name, lease, labels
        self.epoch, self.terms = new_epoch(), {}

    def call(self, method, **parameters):
        return self.adapter.call(method, cluster=self.cluster, epoch=self.epoch, **parameters)

    def join(self, former=None, **changed):
        parameters = {"node": self.name, "leaseMilliseconds": self.lease, "labels": self.labels, "version": "1"}
        if former:
            parameters["formerEpoch"] = former
        return self.call("join", **{**parameters, **changed})

    def renew(self, **parameters):
        parameters = {"addsDigests": False, "leaseMilliseconds": self.lease, **parameters}
        return self.call("renew", **parameters)

    def leave(self):
        return self.call("leave")

    def acquire(self, *jobs, former=None):
        asked = [{"job": job, **({"formerOwner": former} if former else {})} for job in sorted(jobs)]
        reply = self.call("acquire", jobs=asked)
        self.terms.update({job["job"]: job["term"] for job in reply["jobs"]})
        return reply

    def release(self, *jobs, **terms):
        """`terms` has those that are not the last ones of this node."""
        return self.call("release", jobs=[{"job": job, "term": self.term(job, terms)} for job in sorted(jobs)])

    def term(self, job, terms):
        return terms.get(job, self.terms.get(job, 0))

    def claim(self, *keys, count=1):
        return self.call("claim", claims=[{"key": key(*one), "entryCount": count} for one in keys])

    def take(self, former, *keys):
        return self.call("take", claims=[{"key": key(*one), "formerEpoch": former} for one in keys])

    def withdraw(self, *keys, **terms):
        return self.call("withdraw", claims=[{"key": key(*one), "term": self.term(one[0], terms)} for one in keys])

    def publish(self, *claims):
        return self.call("publish", claims=[{"key": key(job, at), "entryCount": 1, "token": token} for job, at, token in claims])

    def record(self, *keys, progress=(), incidents=None, **changed):
        records = [{**self.outcome(*one), **changed} for one in keys]
        told = {} if incidents is None else {"incidents": incidents}
        return self.adapter.call("record", cluster=self.cluster, records=records, progress=list(progress), **told)

    def outcome(self, job, nominal):
        return {
            "key": key(job, nominal), "firstNominal": nominal, "entryCount": 1, "outcome": "succeeded", "cause": "schedule",
            "reason": "", "endedAt": nominal + 1, "attempts": 1, "node": self.name, "epoch": self.epoch}


def key(job, nominal):
    return {"job": job, "nominal": nominal}
