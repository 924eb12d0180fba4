#!/usr/bin/env python3
"""web.py STAGE PROGRAM SCRATCH [SCREENS]: the web page in headless Chromium, with a real daemon and real jobs.

Prints one line for each thing that it checks, and exits with 1 if one does not hold. SCREENS is a directory for pictures.
"""

import json
import re
import sys
from pathlib import Path

from crowd import check_crowd
from jobs import HOSTILE, JOBS
from playwright.sync_api import expect, sync_playwright
from servers import TOKEN, Servers, check, comes, finish, free_port
from visit import Visit

STAGE, PROGRAM, SCRATCH = Path(sys.argv[1]), sys.argv[2], Path(sys.argv[3])
SCREENS = Path(sys.argv[4]) if len(sys.argv) > 4 else SCRATCH


def check_requests(servers):
    """What the server refuses, without a browser."""
    check("a foreign Host is refused", servers.status("GET", "/", Host="evil.example.org") == 421)
    check("without the cookie nothing is told", servers.status("GET", "/api/window") == 401)
    check("nor an event", servers.status("GET", "/api/events") == 401)
    check("without the cookie nothing is changed", servers.status("POST", "/api/trigger", '{"job":"backup"}') == 401)
    sign_in = json.dumps({"token": TOKEN})
    check("another token is refused", servers.status("POST", "/api/session", '{"token":"correct-horse-battery"}') == 403)
    check("a sign-in of a foreign origin is refused",
          servers.status("POST", "/api/session", sign_in, Origin="http://evil.example.org") == 403)
    status, headers, _ = servers.ask("POST", "/api/session", sign_in)
    cookie = headers.get("Set-Cookie", "").split(";")[0]
    check("the token is exchanged for a cookie", status == 200 and "HttpOnly; SameSite=Strict" in headers["Set-Cookie"], headers)
    check("with the cookie the window is told", servers.status("GET", "/api/window", Cookie=cookie) == 200)
    program = {"Authorization": f"Bearer {TOKEN}", "Origin": None, "Sec-Fetch-Site": None, "Content-Type": None}
    status, headers, body = servers.ask("GET", "/metrics", **program)
    check("a monitor has the metrics for the token itself",
          status == 200 and "openmetrics" in headers["Content-Type"] and body.endswith(b"# EOF\n") and b"timelined_jobs 4" in body, body)
    status, _, body = servers.ask("GET", "/health", **program)
    check("and the health", status in (200, 503) and "findings" in json.loads(body), body)
    check("and nothing else", servers.status("GET", "/api/window", **program) == 401)
    for name, changed in [("foreign Origin", {"Origin": "http://evil.example.org"}), ("no Origin", {"Origin": None}),
                          ("another site", {"Sec_Fetch_Site": "cross-site"}), ("no Sec-Fetch-Site", {"Sec_Fetch_Site": None}),
                          ("foreign Host", {"Host": "evil.example.org"})]:
        status = servers.status("POST", "/api/trigger", '{"job":"backup"}', Cookie=cookie, **changed)
        check(f"a change with {name} is refused", status in (403, 421), status)
    check("nothing of that has triggered the job", servers.ctl("history", "backup", "--json").stdout == "")
    check("a body that is too long is refused", servers.status("POST", "/api/trigger", "x" * 5000, Cookie=cookie) == 413)
    check("headers that are too long are refused", servers.status("GET", "/", X_Long="x" * 20_000) in (0, 400, 431))
    check("a path is a name and not a file", servers.status("GET", "/../../etc/passwd") == 404)
    policy = servers.ask("GET", "/")[1].get("Content-Security-Policy", "")
    check("the page is bound to its own scripts", "default-src 'none'" in policy and "unsafe" not in policy, policy)
    port = free_port()
    open_server = servers.start_web(port, "--read-only")
    try:
        check("a read-only server needs no token", servers.status("GET", "/api/window", port=port) == 200)
        check("and changes nothing", servers.status("POST", "/api/trigger", '{"job":"backup"}', port=port) == 403)
    finally:
        open_server.kill()
        open_server.wait()


