#!/bin/bash
# run.sh: every test, on what `make test` has built: the Swift suites, then each script of Integration/. Prints failures and a line for
# each part with the time it took; the whole output of a part is in .build/*.log. Fails when anything failed.
# Name scripts (`Tests/run.sh units systemd`) to run those alone.
set -uo pipefail
cd "$(dirname "$0")/.." || exit 1
mkdir -p .build
log=.build/test.log
passed=0 failed=() skipped=() swift_rc=0 swift_line='not asked for'

if [ $# -eq 0 ]; then
  . Tests/cronsim.sh
  # What hangs is stopped, and has failed. Two parts are run by themselves: the suites whose loops are busy on purpose, which would slow
  # all others down, and the daemon's own, with real jobs and real timeouts.
  suites() { # suites SECONDS OPTION...: runs those that the options choose, for so many seconds at most
    local limit=$1 begin=$SECONDS
    shift
    # Without a line for each test and each of its cases, whose arguments may have several lines.
    timeout -k 20 "$limit" swift test --skip-build "$@" 2>&1 | tee -a "$log" |
      awk '/^(◇|↳|✔)/ { hidden = !/^✔ Test run/ } /^✘|error:|Fatal error/ { hidden = 0 } !hidden'
    local rc=${PIPESTATUS[0]}
    [ "$rc" -eq 0 ] || swift_rc=$rc
    [ "$rc" -ne 124 ] || echo "error: the suites with $* did not end within $limit s" | tee -a "$log"
    echo "== Swift suites $*: $((SECONDS - begin)) s"
  }
  : > "$log"
  suites 1200 --skip DeterminismTests --skip QuietTests --skip ForeignTasksTests --skip TimelineDaemonTests
  suites 300 --filter "DeterminismTests|QuietTests|ForeignTasksTests"
  suites 600 --filter TimelineDaemonTests
  swift_line=$(grep -aE '^. Test run with .* (passed|failed)' "$log")
  [ "$(grep -c . <<<"$swift_line")" -ge 3 ] || swift_line="the Swift suites did not reach their end"
fi

for script in Tests/Integration/[0-9]*.sh; do
  name=${script##*/}
  name=${name%.sh}
  if [ $# -gt 0 ] && [[ " $* " != *" ${name#*-} "* ]]; then continue; fi
  begin=$SECONDS
  # The slowest takes under a minute; what hangs is stopped, and has failed.
  timeout -k 20 300 "$script" </dev/null >".build/$name.log" 2>&1
  case $? in
    0) passed=$((passed + 1)) result=passed ;;
    77) skipped+=("$name: $(tail -n 1 ".build/$name.log")") result=skipped ;;
    *)
      failed+=("$name") result=FAILED
      grep -avE '^ok ' ".build/$name.log" | tail -n 60
      ;;
  esac
  echo "== $name: $result, $((SECONDS - begin)) s"
done

echo
echo "== closing lines"
# Failures once more, where they are seen.
if [ $swift_rc -ne 0 ]; then grep -aE '^✘ .* recorded an issue|error:|Fatal error' "$log" | head -n 40; fi
for name in "${skipped[@]}"; do echo "skipped $name"; done
for name in "${failed[@]}"; do echo "FAILED $name"; done
echo "$swift_line"
echo "Integration: $passed passed, ${#failed[@]} failed, ${#skipped[@]} skipped, all parts in $SECONDS s"
if [ $swift_rc -eq 0 ] && [ ${#failed[@]} -eq 0 ]; then
  echo "make test: passed"
else
  echo "make test: FAILED"
  exit 1
fi
