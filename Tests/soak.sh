#!/bin/bash
# soak.sh [SECONDS]: the engine's simulation on new seeds for as long as asked (600 s), on two cores, or on those from
# TIMELINED_SOAK_FROM on. For a life that breaks an invariant it prints the command that repeats its seed, and that of the life that
# is left when all is dropped that the fault does not need.
set -euo pipefail
cd "$(dirname "$0")/.."
seconds=${1:-600}
case $seconds in '' | *[!0-9]*) echo "soak.sh: how many seconds? '$seconds' is no number" >&2; exit 2 ;; esac
mkdir -p .build
TIMELINED_SOAK_SECONDS=$seconds Tests/suites.sh --filter 'TimelineEngineTests.*new seeds for as long as asked' | tee .build/soak.log
# A filter that matches nothing is no success, nor are lives that nobody has led.
grep -qE '^engine, part 1 from seed [0-9]+: [1-9][0-9]* lives' .build/soak.log || { echo "soak.sh: no life was lived" >&2; exit 1; }
