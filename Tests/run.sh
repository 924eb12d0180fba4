#!/bin/bash
# run.sh: builds everything and runs every test, part beside part: parts.mk has the parts and what each needs. Prints failures and a line for
# each part with the time it took; the whole output of a part is in .build/logs. Fails when anything failed.
# Name scripts of Integration/ (`Tests/run.sh units systemd`) to run those alone, one after the other, on what `make build` has built.
set -uo pipefail
cd "$(dirname "$0")/.." || exit 1
. Tests/environment.sh
mkdir -p .build
# Of this run alone: another one may be under way.
TIMELINED_RESULTS=$(mktemp -d .build/results.XXXXXX) || exit 1
export TIMELINED_RESULTS
trap 'rm -rf "$TIMELINED_RESULTS"' EXIT

chosen=()
for script in Tests/Integration/[0-9]*.sh; do
  name=${script##*/}
  name=${name%.sh}
  if [ $# -eq 0 ] || [[ " $* " == *" ${name#*-} "* ]]; then chosen+=("$name"); fi
done
[ ${#chosen[@]} -gt 0 ] || { echo "Tests/Integration has no script of that name: $*" >&2; exit 2; }

if [ $# -gt 0 ]; then
  for name in "${chosen[@]}"; do
    Tests/part.sh "$name" 300 "Tests/Integration/$name.sh"
    [ $? -ne 130 ] || exit 130
  done
else
  . Tests/cronsim.sh
  # More than twice as many as processors, because many parts wait most of the time.
  make --no-print-directory -s -k -j "$((2 * $(nproc) + 1))" -f Tests/parts.mk all 2>"$TIMELINED_RESULTS/errors" &
  making=$!
  # make ends the parts, and they end their commands.
  trap 'kill "$making" 2>/dev/null; wait "$making"; exit 130' INT TERM
  wait "$making"
  trap - INT TERM
  # shellcheck disable=SC2207 # a list of names
  chosen=($(make --no-print-directory -s -f Tests/parts.mk list))
  [ ${#chosen[@]} -gt 0 ] || { cat "$TIMELINED_RESULTS/errors" >&2; exit 1; }
fi

echo
echo "== closing lines"
passed=0 failed=0 skipped=0
for name in "${chosen[@]}"; do
  case $(cat "$TIMELINED_RESULTS/$name" 2>/dev/null) in
    passed) passed=$((passed + 1)) ;;
    skipped) skipped=$((skipped + 1)) && echo "skipped $name: $(tail -n 1 ".build/logs/$name.log")" ;;
    FAILED)
      failed=$((failed + 1))
      echo "FAILED $name: .build/logs/$name.log"
      # Once more, where they are seen: the first failure is often the cause of the others.
      grep -a -m 3 -A 8 '^NOT OK' ".build/logs/$name.log" | grep -av '^ok ' | head -n 24
      ;;
    # What it needs has failed.
    *) failed=$((failed + 1)) && echo "NOT RUN $name" && grep -v '^make: \*\*\*' "$TIMELINED_RESULTS/errors" ;;
  esac
done
for suites in suites suites-busy suites-daemon; do
  if [ -e "$TIMELINED_RESULTS/$suites" ]; then
    grep -aE '^✘ .* recorded an issue|Fatal error' ".build/logs/$suites.log" | head -n 20
    grep -aE '^. Test run with .* (passed|failed)' ".build/logs/$suites.log" \
      || { [ "$(cat "$TIMELINED_RESULTS/$suites")" != passed ] || failed=$((failed + 1)); echo "FAILED $suites: they did not reach their end"; }
  fi
done
echo "all parts in $SECONDS s"
echo "Parts: $passed passed, $failed failed, $skipped skipped"
if [ "$failed" -eq 0 ]; then
  echo "make test: passed"
else
  echo "make test: FAILED"
  exit 1
fi
