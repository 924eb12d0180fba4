# browser.sh: what the scripts of the web page need, for `.` after Integration/lib.sh: `program`, the server, and `browser`, Python with
# playwright and axe. Skips the script if something cannot be had.
program=${TIMELINED_WEB_PROGRAM:-$checkout/.build/web/stage/timelined-web}
[ -x "$program" ] || skip "needs timelined-web: make web"
command -v chromium >/dev/null || skip "needs Debian's chromium"
browser=$checkout/.build/playwright
# Two scripts may begin at once: one of them installs.
exec 9>"$checkout/.build/playwright.lock"
flock 9
"$browser/bin/python3" -c 'import axe_playwright_python, playwright' 2>/dev/null \
  || { python3 -m venv "$browser" && "$browser/bin/pip" install --quiet --disable-pip-version-check playwright==1.65.2 axe-playwright-python==0.1.8; } \
  || skip "playwright and axe, which drive and examine the page, cannot be installed"
exec 9>&-
screens=$checkout/.build/web/screens
