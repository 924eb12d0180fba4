#!/bin/bash
# suites.sh OPTION...: runs the Swift suites that the options of `swift test` choose, from what `make tests` has built. Several can run beside
# each other: SwiftPM, which lets one process at a time into its directory, is not asked.
set -uo pipefail
cd "$(dirname "$0")/.." || exit 1
bundle=.build/tests/debug/timelinedPackageTests.xctest
[ -x "$bundle" ] || { echo "nothing is built: make tests"; exit 1; }
# MachineTests look at the zone of this machine, which TZ would replace.
unset TZ
# Colors would go into the logs.
export NO_COLOR=1
exec "$bundle" --testing-library swift-testing "$@"
