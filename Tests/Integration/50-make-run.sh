#!/bin/bash
# `make run` as a newcomer meets it, on a terminal: runs are seen within five seconds of the start, timelinectl answers
# beside it, and Ctrl-C drains and ends with 0. Name another checkout to try that one.
. "$(dirname "$0")/lib.sh"
command -v python3 >/dev/null || skip "needs python3 for a terminal"

# A compiler that never ends, in a stage of its own, with the mark of an earlier build.
scratch
mkdir -p "$scratch/stage"
printf '#!/bin/sh\necho $$ >>"%s/compiling"\nexec sleep 600\n' "$scratch" >"$scratch/swift"
chmod 755 "$scratch/swift"
touch "$scratch/stage/complete"
PATH=$scratch:$PATH setsid make -s -C "$checkout" build STAGE="$scratch/stage" >"$scratch/make.log" 2>&1 &
make=$!
must "a build begins" within 60 test -s "$scratch/compiling"
# Not INT, which a shell has its background jobs ignore.
kill -TERM -- -"$make"
wait "$make"
check "it fails when it is interrupted" test $? != 0
check "an interrupted build leaves no stage that counts as complete" test ! -e "$scratch/stage/complete"
[ "$failures" = 0 ] || finish

python3 "$here/make-run.py" "${1:-$checkout}"
