#!/bin/bash
# Two minutes of kills, freezes, reloads, crashes, full disks and clock steps, judged by what the jobs themselves saw. SEED
# replays a run.
. "$(dirname "$0")/lib.sh"

torture=$checkout/Tests/Torture
command -v cc >/dev/null || skip "no C compiler"
must "the checker finds what is planted into its evidence" python3 "$torture/test_checker.py"
# A violation is shown whole: the picture, the figures, the seed.
if "$torture/torture.py" --programs "$stage" --seconds 110 ${SEED:+--seed "$SEED"}; then
  echo "ok - every entry has its run or its reason, through every fault"
else
  echo "NOT OK - every entry has its run or its reason, through every fault"
  failures=$((failures + 1))
fi
finish
