#!/bin/bash
# Test clocks on a runtime that does not let a library replace its executors: TimelineTesting is built without this part, and a program says so.
. "$(dirname "$0")/lib.sh"
debug=$checkout/.build/tests/debug
[ -e "$debug/Modules/TimelineClocks.swiftmodule" ] || { echo "nothing is built: make tests"; exit 1; }
scratch
cd "$scratch" || exit 1

options=(-swift-version 6 -I "$debug/Modules" -I "$scratch")
for map in "$debug"/*.build/module.modulemap; do options+=(-Xcc "-fmodule-map-file=$map"); done
features=(ExistentialAny InternalImportsByDefault MemberImportVisibility NonisolatedNonsendingByDefault InferIsolatedConformances)
for feature in "${features[@]}"; do strict+=(-enable-upcoming-feature "$feature"); done
# The build calls the package by the directory of the checkout, and only a module of the same package sees its declarations.
package=$(grep -F '"-module-name","TimelineTesting",' "$debug.yaml" | sed -n 's/.*"-package-name","\([^"]*\)".*/\1/p' | head -n 1)
mapfile -t sources < <(find "$checkout/Sources/Edges/TimelineTesting" -name '*.swift')
must "the fallback compiles without a warning" \
  swiftc "${options[@]}" "${strict[@]}" -strict-memory-safety -warnings-as-errors -package-name "$package" -parse-as-library -wmo \
  -D TIMELINE_TESTING_WITHOUT_EXECUTORS -module-name TimelineTesting -emit-module -c -o TimelineTesting.o "${sources[@]}"

cat > main.swift <<'PROGRAM'
import TimelineTesting

let clock = TestClock()
let other = TestClock()
let trace = Trace(clock: clock)
let task = Task {
  for await _ in clock.timer(interval: .seconds(1)) { trace.record("t") }
}
await clock.advance(by: .seconds(3))
task.cancel()
let end = await withTestClock(advancing: .automatically) { clock in
  try? await clock.sleep(for: .seconds(3600))
  return clock.now
}
print(trace.diagram(), clock.isDeterministic, end)
PROGRAM
libraries=(TimelineCore TimelineClockNames TimelineClocks CTimelineTesting IssueReporting XCTestDynamicOverlay IssueReportingTestSupport)
mapfile -t objects < <(for library in "${libraries[@]}"; do find "$debug/$library.build" -name '*.o'; done)
check "a program with it is linked" swiftc "${options[@]}" main.swift TimelineTesting.o "${objects[@]}" -o program
./program > out 2> err || echo "exit status $?" >> err
check "its clocks move as well as they can, and are not deterministic" test "$(cat out)" = "-ttt false 1970-01-01T01:00:00Z"
check "the first clock reports it, and no other" \
  test "$(grep -c "main.swift:3: Test clocks are not deterministic here" err)$(grep -c "not deterministic" err)" = 11
finish
