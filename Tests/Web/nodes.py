#!/usr/bin/env python3
"""nodes.py STAGE PROGRAM SCRATCH SCREENS: the web page of a node of a cluster, with two daemons and a PostgreSQL.

The node that runs a job is killed, and the other one takes over: the page that is connected to it has a lane for the lost node.
"""

import sys
from pathlib import Path

from accessibility import find_violations
from playwright.sync_api import expect, sync_playwright
from servers import Servers, check, finish
from visit import Visit

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "Cluster"))
import demonstrate  # noqa: E402 - it lies beside

demonstrate.NODES, demonstrate.LEASE = ["a", "b"], 2


class Node(Servers):
    """A node of the cluster, which others start, and its web server."""

    def start_daemon(self):
        """It runs already, with the socket of the directory."""


def main():
    stage, program, scratch, screens = sys.argv[1:5]
    directory = Path(scratch) / "nodes"
    directory.mkdir()
    cluster = demonstrate.Demonstration(stage, directory)
    node = None
    try:
        cluster.make_store()
        for name in demonstrate.NODES:
            cluster.start(name)
        cluster.until("both are members", lambda: all(
            cluster.nodes_of(job, "a") in demonstrate.NODES for job in ["report", "backup"]))
        first = cluster.nodes_of("report", "a")
        second = "b" if first == "a" else "a"
        cluster.until("the job runs", lambda: cluster.ran_on("report", first, second))
        node = Node(stage, program, directory / second, "")
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
            visit = Visit(browser, node, query="?length=120000", bypass_csp=True)
            page = visit.page
            row = page.locator(".row", has=page.locator("h3", has_text="report"))
            expect(row.locator(f".lane[data-node={first}] path")).not_to_have_count(0)
            check("the page has a lane for the node that runs the job", row.locator(".lane").count() == 1)
            check("and tells which node it is connected to", f"node {second}" in page.locator("#status").inner_text(),
                  page.locator("#status").inner_text())
            cluster.daemons.pop(first).kill()
            cluster.until("the other node has the job", lambda: cluster.ran_on("report", second, second))
            expect(page.locator("#status")).to_contain_text(f"lost: {first}")
            check("a node that is lost is told of", True)
            expect(row.locator(".track:not(.lane) path")).not_to_have_count(0)
            page.locator("#table summary").click()
            page.wait_for_selector("#table-rows td")
            nodes = set(page.locator("#table-rows tr", has_text="report").locator("td:last-child").all_inner_texts())
            check("the table has the nodes", {first, second} <= nodes, nodes)
            lane = visit.box(row.locator(".lane svg"))
            mark = page.evaluate("document.querySelector('.lane path').getBoundingClientRect().left")
            page.mouse.click(mark + 1, lane["y"] + lane["height"] / 2)
            expect(page.locator("#story .headline")).to_contain_text(f", on node {first}: succeeded")
            check("the story of an entry of the other node begins with it", True)
            # The rows are narrower beside the explanation, and drawn anew.
            boxes = "[...new Set([...document.querySelectorAll('.lane svg, .tracks svg')].map((svg) => svg.getAttribute('viewBox')))]"
            visit.until(f"{boxes}.length === 1 && document.querySelectorAll('.lane .cursor').length === 1")
            check("lanes are drawn like the row", page.locator(".lane .cursor").count() == 1, page.evaluate(boxes))
            find_violations(page, "lanes of nodes")
            page.screenshot(path=Path(screens) / "nodes.png")
            visit.close("nodes")
            browser.close()
    finally:
        if node:
            node.stop()
        cluster.end()
    finish()


main()
