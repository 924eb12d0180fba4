#!/bin/bash
# What a stranger gets: clones what is committed into a temporary directory and tries `make run` there. It builds everything
# anew, so it is no part of `make test`; `make check-clone` runs it.
set -eu
checkout=$(cd "$(dirname "$0")/../.." && pwd)
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
git clone --quiet "$checkout" "$directory/timelined"
"$directory/timelined/Tests/Integration/50-make-run.sh" "$directory/timelined"