def check_reading(browser, servers):
    visit = Visit(browser, servers)
    page = visit.page
    names = page.locator(".row h3").all_inner_texts()
    check("each job has a row", names == ["check", "broken", "backup", "report"], names)
    label = page.locator(".row svg[role=img]").nth(2).get_attribute("aria-label")
    check("a row has its counts in words", bool(re.search(r"^broken: \d+ runs?, \d+ failed, next ", label)), label)
    years = page.evaluate(
        "import('/words.js').then(({ instant }) => [Date.UTC(2031, 0, 1, 1), Date.UTC(2026, 0, 1, 1)].map((at) => instant(at, 'UTC', Date.UTC(2026, 6, 1))))")
    check("an instant of another year has its year", years == ["Wed 1 Jan 2031, 01:00:00", "Thu 1 Jan, 01:00:00"], years)
    check("the future has the outcomes of policies", page.locator(".row", has_text="report").locator(".planned path.mark.miss").count() == 1)

    page.keyboard.press("+")
    visit.until("new URLSearchParams(location.search).get('length') === '300000'")
    visit.until("document.querySelector('#length').value === ''")
    page.keyboard.press("Shift+ArrowRight")
    visit.until("new URLSearchParams(location.search).has('from')")
    page.reload()
    page.wait_for_selector(".row .track svg path")
    check("a reload keeps the window", "length=300000" in page.url and "from=" in page.url, page.url)
    page.keyboard.press("n")
    visit.until("!new URLSearchParams(location.search).has('from')")
    page.keyboard.press("-")
    visit.until("document.querySelector('#length').value === '600000'")

    page.keyboard.press("/")
    page.keyboard.type("b -broken")
    visit.until("document.querySelectorAll('.row h3').length === 1")
    check("the filter has a word and excludes another", page.locator(".row h3").all_inner_texts() == ["backup"])
    page.fill("#filter", "group:db")
    visit.until("document.querySelectorAll('.row h3').length === 2")
    page.fill("#filter", "")
    visit.until("document.querySelectorAll('.row h3').length === 4")
    page.check("#grouped")
    check("rows are put together by group", page.locator(".group-title").all_inner_texts() == ["db", "without a group"])
    page.uncheck("#grouped")

    page.locator("#table summary").click()
    page.wait_for_selector("#table-rows td")
    check("a table has the same entries", page.locator("#table-rows th[scope=row]", has_text="broken").count() > 0)
    snapshot = page.locator("#chart").aria_snapshot()
    check("rows, pictures and the selected entry have names", all(
        text in snapshot for text in ["group \"check\"", "heading \"check\"", "img \"check: ", "button \"backup: no entry"]), snapshot)
    page.screenshot(path=SCREENS / "page-light.png")
    visit.close("reading")


def check_keys(browser, servers):
    """The whole way with keys alone."""
    visit = Visit(browser, servers, scheme="dark")
    page = visit.page
    focus = "document.activeElement.getAttribute('aria-label') ?? ''"
    page.keyboard.press("ArrowDown")
    visit.until(f"({focus}).startsWith('broken, ')")
    page.keyboard.press("Home")
    first = page.evaluate(focus)
    page.keyboard.press("ArrowRight")
    second = page.evaluate(focus)
    check("arrows go from entry to entry", "; 1 of " in first and "; 2 of " in second, f"{first}\n{second}")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("Enter")
    page.wait_for_selector("#story pre")
    story = page.locator("#story").inner_text()
    check("Enter tells the story of an entry, with its output as text", HOSTILE in story and "status 7" in story, story)
    check("its markup is text", page.locator("#story img, #story script").count() == 0)
    check("the address has the entry", "job=broken&entry=" in page.url, page.url)
    page.screenshot(path=SCREENS / "story-dark.png")
    page.keyboard.press("Escape")
    check("Esc goes back to the entry", page.locator("#story").is_hidden() and page.evaluate(focus).startswith("broken, "))
    page.keyboard.press("?")
    check("? shows the keys", page.locator("#keys").is_visible())
    page.keyboard.press("Escape")
    # The rows are as wide as before the explanation, and are drawn anew.
    target = visit.box(page.locator(".cursor"))
    check("the target has 24 pixels at least", target["width"] >= 24 and target["height"] >= 24, target)
    visit.close("keys")


def check_hands_on_keys(browser, servers):
    """From the sign-in to a change and back, without a pointer and without a place that only a script reaches."""
    visit = Visit(browser, servers, signs_in=False)
    page, keyboard = visit.page, visit.page.keyboard
    page.wait_for_selector("#sign-in:not([hidden])")
    keyboard.type(TOKEN)
    keyboard.press("Enter")
    page.wait_for_selector(".row .track svg path")
    keyboard.press("/")
    keyboard.type("backup")
    visit.until("document.querySelectorAll('.row h3').length === 1")
    for _ in range(20):
        keyboard.press("Tab")
        if page.evaluate("document.activeElement.classList.contains('cursor')"):
            break
    check("Tab goes from the filter to the entries", page.evaluate("document.activeElement.classList.contains('cursor')"),
          page.evaluate("document.activeElement.outerHTML"))
    keyboard.press("Enter")
    expect(page.locator("#story")).to_be_focused()
    keyboard.press("t")
    chips = page.locator(".row", has_text="backup")
    expect(chips.locator(".chip.running")).to_have_count(1)
    check("t triggers the job of the open story", "running" in servers.ctl("list").stdout)
    for _ in range(20):
        keyboard.press("Tab")
        if page.evaluate("document.activeElement.classList.contains('danger')"):
            break
    keyboard.press("Enter")
    expect(chips.locator(".chip.running")).to_have_count(0)
    keyboard.press("p")
    expect(chips.locator(".chip.paused")).to_have_count(1)
    check("p pauses it with a reason", "maintenance" in servers.ctl("list").stdout + servers.ctl("why", "backup").stdout)
    keyboard.press("p")
    expect(chips.locator(".chip.paused")).to_have_count(0)
    keyboard.press("Escape")
    check("Esc closes the story", page.locator("#story").is_hidden() and page.evaluate("document.activeElement.classList.contains('cursor')"))
    keyboard.press("/")
    keyboard.press("Escape")
    visit.until("document.querySelectorAll('.row h3').length === 4")
    check("Esc in the filter shows all jobs", page.locator("#filter").input_value() == "")
    visit.close("hands on the keys")


