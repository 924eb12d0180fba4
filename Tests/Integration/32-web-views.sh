#!/bin/bash
# Every state of the web page for axe, and the rehearsal and what if, in headless Chromium. It needs what `make web` builds.
# Pictures are kept in .build/web/screens.
. "$(dirname "$0")/lib.sh"
[ -e "$stage/complete" ] || { echo "nothing is built: make build"; exit 1; }
. "$checkout/Tests/Web/browser.sh"
scratch
"$browser/bin/python3" "$checkout/Tests/Web/views.py" "$stage" "$program" "$scratch" "$screens"
