#!/bin/bash
# run.sh: every test, on what `make test` has built: the Swift suites, then each script of Integration/. Prints what
# became of each and closes with one line for either; fails when anything failed.
# Name scripts (`Tests/run.sh units systemd`) to run those alone.
set -uo pipefail
cd "$(dirname "$0")/.." || exit 1
mkdir -p .build
log=.build/test.log
passed=0 failed=() skipped=() swift_rc=0 swift_line='not asked for'

if [ $# -eq 0 ]; then
  echo "== Swift suites"
  . Tests/cronsim.sh
  # What hangs is stopped, and has failed. Two are run by themselves: the one whose loops are busy on purpose, which would slow
  # all others down, and the daemon's own, with real jobs and real timeouts.
  suites() { # suites SECONDS OPTION...: runs those that the options choose, for so many seconds at most
    local seconds=$1
    shift
    timeout -k 20 "$seconds" swift test --skip-build "$@" 2>&1 | tee -a "$log"
    local rc=${PIPESTATUS[0]}
    [ "$rc" -eq 0 ] || swift_rc=$rc
    [ "$rc" -ne 124 ] || echo "error: the suites with $* did not end within $seconds s" | tee -a "$log"
  }
  : > "$log"
  suites 1200 --skip DeterminismTests --skip TimelineDaemonTests
  suites 300 --filter DeterminismTests
  suites 600 --filter TimelineDaemonTests
  swift_line=$(grep -aE '^. Test run with .* (passed|failed)' "$log")
  [ "$(grep -c . <<<"$swift_line")" -ge 3 ] || swift_line="the Swift suites did not reach their end"
fi

for script in Tests/Integration/[0-9]*.sh; do
  name=${script##*/}
  name=${name%.sh}
  if [ $# -gt 0 ] && [[ " $* " != *" ${name#*-} "* ]]; then continue; fi
  echo "== $name"
  # The slowest takes under a minute; what hangs is stopped, and has failed.
  timeout -k 20 300 "$script" </dev/null 2>&1 | tee ".build/$name.log"
  case $? in
    0) passed=$((passed + 1)) ;;
    77) skipped+=("$name: $(tail -n 1 ".build/$name.log")") ;;
    *) failed+=("$name") ;;
  esac
done

echo
echo "== closing lines"
# What failed, once more, where it is seen.
if [ $swift_rc -ne 0 ]; then grep -aE '^✘ .* recorded an issue|error:|Fatal error' "$log" | head -n 40; fi
for name in "${skipped[@]}"; do echo "skipped $name"; done
for name in "${failed[@]}"; do echo "FAILED $name"; done
echo "$swift_line"
echo "Integration: $passed passed, ${#failed[@]} failed, ${#skipped[@]} skipped"
if [ $swift_rc -eq 0 ] && [ ${#failed[@]} -eq 0 ]; then
  echo "make test: passed"
else
  echo "make test: FAILED"
  exit 1
fi
