#!/usr/bin/env python3
"""drawing.py STAGE PROGRAM SCRATCH [ROUNDS]: how long the page takes to draw a window with 10,000 runs.

A rehearsal runs 20 jobs 500 times each. Each round loads the page anew in headless Chromium. Prints JSON: milliseconds of each round, from the
window's data, and from asking for them, until the second frame after they were drawn; and bytes that were transferred.
"""

import json
import sys

from playwright.sync_api import sync_playwright
from servers import LIMIT_SECONDS, Servers, comes
from visit import Visit

JOBS, RUNS = 20, 500
BEGIN = 1_780_272_000_000  # 2026-06-01T00:00:00Z
TEXT = "".join(f"""
[job.j{number}]
schedule = {{ periodic = {{ by = "1m" }}, ends = 2026-06-01T08:20:30Z }}
plugin = "log"
with = {{ message = "x" }}
""" for number in range(JOBS))

# What the page is asked to do is not changed: the functions that it calls are watched.
WATCH = """
const fetched = window.fetch;
window.drawings = [];
window.fetch = async (...request) => {
  const asked = performance.now();
  const reply = await fetched(...request);
  if (!String(request[0]).startsWith("/api/window")) return reply;
  const parsed = reply.json.bind(reply);
  reply.json = async () => {
    const data = await parsed();
    const begin = performance.now();
    requestAnimationFrame(() => requestAnimationFrame(() => {
      const end = performance.now();
      const marks = data.rows.reduce((sum, row) => sum + row.marks.length, 0);
      window.drawings.push({ drawing: end - begin, whole: end - asked, marks, isPartial: data.isPartial });
    }));
    return data;
  };
  return reply;
};
"""
TRANSFERS = """
performance.getEntries().filter((entry) => "transferSize" in entry).map((entry) => [new URL(entry.name).pathname, entry.transferSize])
"""


def measure(servers, rounds):
    query = f"?from={BEGIN}&length={(RUNS + 1) * 60_000}"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
        # All rows are on the screen.
        visit = Visit(browser, servers, height=1300, query=query)
        visit.page.add_init_script(WATCH)
        found = []
        for _ in range(rounds):
            visit.page.reload()
            visit.until("window.drawings.some((drawing) => !drawing.isPartial)")
            found.append(visit.page.evaluate("window.drawings.find((drawing) => !drawing.isPartial)"))
        transfers = dict(visit.page.evaluate(TRANSFERS))
        visit.page.screenshot(path=servers.scratch / "drawing.png")
        browser.close()
    return {
        "drawing": [each["drawing"] for each in found], "whole": [each["whole"] for each in found],
        "marks": min(each["marks"] for each in found),
        "page": sum(size for path, size in transfers.items() if not path.startswith("/api/")),
        "window": transfers.get("/api/window"), "faults": visit.faults,
    }


def main():
    stage, program, scratch = sys.argv[1:4]
    rounds = int(sys.argv[4]) if len(sys.argv) > 4 else 5
    servers = Servers(stage, program, scratch, TEXT, "--clock", "scaled:max", "--from", "2026-06-01T00:00:30Z")
    try:
        last = ("history", "--json", "--since", "2026-06-01T08:20:00Z")
        if not comes(lambda: servers.ctl(*last).stdout.count("succeeded") == JOBS, 2 * LIMIT_SECONDS):
            sys.exit("the runs of the rehearsal were not over in time")
        print(json.dumps(measure(servers, rounds)))
    finally:
        servers.stop()


main()
