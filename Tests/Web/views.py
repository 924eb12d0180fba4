#!/usr/bin/env python3
"""views.py STAGE PROGRAM SCRATCH SCREENS: every state of the page in both themes and two widths, for axe, and the rehearsal and what if.

Prints one line for each thing that it checks, and exits with 1 if one does not hold. SCREENS is a directory for pictures.
"""

import sys
from pathlib import Path

from accessibility import check_accessibility
from jobs import JOBS
from playwright.sync_api import sync_playwright
from rehearsal import check_rehearsal
from servers import Servers, check, comes, finish

STAGE, PROGRAM, SCRATCH, SCREENS = Path(sys.argv[1]), sys.argv[2], Path(sys.argv[3]), Path(sys.argv[4])


def main():
    SCREENS.mkdir(parents=True, exist_ok=True)
    servers = Servers(STAGE, PROGRAM, SCRATCH, JOBS)
    try:
        check("jobs have run", comes(lambda: servers.ctl("history", "broken", "--json").stdout.count("\n") >= 1))
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
            for name, part in (
                ("the states of the page", lambda: check_accessibility(browser, servers)),
                ("the rehearsal", lambda: check_rehearsal(browser, STAGE, PROGRAM, SCRATCH / "rehearsal", SCREENS)),
            ):
                try:
                    part()
                except Exception as error:
                    check(name, False, error)
            browser.close()
    finally:
        servers.stop()
    finish()


main()
