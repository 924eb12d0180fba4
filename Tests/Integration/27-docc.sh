#!/bin/bash
# The documentation of the libraries: DocC builds their pages without a warning.
. "$(dirname "$0")/lib.sh"
command -v docc >/dev/null || skip "this toolchain has no docc"
[ -e "$checkout/.build/tests/debug/Modules/TimelineMachine.swiftmodule" ] || { echo "nothing is built: make tests"; exit 1; }
scratch
for library in TimelineCore TimelineClocks TimelineMachine TimelineFoundation TimelineTesting TimelinePluginKit; do
  check "the pages of $library have no warning" "$checkout/Tests/docc.sh" "$library" "$scratch" --warnings-as-errors
done
finish
