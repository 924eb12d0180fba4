#!/bin/bash
# `make run` as a newcomer meets it, on a terminal: runs are seen within five seconds of the start, timelinectl answers
# beside it, and Ctrl-C drains and ends with 0. Name another checkout to try that one.
. "$(dirname "$0")/lib.sh"
command -v python3 >/dev/null || skip "needs python3 for a terminal"
python3 "$here/make-run.py" "${1:-$checkout}"
