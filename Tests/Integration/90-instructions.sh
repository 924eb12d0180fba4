#!/bin/bash
# The hot paths take no more instructions for an entry than Tests/Benchmarks/thresholds.json allows. Instructions are
# counted by callgrind, so that neither the machine nor its load matters; Tests/Benchmarks/README.md says how to renew the thresholds.
. "$(dirname "$0")/lib.sh"
must "the benchmark judges, proves and draws as it says" "$checkout/Tests/Benchmarks/test_frame.py"
command -v valgrind >/dev/null || skip "there is no valgrind here; apt-get install valgrind"
for program in timeline-bench timelined timeline-host; do
  [ -x "$checkout/.build/release/$program" ] || { echo "$program is not built: make bench-program"; exit 1; }
done

"$checkout/Tests/Benchmarks/instructions.py" || exit 1
echo "ok - no hot path takes more instructions than it may"
