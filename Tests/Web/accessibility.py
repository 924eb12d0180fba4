"""Every rule of axe on every state of the page."""

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect
from servers import check
from visit import Visit


def check_accessibility(browser, servers):
    for scheme in ("light", "dark"):
        for width, height in ((360, 740), (1200, 800)):
            examine(browser, servers, scheme, width, height)


def examine(browser, servers, scheme, width, height):
    place = f"{scheme}, {width} px"
    # axe is no script of the page's own, and makes its own markup: the page's policy would stop it. `web.py` holds the policy.
    visit = Visit(browser, servers, width, height, scheme, bypass_csp=True, signs_in=False)
    page = visit.page
    expect(page.locator("#sign-in")).to_be_visible()
    find_violations(page, f"{place}: sign-in")
    page.fill("#token", "correct-horse-battery")
    page.keyboard.press("Enter")
    expect(page.locator("#sign-in-fault")).to_be_visible()
    find_violations(page, f"{place}: a sign-in that is refused")
    visit.sign_in()
    find_violations(page, f"{place}: the rows")
    page.check("#grouped")
    page.locator("#table summary").click()
    page.wait_for_selector("#table-rows td")
    find_violations(page, f"{place}: the groups and the table")
    page.locator(".title", has_text="broken").click()
    page.wait_for_selector("#story pre")
    find_violations(page, f"{place}: a story")
    page.keyboard.press("Escape")
    page.keyboard.press("?")
    expect(page.locator("#keys")).to_be_visible()
    find_violations(page, f"{place}: the keys")
    page.keyboard.press("Escape")
    page.fill("#filter", "nothing")
    expect(page.locator("#empty")).to_be_visible()
    find_violations(page, f"{place}: no job")
    visit.close(f"axe ({place})")


def find_violations(page, name):
    """Checks that axe finds nothing: no rule is switched off."""
    found = Axe().run(page)
    check(f"axe finds nothing: {name}", found.violations_count == 0, found.generate_report())
