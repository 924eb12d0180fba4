#!/bin/bash
# `make soak` leads lives: a few of those that are known to be good, so that it is the command that is tried and not the
# engine. `make seeds` is tried with commands in place of simulations and tortures.
. "$(dirname "$0")/lib.sh"
scratch
must "a soak of two seconds leads lives and breaks nothing" env TIMELINED_SOAK_FROM=0 "$checkout/Tests/soak.sh" 2
check "it says what is no number of seconds" prints "'soon' is no number" "$checkout/Tests/soak.sh" soon

# lanes JSON...: the lanes of the next run.
lanes() {
  local IFS=,
  printf '[%s]' "$*" >"$scratch/lanes"
}
# seeds STATUS: runs these lanes, each on one seed, and looks at the exit status.
seeds() {
  local status=0
  "$checkout/Tests/seeds.py" --minutes "${minutes:-0}" --lanes "$scratch/lanes" --keep "$scratch/kept" >"$scratch/output" 2>&1 || status=$?
  [ "$status" -eq "$1" ] || { echo "status $status"; cat "$scratch/output"; return 1; }
}
shows() {
  grep -Eq -- "$1" "$scratch/output" || { echo "no line has: $1"; cat "$scratch/output"; return 1; }
}
lives='{"name": "lives", "kind": "simulated", "command": ["echo", "lives, part 0 from seed 5: 12 lives, 0 failed"]}'
passes='{"name": "passes", "kind": "real", "command": ["true"]}'
cannot='{"name": "cannot", "kind": "real", "command": ["bash", "-c", "echo no disk here; exit 77"]}'
lanes "$lives" "$passes" "$cannot"
check "seeds of which none fails are a success" seeds 0
check "the table has the lives of a simulation" shows '^lives +12 +[0-9]+ +12 +0$'
check "and the seeds of real processes" shows '^passes +- +[0-9]+ +1 +0$'
check "and the reason of a lane that was skipped" shows '^cannot +- +[0-9]+ +0 +skipped: no disk here$'

# A seed that fails, and 2 of the 5 times that it is repeated: each run adds a line to a file.
fails='{"name": "fails", "kind": "real", "command": ["bash", "-c", "mkdir $0; exit 1", "{evidence}"],
  "judge": ["test", "-d", "{evidence}"], "again": "fails --seed {seed}"}'
sometimes='{"name": "sometimes", "kind": "real",
  "command": ["bash", "-c", "echo >> $0; case $(wc -l < $0) in 1 | 3 | 4) exit 1 ;; esac", "'$scratch'/runs"], "again": "sometimes --seed {seed}"}'
# A length that no other process sleeps for.
long=1000.$$
hangs='{"name": "hangs", "kind": "real", "command": ["bash", "-c", "sleep '$long' & wait"], "seconds": 0, "grace": 0.2, "again": "hangs --seed {seed}"}'
broken='{"name": "broken", "kind": "simulated", "command": ["bash", "-c",
  "echo again: TIMELINED_SEED=7 swift test; echo a, part 1 from seed 7: 3 lives, 1 failed; echo shrunk from 90 to 4 decisions\\; TIMELINED_LIFE=a.life swift test; exit 1"]}'
empty='{"name": "empty", "kind": "simulated", "command": ["true"]}'
lanes "$fails" "$sometimes" "$hangs" "$broken" "$empty"
check "one seed that fails is a failure" seeds 1
check "a seed that always fails is said to fail 5 of 5 times" shows 'FAILED fails: seed [0-9]+ failed with status 1, and again 5 of 5 times'
check "its command is there" shows '^ +fails --seed [0-9]+'
check "its evidence is kept and judged again" shows 'judged again it passes: .*/kept/fails-[0-9]+/judged'
check "a seed that sometimes fails is said to fail 2 of 5 times" shows 'FAILED sometimes: seed [0-9]+ failed with status 1, and again 2 of 5 times'
check "what hangs has failed" shows 'FAILED hangs: seed [0-9]+ did not end, and again 5 of 5 times'
check "and is ended with all that it has started" fails pgrep -f "sleep $long"
check "a simulated life that fails has its command" shows '^ +TIMELINED_SEED=7 swift test'
check "and that of the life that is left of it" shows 'shrunk from 90 to 4 decisions; TIMELINED_LIFE=a.life'
check "a simulation without lives has failed" shows 'FAILED empty: no life was lived'

lanes "$lives" "$hangs"
sed -i 's/"grace": 0.2/"grace": 1000/' "$scratch/lanes"
set -m
minutes=10 seeds 130 &
pid=$!
set +m
check "a long run is under way" within 20 pgrep -f "sleep $long"
kill -INT -- -$pid
wait $pid
check "Ctrl-C ends it" test $? -eq 0
check "with all that it has started" fails pgrep -f "sleep $long"
check "and the table is printed" shows '^lives +12 +[0-9]+ +12 +0$'
finish
