"""Pages in headless Chromium."""

import time

from playwright.sync_api import expect
from servers import LIMIT_SECONDS, TOKEN, check

expect.set_options(timeout=LIMIT_SECONDS * 1_000)


class Visit:
    """A page in the browser that notes what must never come."""

    def __init__(self, browser, servers, width=1200, height=800, scheme="light", query="?length=600000", signs_in=True, **options):
        self.context = browser.new_context(viewport={"width": width, "height": height}, color_scheme=scheme, **options)
        self.context.set_default_timeout(LIMIT_SECONDS * 1_000)
        self.page = self.context.new_page()
        self.faults = []
        self.page.on("pageerror", lambda error: self.faults.append(f"error: {error}"))
        self.page.on("dialog", lambda dialog: self.answer(dialog))
        self.page.on("console", lambda message: self.note(message))
        self.page.goto(f"http://127.0.0.1:{servers.port}/{query}")
        if signs_in:
            self.sign_in()

    def sign_in(self):
        self.page.fill("#token", TOKEN)
        self.page.keyboard.press("Enter")
        self.page.wait_for_selector(".row .track svg path")

    def note(self, message):
        # A server that is away on purpose is told of too.
        if message.type == "error" and "Failed to load resource" not in message.text:
            self.faults.append(f"console: {message.text}")

    def answer(self, dialog):
        if dialog.type == "alert":
            self.faults.append(f"a script of a job ran: {dialog.message}")
        dialog.accept("maintenance" if dialog.type == "prompt" else "")

    def until(self, expression):
        """Waits until an expression holds. The page's policy forbids the browser's own way, which evaluates a text again and again."""
        limit = time.monotonic() + LIMIT_SECONDS
        while not self.page.evaluate(expression):
            if time.monotonic() > limit:
                raise TimeoutError(expression)
            self.page.wait_for_timeout(50)

    def box(self, locator):
        """Where an element is, in pixels of the page; an element that is being drawn anew is nowhere, and looked for again."""
        limit = time.monotonic() + LIMIT_SECONDS
        while (box := locator.bounding_box()) is None:
            if time.monotonic() > limit:
                raise TimeoutError(f"no box: {locator}")
            self.page.wait_for_timeout(50)
        return box

    def close(self, name):
        check(f"{name}: no script of a job has run, and nothing has failed", not self.faults, "\n".join(self.faults))
        self.context.close()
