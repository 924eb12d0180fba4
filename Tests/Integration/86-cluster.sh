#!/bin/bash
# Three daemons of a cluster in network namespaces, with a real PostgreSQL and a standby, and with an etcd of three members, through kills,
# freezes, partitions and failovers, judged by the evidence of the jobs; and the demonstration of `make cluster`.
# The seed comes from the commit, as that of 80-torture.sh; SEED sets another one.
. "$(dirname "$0")/lib.sh"
[ -e "$stage/complete" ] || { echo "nothing is built: make build"; exit 1; }
scratch
chmod 755 "$scratch"
export TMPDIR=$scratch

cluster=$checkout/Tests/Cluster
must "the judge finds what is planted into its evidence" python3 "$cluster/test_judge.py"

shows() {
  local line
  for line in "$@"; do grep -Eq -- "$line" "$scratch/output" || { echo "no line has: $line"; cat "$scratch/output"; return 1; }; done
}
nothing_left() {
  [ -z "$(ls -d "$scratch"/timelined-cluster-* 2>/dev/null)" ] || { ls -d "$scratch"/*; return 1; }
}
was_interrupted() {
  [ "$1" -eq 130 ] || { echo "status $1"; cat "$scratch/output"; return 1; }
}
demonstrates() {
  timeout 120 "$cluster/demonstrate.py" "$stage" >"$scratch/output" 2>&1
}
check "the demonstration ends well" demonstrates
check "it shows a job on one node, and then on another one" shows '^report +[abc] ' '^\$ kill -9 [0-9]+' 'report has run on node [abc]' '^[abc] +dead '
check "its directory is gone" nothing_left
# What is waited for is not to be found in the output of before.
rm "$scratch/output"
set -m
"$cluster/demonstrate.py" "$stage" >"$scratch/output" 2>&1 &
pid=$!
set +m
check "it is under way again" within 30 shows 'Three nodes are started'
kill -INT $pid
wait $pid
check "Ctrl-C ends it" was_interrupted $?
check "and its directory is gone then, too" nothing_left

must "the next owner of a job goes on with its incident and its cursor" timeout 180 python3 "$cluster/handover.py" "$stage"

command -v cc >/dev/null || skip "no C compiler"
commit=$(git -C "$checkout" rev-parse --verify --quiet HEAD || echo 65)
seed=${SEED:-$((16#${commit:0:6}))}
# Both at the same time: each waits for its quiet times.
"$cluster/cluster.py" --store etcd --programs "$stage" --seconds 75 --seed "$seed" >"$scratch/output" 2>&1 &
etcd=$!
"$cluster/cluster.py" --programs "$stage" --seconds 75 --seed "$seed"
postgresql=$?
wait $etcd
etcd=$?
cat "$scratch/output"
skipped=
for store in postgresql etcd; do
  if [ "${!store}" -eq 77 ]; then skipped+=" $store"; continue; fi
  check "$store: every entry has its run or its reason on one node, through the faults of seed $seed that are named above" \
    test "${!store}" -eq 0
done
[ "$failures" -gt 0 ] || [ -z "$skipped" ] || skip "the cluster was not tormented with$skipped: the reason is above"
finish
