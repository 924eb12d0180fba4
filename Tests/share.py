"""Shares of a plan of faults, for a torture in several processes beside each other."""

import argparse


def share(text):
    """Reads `1/2`, the first of two shares, as (1, 2)."""
    part, _, whole = text.partition("/")
    if not (part.isdigit() and whole.isdigit() and 1 <= int(part) <= int(whole)):
        raise argparse.ArgumentTypeError(f"no share: {text}: write 1/2")
    return int(part), int(whole)


def taken(faults, chosen):
    """The faults of one share; all shares together have each fault once."""
    part, whole = chosen
    return faults[part - 1::whole]
