#!/bin/bash
# A hundred seconds of kills, freezes, reloads, crashes, full disks and clock steps, judged by the evidence of the jobs.
# The seed comes from the commit: every commit tries other faults, and a repeat tries the same ones; the machine decides
# which run each of them meets. SEED sets another seed, and `make torture` draws a new one each time.
. "$(dirname "$0")/lib.sh"

torture=$checkout/Tests/Torture
command -v cc >/dev/null || skip "no C compiler"
must "the checker finds what is planted into its evidence" python3 "$torture/test_checker.py"
commit=$(git -C "$checkout" rev-parse --verify --quiet HEAD || echo 65) # without a repository, seed 101
seed=${SEED:-$((16#${commit:0:6}))}
echo "seed $seed, of commit ${commit:0:12}"
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
