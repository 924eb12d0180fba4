#!/bin/bash
# timeline-store against a real PostgreSQL and a real etcd of its own: the rules of each call, races, and what goes wrong with servers and
# processes.
. "$(dirname "$0")/lib.sh"
[ -e "$stage/complete" ] || { echo "nothing is built: make build"; exit 1; }
scratch
# The servers have another user.
chmod 755 "$scratch"
mkdir "$scratch/postgresql" "$scratch/etcd"
# Both wait most of the time.
python3 "$checkout/Tests/Store/store.py" --store etcd "$stage/timeline-store" "$scratch/etcd" "$checkout/docs/store.md" \
  >"$scratch/output" 2>&1 &
etcd=$!
python3 "$checkout/Tests/Store/store.py" "$stage/timeline-store" "$scratch/postgresql" "$checkout/docs/store.md"
postgresql=$?
wait $etcd
etcd=$?
sed 's/^\(ok\|NOT OK\) - /&etcd: /' "$scratch/output"
[ $postgresql -eq 0 ] && [ $etcd -eq 0 ]
