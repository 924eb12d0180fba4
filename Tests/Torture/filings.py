"""What a daemon that was killed had filed in its start log: the next one sees by it that the write-ahead log is lost."""

import sqlite3
import struct

HEAD = struct.Struct("<QQQ")  # length, generation and digest of a block
NUMBERS = struct.Struct("<5q")


def has_filed_commits_in_log(state):
    """Whether the last filing names a commit that the ledger's file does not have without its write-ahead log."""
    return last_filing(f"{state}/starts") > commits_in_file(f"{state}/ledger.sqlite")


def commits_in_file(path):
    # An immutable file is read without its log.
    ledger = sqlite3.connect(f"file:{path}?immutable=1", uri=True)
    try:
        return ledger.execute("SELECT max(value) FROM mark WHERE name = 'commits'").fetchone()[0] or 0
    finally:
        ledger.close()


def last_filing(path):
    """The commit of the last filing; -1 for none. Blocks of one generation follow each other from the beginning."""
    with open(path, "rb") as file:
        data = file.read()
    commit, offset, first = -1, 0, None
    while offset + HEAD.size <= len(data):
        length, generation, _ = HEAD.unpack_from(data, offset)
        end = offset + HEAD.size + length
        if not length or end > len(data) or generation != (first or generation):
            break
        first, offset = generation, offset + HEAD.size
        while offset < end:
            numbers = NUMBERS.unpack_from(data, offset)
            offset += NUMBERS.size
            for _ in ("cause", "job"):
                offset += 1 + data[offset]
            # A filing has the form of a start of no entries, with the commit in place of the run.
            if numbers[3] == 0:
                commit = numbers[2]
    return commit
