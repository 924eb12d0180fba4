#!/bin/bash
# run.sh: every test, on what `make test` has built: the Swift suites and each script of Integration/. Prints failures and a line for
# each part with the time it took; the whole output of a part is in .build/*.log. Fails when anything failed.
# Name scripts (`Tests/run.sh units systemd`) to run those alone, one after the other.
set -uo pipefail
cd "$(dirname "$0")/.." || exit 1
mkdir -p .build
# Of this run alone: another one may be under way.
results=$(mktemp -d .build/results.XXXXXX) || exit 1
trap 'rm -rf "$results"' EXIT
log=.build/test.log

# say: prints what it reads as one piece, so that parts that end at the same time do not mix their lines.
say() {
  flock "$results/lock" cat
}

# suites SECONDS OPTION...: runs the Swift suites that the options choose, for so many seconds at most; what hangs has failed.
suites() {
  local limit=$1 begin=$SECONDS rc
  shift
  timeout -k 20 "$limit" swift test --skip-build "$@" </dev/null >"$results/suites.log" 2>&1
  rc=$?
  [ "$rc" -ne 124 ] || echo "error: the suites with $* did not end within $limit s" >>"$results/suites.log"
  [ "$rc" -eq 0 ] || echo "$rc" >"$results/suites.failed"
  cat "$results/suites.log" >>"$log"
  {
    # Without a line for each test and each of its cases, whose arguments may have several lines.
    awk '/^(◇|↳|✔)/ { hidden = !/^✔ Test run/ } /^✘|error:|Fatal error/ { hidden = 0 } !hidden' "$results/suites.log"
    echo "== Swift suites $*: $((SECONDS - begin)) s"
  } | say
}

# The suites whose loops are busy on purpose, and the daemon's own, with real jobs and real timeouts, have their own processes.
all_suites() {
  : >"$log"
  suites 1200 --skip DeterminismTests --skip QuietTests --skip ForeignTasksTests --skip TimelineDaemonTests
  suites 300 --filter "DeterminismTests|QuietTests|ForeignTasksTests"
  suites 600 --filter TimelineDaemonTests
}

# scripts NAME...: runs these scripts one after the other.
scripts() {
  local name begin result
  for name; do
    begin=$SECONDS
    # The slowest takes less than four minutes, most of which it waits; what hangs is stopped, and has failed.
    timeout -k 20 300 "Tests/Integration/$name.sh" </dev/null >".build/$name.log" 2>&1
    case $? in
      0) result=passed ;;
      77) result=skipped ;;
      *) result=FAILED ;;
    esac
    echo "$result" >"$results/$name.result"
    {
      [ "$result" != FAILED ] || grep -avE '^ok ' ".build/$name.log" | tail -n 60
      echo "== $name: $result, $((SECONDS - begin)) s"
    } | say
  done
}

# stop: ends the parts that run at the same time; Ctrl-C does not reach them.
stop() {
  local lane children
  for lane in $(jobs -p); do
    children=$(pgrep -P "$lane")
    kill "$lane" $children 2>/dev/null
  done
  exit 130
}

chosen=()
for script in Tests/Integration/[0-9]*.sh; do
  name=${script##*/}
  name=${name%.sh}
  if [ $# -eq 0 ] || [[ " $* " == *" ${name#*-} "* ]]; then chosen+=("$name"); fi
done

[ ${#chosen[@]} -gt 0 ] || { echo "Tests/Integration has no script of that name: $*" >&2; exit 2; }

if [ $# -gt 0 ]; then
  scripts "${chosen[@]}"
  swift_line='Swift suites: not asked for'
else
  . Tests/cronsim.sh
  # SwiftPM lets one process at a time into its build directory, and `make run` replaces the programs that others try.
  alone=(50-make-run 65-soak)
  early=() late=()
  for name in "${chosen[@]}"; do
    if [[ " ${alone[*]} " == *" $name "* ]]; then continue; fi
    # A script may need what an earlier one of its ten has made, such as packages.
    if [ "${name%%-*}" -lt 80 ]; then early+=("$name"); else late+=("$name"); fi
  done
  scripts "${alone[@]}"
  # Three at a time on two cores, because many of them wait most of the time.
  trap stop INT TERM
  all_suites &
  scripts "${early[@]}" &
  scripts "${late[@]}" &
  wait
  swift_line=$(grep -aE '^. Test run with .* (passed|failed)' "$log")
  [ "$(grep -c . <<<"$swift_line")" -ge 3 ] || swift_line="the Swift suites did not reach their end"
fi

echo
echo "== closing lines"
# Failures once more, where they are seen.
if [ -e "$results/suites.failed" ]; then grep -aE '^✘ .* recorded an issue|error:|Fatal error' "$log" | head -n 40; fi
passed=0 failed=0 skipped=0
for name in "${chosen[@]}"; do
  case $(cat "$results/$name.result" 2>/dev/null) in
    passed) passed=$((passed + 1)) ;;
    skipped) skipped=$((skipped + 1)) && echo "skipped $name: $(tail -n 1 ".build/$name.log")" ;;
    *) failed=$((failed + 1)) && echo "FAILED $name" ;;
  esac
done
echo "$swift_line"
echo "Integration: $passed passed, $failed failed, $skipped skipped, all parts in $SECONDS s"
if [ ! -e "$results/suites.failed" ] && [ $failed -eq 0 ] && [[ $swift_line != *"did not reach"* ]]; then
  echo "make test: passed"
else
  echo "make test: FAILED"
  exit 1
fi
