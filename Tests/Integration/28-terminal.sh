#!/bin/bash
# The full-screen views on terminals of several sizes and abilities, with real processes: what is shown, what keys do, and that the
# terminal is given back. The screens are kept in .build/screens.
. "$(dirname "$0")/lib.sh"
[ -e "$stage/complete" ] || { echo "nothing is built: make build"; exit 1; }
command -v python3 >/dev/null || skip "needs python3 for a terminal"
emulator=$checkout/.build/pyte
"$emulator/bin/python3" -c 'import pyte' 2>/dev/null \
  || { python3 -m venv "$emulator" && "$emulator/bin/pip" install --quiet --disable-pip-version-check pyte==0.8.2; } \
  || skip "pyte, which plays a terminal, cannot be installed"
scratch
"$emulator/bin/python3" "$here/terminal.py" "$stage" "$scratch" "$checkout/.build/screens"
