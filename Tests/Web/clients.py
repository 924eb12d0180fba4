#!/usr/bin/env python3
"""clients.py PORT COOKIE COUNT STREAMS: hostile clients of the web page's server, until standard input ends.

Half of them are slow, a third each: they say nothing, send a byte of a request each second, or ask for a file and read nothing of it. Who is cut
off comes again. The others ask for a file or for the session on a connection of their own, read the reply, and come again after a second. Beside
them STREAMS clients with the cookie of a browser read nothing of a stream of events. Prints JSON: requests that were answered, those that were not,
those that were not while this process had no processor, which is slow for the server, and connections that slow clients have made.
"""

import asyncio
import json
import os
import resource
import sys
import time

PORT, COOKIE, COUNT, STREAMS = int(sys.argv[1]), sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
PAUSE = 1.0
# The server may end a connection of this age in seconds, to make room for the next one: docs/web.md.
ROOM = 0.25
told = {"answered": 0, "unanswered": 0, "late": 0, "connections": 0}
# Instant at which this process last had no processor for a part of that.
lagged_at = 0.0


def request(path, **headers):
    lines = [f"GET {path} HTTP/1.1", f"Host: 127.0.0.1:{PORT}"] + [f"{name}: {value}" for name, value in headers.items()]
    return "\r\n".join(lines).encode() + b"\r\n\r\n"


async def hold(send, interval=None):
    """Connects again and again, sends what is given, byte by byte if there is an interval, and reads nothing."""
    while True:
        writer = None
        try:
            reader, writer = await asyncio.open_connection("127.0.0.1", PORT, limit=1)
            told["connections"] += 1
            if interval is None:
                writer.write(send)
            else:
                asyncio.ensure_future(trickle(writer, send, interval))
            # The end of the connection is seen without reading: the buffer of the reader is full at once.
            while not writer.is_closing():
                await asyncio.sleep(PAUSE)
                if reader.at_eof() or reader.exception() is not None:
                    break
        except OSError:
            pass
        finally:
            if writer is not None:
                writer.close()
        await asyncio.sleep(PAUSE)


async def trickle(writer, send, interval):
    for byte in send:
        if writer.is_closing():
            return
        writer.write(bytes([byte]))
        await asyncio.sleep(interval)


async def watch():
    """Notes when this process had no processor for a while."""
    global lagged_at
    while True:
        begin = time.monotonic()
        await asyncio.sleep(ROOM / 5)
        if time.monotonic() - begin > 2 * ROOM / 5:
            lagged_at = time.monotonic()


async def ask(path):
    """Asks, reads the reply, and comes again."""
    while True:
        writer = None
        begin = time.monotonic()
        try:
            reader, writer = await asyncio.open_connection("127.0.0.1", PORT)
            writer.write(request(path, Connection="close"))
            reply = await asyncio.wait_for(reader.read(-1), 30)
            if reply.startswith(b"HTTP/1.1 200"):
                told["answered"] += 1
            else:
                refused(begin)
        except (OSError, asyncio.TimeoutError):
            refused(begin)
        finally:
            if writer is not None:
                writer.close()
        await asyncio.sleep(PAUSE)


def refused(begin):
    """Counts a request of `begin` that was not answered."""
    is_late = lagged_at >= begin and time.monotonic() - begin >= ROOM
    told["late" if is_late else "unanswered"] += 1


async def main():
    limit = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(limit, 4 * COUNT + 1000), limit))
    slow = [(b"", None), (request("/", X_Long="x" * 4000), 1.0), (request("/style.css") * 50, None)]
    tasks = [watch()] + [hold(*slow[number % 3]) for number in range(COUNT // 2)]
    tasks += [ask(["/main.js", "/api/session"][number % 2]) for number in range(COUNT - COUNT // 2)]
    tasks += [hold(request("/api/events", Cookie=COOKIE), None) for _ in range(STREAMS)]
    running = [asyncio.ensure_future(task) for task in tasks]
    await asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)
    print(json.dumps(told), flush=True)
    os._exit(0 if running else 1)


asyncio.run(main())
