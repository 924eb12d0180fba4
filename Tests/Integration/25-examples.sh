#!/bin/bash
# The examples of README.md and docs/: each configuration is checked, each plugin compiled, each command run as it stands,
# and what it prints is put to what the page shows.
. "$(dirname "$0")/lib.sh"
command -v python3 >/dev/null || skip "needs python3"
[ -e "$stage/complete" ] || { echo "nothing is built: make build"; exit 1; }
scratch
python3 "$here/examples.py" "$checkout" "$scratch"
