#!/bin/bash
# Kills, freezes, reloads, crashes, full disks and clock steps, judged by the evidence of the jobs: each kind of fault once.
#
# Three daemons have a third of the kinds each, and begin at the three times of `BEGINNINGS` in torture.py. That takes about a minute, which
# is the shortest form: in one run the 23 kinds and the quiet times between them take more than two and a half, and 100 s have 12 of
# them. The seed is fixed, so that a landing does not depend on a draw; 14865786 once found a fault of the judge. SEED sets another
# one, and `make torture` and `make seeds` draw new ones.
. "$(dirname "$0")/lib.sh"
scratch

torture=$checkout/Tests/Torture
command -v cc >/dev/null || skip "no C compiler"
must "the checker finds what is planted into its evidence" python3 "$torture/test_checker.py"
seed=${SEED:-14865786}
pids=()
for share in 1 2 3; do
  "$torture/torture.py" --programs "$stage" --share "$share/3" --seed "$seed" >"$scratch/$share" 2>&1 &
  pids+=($!)
done
for share in 1 2 3; do
  wait "${pids[share - 1]}"
  status=$?
  # A violation is shown whole: the picture, the figures, the seed. What the machine cannot try is no success.
  cat "$scratch/$share"
  [ "$status" -ne 77 ] || [ "$failures" -gt 0 ] || skip "the daemon was not tortured"
  check "every entry has its run or its reason, through share $share of the faults of seed $seed, named above" test "$status" -eq 0
done
finish
