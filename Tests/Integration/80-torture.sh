#!/bin/bash
# A hundred seconds of kills, freezes, reloads, crashes, full disks and clock steps, judged by what the jobs themselves saw.
# The faults and their order are the same each time, so that a failure is of the change that is tried; when each comes to
# meet which run is up to the machine. SEED tries others, and so does `make torture`, with a new one each time.
. "$(dirname "$0")/lib.sh"

torture=$checkout/Tests/Torture
command -v cc >/dev/null || skip "no C compiler"
must "the checker finds what is planted into its evidence" python3 "$torture/test_checker.py"
seed=${SEED:-101}
sentence="every entry has its run or its reason, through the faults of seed $seed that are named above"
# A violation is shown whole: the picture, the figures, the seed. What the machine cannot try is no success.
"$torture/torture.py" --programs "$stage" --seconds 100 --seed "$seed"
case $? in
  0) echo "ok - $sentence" ;;
  77) skip "the daemon was not tortured" ;;
  *)
    echo "NOT OK - $sentence"
    failures=$((failures + 1))
    ;;
esac
finish
