#!/bin/bash
# The Swift snippets of docs/library.md, of the articles of the libraries, and of their doc comments: each is compiled, and run if it tells what it prints.
. "$(dirname "$0")/lib.sh"
command -v python3 >/dev/null || skip "needs python3"
[ -e "$checkout/.build/tests/debug/Modules/TimelineMachine.swiftmodule" ] || { echo "nothing is built: make tests"; exit 1; }
scratch
python3 "$here/snippets.py" "$checkout" "$scratch"