def check_usage(browser, servers):
    """The columns of usage, which a daemon without a control group of its own does not know: it is put into its reply."""
    visit = Visit(browser, servers)
    page = visit.page

    def fill_in(route):
        reply = route.fetch()
        data = reply.json()
        for row in data["rows"]:
            for mark in row["marks"]:
                if row["name"] == "broken" and mark[4] == 0:
                    mark[9:11] = 0.25, "at most 1.5 MiB"
        route.fulfill(response=reply, json=data)

    page.locator("#table summary").click()
    page.wait_for_selector("#table-rows td")
    heads = page.locator("#table-rows thead").inner_text()
    check("the table has no column for what no run tells of", "CPU" not in heads, heads)
    page.route("**/api/window*", fill_in)
    expect(page.locator("#table-rows th", has_text="CPU")).to_have_count(1)
    line = page.locator("#table-rows tr", has_text="broken", has=page.locator("td", has_text="failed")).first.inner_text()
    check("else it has their processor time and peak memory", line.split("\t")[-2:] == ["0.25ms", "at most 1.5 MiB"], line)
    page.unroute_all(behavior="ignoreErrors")
    visit.close("usage")


def check_changes(browser, servers):
    visit = Visit(browser, servers)
    page = visit.page
    page.locator(".title", has_text="backup").click()
    page.locator("#story button", has_text="Run now").click()
    expect(page.locator(".row", has_text="backup").locator(".chip.running")).to_have_count(1)
    page.locator("#story button", has_text="Cancel run").click()
    check("a run is triggered and cancelled", comes(lambda: "cancelled" in servers.ctl("history", "backup").stdout),
          servers.ctl("history", "backup").stdout)
    page.locator("#story input").fill("disk is full")
    page.locator("#story button", has_text="Pause").click()
    expect(page.locator(".row", has_text="backup").locator(".chip.paused")).to_have_count(1)
    check("a pause has its reason", "disk is full" in servers.ctl("list").stdout + servers.ctl("why", "backup").stdout)
    page.locator("#story button", has_text="Resume").click()
    expect(page.locator(".row", has_text="backup").locator(".chip.paused")).to_have_count(0)
    check("and is resumed", "disk is full" not in servers.ctl("list").stdout, servers.ctl("list").stdout)
    visit.close("changes")


def check_restart(browser, servers):
    visit = Visit(browser, servers)
    page = visit.page
    servers.stop_daemon()
    expect(page.locator("#fault")).to_be_visible()
    check("a daemon that is away is told of", "no such file" in page.locator("#fault").inner_text()
          or "does not answer" in page.locator("#fault").inner_text(), page.locator("#fault").inner_text())
    servers.start_daemon()
    expect(page.locator("#fault")).to_be_hidden()
    check("and the page goes on when it is back", page.locator(".row h3").count() == 4)
    visit.close("a restart")


def check_phone(browser, servers):
    for scheme in ("light", "dark"):
        visit = Visit(browser, servers, width=360, height=740, scheme=scheme)
        page = visit.page
        width = page.evaluate("document.documentElement.scrollWidth")
        check(f"360 pixels are enough ({scheme})", width <= 360, width)
        colors = page.evaluate("[getComputedStyle(document.body).color, getComputedStyle(document.body).backgroundColor]")
        check(f"the page is {scheme}", contrast(*colors) >= 4.5 and (luminance(colors[1]) > 0.5) == (scheme == "light"), colors)
        page.screenshot(path=SCREENS / f"phone-{scheme}.png")
        visit.close(f"a phone ({scheme})")


def luminance(color):
    parts = [int(part) / 255 for part in re.findall(r"\d+", color)[:3]]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(first, second):
    lighter, darker = sorted((luminance(first), luminance(second)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def main():
    SCREENS.mkdir(parents=True, exist_ok=True)
    servers = Servers(STAGE, PROGRAM, SCRATCH, JOBS)
    try:
        check_requests(servers)
        check_crowd(servers)
        # The page has something to show from its first look on.
        check("jobs have run", comes(lambda: servers.ctl("history", "broken", "--json").stdout.count("\n") >= 3))
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
            for part in (check_reading, check_keys, check_hands_on_keys, check_usage, check_changes, check_restart, check_phone):
                try:
                    part(browser, servers)
                except Exception as error:
                    check(part.__name__, False, error)
            browser.close()
    finally:
        servers.stop()
    finish()


main()
