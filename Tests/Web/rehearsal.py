"""The rehearsal of the daemon's jobs, and what a proposed configuration would change: a daemon of their own, whose clock stands."""

import json

from accessibility import find_violations
from playwright.sync_api import expect
from servers import TOKEN, Servers, check
from visit import Visit

BEGIN = "2026-10-24T22:00:00+02:00"
JOBS = """
[daemon]
time-zone = "Europe/Berlin"

[group.db]
limit = 1

[job.backup]
schedule = { cron = "30 2 * * *" }
expected-duration = "40m"
plugin = "exec"
groups = ["db"]
with = { command = ["/bin/true"] }

[job.vacuum]
schedule = { cron = "45 2 * * *" }
expected-duration = "1h"
plugin = "exec"
groups = ["db"]
with = { command = ["/bin/true"] }

[job.sync]
schedule = { periodic = { by = "30m" } }
expected-duration = "45m"
plugin = "exec"
with = { command = ["/bin/true"] }
"""
TIME = "document.querySelector('#time').textContent"
DECISIONS = "document.querySelector('#decisions').textContent"


def check_rehearsal(browser, stage, program, scratch, screens):
    """All of it, on a daemon whose clock stands in the evening before clocks go back."""
    scratch.mkdir()
    servers = Servers(stage, program, scratch, JOBS, "--clock", "scaled:0", "--from", BEGIN)
    try:
        before = servers.ctl("history", "--json").stdout, servers.ctl("list", "--json").stdout
        check_play(browser, servers, screens)
        check_what_if(browser, servers, screens)
        check_proposals(servers)
        check("nothing of it has reached the daemon",
              before == (servers.ctl("history", "--json").stdout, servers.ctl("list", "--json").stdout))
        for scheme in ("light", "dark"):
            check_looks(browser, servers, screens, scheme)
    finally:
        servers.stop()


def check_play(browser, servers, screens):
    visit = Visit(browser, servers, query="rehearsal?length=21600000&speed=3600")
    page = visit.page
    check("a rehearsal begins with the daemon's present state", "22:00:00 CEST" in page.evaluate(TIME), page.evaluate(TIME))
    buttons = page.locator("button").all_text_contents()
    check("it has no button that the daemon would hear of", buttons == ["Play", "Step", "Begin anew", "?", "Close"], buttons)
    page.keyboard.press("s")
    visit.until(f"{TIME}.includes('22:30:00 CEST')")
    check("a step leads to the next entry, and says what is decided", "sync overlapped" in page.evaluate(DECISIONS), page.evaluate(DECISIONS))
    # By keys to a little before clocks go back, and at an hour a second across it.
    page.fill("#moment", "2026-10-25T02:20")
    visit.until(f"{TIME}.includes('02:20:00 CEST')")
    page.locator("#table summary").click()
    waits = page.locator("#table-rows tr", has_text="vacuum").first.inner_text()
    check("the table tells an hour that comes twice by its zone", "02:45:00 CEST" in waits and "02:10:00 CET" in waits, waits)
    page.locator(".now").focus()
    page.keyboard.press("Space")
    visit.until(f"/02:[345].:.. CET/.test({TIME})")
    page.keyboard.press("Space")
    stood = page.evaluate(TIME)
    decided = page.evaluate(DECISIONS)
    check("it plays across a clock change, and pauses", "backup dst-fold" in decided and "vacuum started, 25m late" in decided, decided)
    page.reload()
    visit.until(f"{TIME}.startsWith({json.dumps(stood)})")
    check("a reload keeps its instant, and it stands", "speed=3600" in page.url and page.locator("#play").inner_text() == "Play", page.url)
    page.locator(".now").focus()
    page.keyboard.press("End")
    visit.until(f"{TIME} !== {json.dumps(stood)}")
    edge = page.evaluate(TIME)
    page.keyboard.press("PageDown")
    visit.until(f"{TIME} !== {json.dumps(edge)}")
    line = visit.box(page.locator(".now"))
    page.mouse.move(line["x"] + 12, line["y"] + 60)
    page.mouse.down()
    page.mouse.move(line["x"] + 212, line["y"] + 60, steps=4)
    page.mouse.up()
    moved = visit.box(page.locator(".now"))
    check("the clock follows the pointer", abs(moved["x"] - line["x"] - 200) < 3, f"{line}\n{moved}")
    page.keyboard.press("+")
    visit.until("document.querySelector('#speed').value === '21600'")
    page.locator("#table summary").click()
    page.wait_for_selector("#table-rows td")
    check("the table has the same entries", page.locator("#table-rows th[scope=row]", has_text="sync").count() > 5)
    page.keyboard.press("b")
    visit.until(f"{TIME}.includes('22:00:00 CEST')")
    check("it begins anew", "start=" in page.url)
    visit.close("a rehearsal")


