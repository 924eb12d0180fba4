#!/bin/bash
# soak.sh [SECONDS]: the engine's simulation on new seeds for as long as asked (600 s), on two cores. A seed that breaks
# an invariant is printed; TIMELINED_SEED=n swift test --filter OrdealTests tells its life again.
set -euo pipefail
cd "$(dirname "$0")/.."
seconds=${1:-600}
case $seconds in '' | *[!0-9]*) echo "soak.sh: how many seconds? '$seconds' is no number" >&2; exit 2 ;; esac
TIMELINED_SOAK_SECONDS=$seconds exec swift test --skip-build --filter 'OrdealTests.*as long as asked'
