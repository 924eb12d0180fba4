#!/bin/bash
# fuzz.sh: the fuzzing tests of every parser (wire, Varlink, ledger, TOML, cron, zones, iCalendar) with the address sanitizer on: what
# Swift's own checks do not see, because it happens in C, C++ or code marked unsafe. The cases are fixed and their seeds
# printed. A test takes part by the word "fuzz" in its name or its suite's.
set -euo pipefail
cd "$(dirname "$0")/.."
root=$PWD
package=$root/.build/fuzz
filter='[Ff]uzz'
targets=(TimelineConfigurationTests TimelineControlTests TimelineCoreTests TimelineHostingTests TimelineImportTests TimelineLedgerTests)

# A package of links with those targets alone and what they need: the programs need no sanitizer, and take minutes to build.
mkdir -p "$package"
for name in Sources Tests; do ln -sfn "$root/$name" "$package/$name"; done
[ ! -e Package.resolved ] || cp Package.resolved "$package/"
{
  cat Package.swift
  printf 'let fuzzed: Set<String> = [%s]\n' "$(printf '"%s",' "${targets[@]}")"
  cat <<'SWIFT'
var wanted = fuzzed
var before = 0
while wanted.count != before {
  before = wanted.count
  for target in package.targets where wanted.contains(target.name) {
    for case .byNameItem(let name, _) in target.dependencies { wanted.insert(name) }
  }
}
package.targets.removeAll { !wanted.contains($0.name) }
package.products.removeAll()
SWIFT
} > "$package/Package.swift"

# Cron and calendar rules are put to Python's cronsim and to systemd-analyze, 20,000 of each; rules of holidays
# and civil rules to Python's dateutil, 10,000 of each, and 20,000 recurrence rules to dateutil and libical.
export TIMELINED_FUZZ_CASES=${TIMELINED_FUZZ_CASES:-20000}
. Tests/cronsim.sh
# Crontabs are put to Debian's cron.
if unshare -m true 2>/dev/null && Tests/crontab.sh --install; then
  export TIMELINED_CRONTAB=$root/Tests/crontab.sh
else
  echo "== cron cannot be unpacked, or this is not root, so crontabs are not compared with it"
fi

swift build --package-path "$package" --build-tests --sanitize=address
# A suite runs the reader of calendars, whose sandbox refuses system calls of the sanitizer.
programs=$(swift build --package-path "$package" --sanitize=address --show-bin-path)
read -ra libical <<< "$(pkg-config --cflags --libs libical)"
cc -O1 -D_GNU_SOURCE -o "$programs/timeline-calendar" Sources/Edges/timeline-calendar/*.c "${libical[@]}"
# Swift's runtime keeps metadata for ever, which is no leak of ours.
# The bundle is run as in suites.sh: `swift test` asks it for its tests of XCTest first, and it runs all tests instead.
ASAN_OPTIONS=detect_leaks=0 \
  "$programs/timelinedPackageTests.xctest" --testing-library swift-testing --filter "$filter" "$@" 2>&1 | tee .build/fuzz.log
# A filter that matches nothing is no success.
grep -qE 'Test run with [1-9][0-9]* tests? .* passed' .build/fuzz.log