def check_what_if(browser, servers, screens):
    visit = Visit(browser, servers, query="what-if?length=86400000", signs_in=False)
    page = visit.page
    page.fill("#token", TOKEN)
    page.keyboard.press("Enter")
    page.fill("#text", JOBS.replace("30 2 * * *", "30 3 * * *").replace("job.vacuum", "job.cleanup"))
    page.keyboard.press("Control+Enter")
    expect(page.locator(".row.pair")).to_have_count(3)
    found = {row.locator("h3").inner_text(): row.locator(".chip").inner_text() for row in page.locator(".row.pair").all()}
    check("jobs that change are named", found == {"backup": "changed", "cleanup": "added", "vacuum": "removed"}, found)
    backup = page.locator(".row.pair", has_text="backup")
    check("a schedule that changes is named", "30 2 * * * in Europe/Berlin → cron 30 3 * * *" in backup.inner_text(), backup.inner_text())
    check("an entry that moves has its sign", backup.locator(".sign.moved").count() == 1)
    row = page.locator("#table-rows tr", has=page.get_by_text("moved", exact=True)).inner_text()
    check("and its line in the table", "backup" in row and "02:30:00 CET" in row and "03:30:00 CET" in row, row)
    page.fill("#text", "[job.a]\nplugin = \"exec\"\nschedul = 3\n")
    page.locator("#compare").click()
    page.locator("#remarks button", has_text="Line 3").click()
    check("an error has its line, and leads there", "3 | schedul = 3" in page.locator("#remarks").inner_text()
          and page.evaluate("document.activeElement.selectionStart") == 24, page.locator("#remarks").inner_text())
    check("a text with an error has no picture", page.locator("#plan").is_hidden())
    visit.close("what if")


def check_proposals(servers):
    """What the server refuses, without a browser."""
    proposal = json.dumps({"configuration": "[job.a]"})
    check("without the cookie nothing is compared", servers.status("POST", "/api/plan", proposal) == 401)
    cookie = servers.ask("POST", "/api/session", json.dumps({"token": TOKEN}))[1]["Set-Cookie"].split(";")[0]
    check("nor for another site", servers.status("POST", "/api/plan", proposal, Cookie=cookie, Origin="http://evil.example.org") == 403)
    check("a text that is too long is refused", servers.status("POST", "/api/plan", "x" * 600_000, Cookie=cookie) == 413)


def check_looks(browser, servers, screens, scheme):
    """Both views in one theme, with two widths, as a person and as axe see them."""
    for width, height in ((360, 900), (1200, 860)):
        visit = Visit(browser, servers, width, height, scheme, "rehearsal?length=21600000&at=1792890000000", bypass_csp=True)
        page = visit.page
        page.locator("#table summary").click()
        views = [("rehearsal", lambda: None), ("what-if", lambda: show_plan(page, servers))]
        for name, show in views:
            show()
            find_violations(page, f"{name}: {scheme}, {width} px")
            found = page.evaluate("document.documentElement.scrollWidth")
            check(f"{name}: {width} pixels are enough ({scheme})", found <= width, found)
            page.screenshot(path=screens / f"{name}-{scheme}-{width}.png", full_page=True)
        visit.close(f"views ({scheme}, {width} px)")


def show_plan(page, servers):
    page.goto(f"http://127.0.0.1:{servers.port}/what-if?length=86400000")
    page.fill("#text", JOBS.replace("30 2 * * *", "30 3 * * *").replace("job.vacuum", "job.cleanup") + "[defaults]\n")
    page.locator("#compare").click()
    page.wait_for_selector(".row.pair")
