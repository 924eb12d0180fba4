#!/bin/bash
# The web page in headless Chromium, with a real daemon and real jobs, and the page of a node of a cluster. It needs what `make web` builds.
# Pictures are kept in .build/web/screens.
. "$(dirname "$0")/lib.sh"
[ -e "$stage/complete" ] || { echo "nothing is built: make build"; exit 1; }
. "$checkout/Tests/Web/browser.sh"
scratch
# The servers of the cluster's store have another user.
chmod 755 "$scratch"
"$browser/bin/python3" "$checkout/Tests/Web/web.py" "$stage" "$program" "$scratch" "$screens" \
  && "$browser/bin/python3" "$checkout/Tests/Web/nodes.py" "$stage" "$program" "$scratch" "$screens"
