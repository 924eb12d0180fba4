#!/bin/bash
# The web page in headless Chromium, with a real daemon and real jobs. It needs what `make web` builds.
# Pictures are kept in .build/web/screens.
. "$(dirname "$0")/lib.sh"
[ -e "$stage/complete" ] || { echo "nothing is built: make build"; exit 1; }
program=${TIMELINED_WEB_PROGRAM:-$checkout/.build/web/stage/timelined-web}
[ -x "$program" ] || skip "needs timelined-web: make web"
command -v chromium >/dev/null || skip "needs Debian's chromium"
browser=$checkout/.build/playwright
"$browser/bin/python3" -c 'import axe_playwright_python, playwright' 2>/dev/null \
  || { python3 -m venv "$browser" && "$browser/bin/pip" install --quiet --disable-pip-version-check playwright==1.65.2 axe-playwright-python==0.1.8; } \
  || skip "playwright and axe, which drive and examine the page, cannot be installed"
scratch
# The servers of the cluster's store have another user.
chmod 755 "$scratch"
"$browser/bin/python3" "$checkout/Tests/Web/web.py" "$stage" "$program" "$scratch" "$checkout/.build/web/screens" \
  && "$browser/bin/python3" "$checkout/Tests/Web/nodes.py" "$stage" "$program" "$scratch" "$checkout/.build/web/screens"
