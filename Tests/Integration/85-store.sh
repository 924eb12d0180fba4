#!/bin/bash
# timeline-store against a real PostgreSQL of its own: the rules of each call, races, and what goes wrong with servers and processes.
. "$(dirname "$0")/lib.sh"
[ -e "$stage/complete" ] || { echo "nothing is built: make build"; exit 1; }
scratch
python3 "$checkout/Tests/Store/store.py" "$stage/timeline-store" "$scratch" "$checkout/docs/store.md"
