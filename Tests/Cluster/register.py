#!/usr/bin/env python3
"""A resource that keeps the highest fencing token of each job, and refuses lower ones.

usage: register.py DIRECTORY
It listens on DIRECTORY/register and writes what it decided to DIRECTORY/register.log: JOB TOKEN NOMINAL VERDICT.
"""

import os
import socket
import sys


def main(directory):
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    listener.bind(f"{directory}/register")
    os.chmod(f"{directory}/register", 0o666)
    listener.listen(64)
    highest = {}
    with open(f"{directory}/register.log", "a", buffering=1) as log:
        print("ready", flush=True)
        while True:
            line, _ = listener.accept()
            with line:
                line.settimeout(1)
                try:
                    job, token, nominal = line.recv(256).decode().split("\t")
                    verdict = "refused" if int(token) < highest.get(job, 0) else "taken"
                    highest[job] = max(highest.get(job, 0), int(token))
                    log.write(f"{job}\t{token}\t{nominal}\t{verdict}\n")
                    os.fsync(log.fileno())
                    line.send(verdict.encode())
                except (OSError, ValueError):
                    # A run that was killed while it asked.
                    continue


if __name__ == "__main__":
    main(sys.argv[1])
