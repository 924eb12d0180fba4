"""The longest that tests wait on this machine. $TIMELINED_SLOW is the factor by which each limit of a wait is longer, from 1 to 999.999.
patience.sh and Patience.swift read it in the same way. A wait that succeeds is not longer for it.
"""

import os
import re


def factor(text):
    """The factor in a text; ends the program with what is expected where there is none."""
    if not re.fullmatch(r"[1-9][0-9]{0,2}(\.[0-9]{1,3})?", text, re.ASCII):
        raise SystemExit(f"TIMELINED_SLOW={text}: not a factor: set a number from 1 to 999.999, such as 3 or 2.5")
    return float(text)


FACTOR = factor(os.environ.get("TIMELINED_SLOW") or "1")


def patience(seconds):
    """The limit of a wait that is given for a machine with nothing else to do."""
    return seconds * FACTOR
