#!/bin/bash
# What a stranger gets: clones what is committed into a temporary folder and tries `make run` there. It builds everything
# anew, so it is no part of `make test`; `make check-clone` runs it.
set -eu
checkout=$(cd "$(dirname "$0")/../.." && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
git clone --quiet "$checkout" "$folder/timelined"
"$folder/timelined/Tests/Integration/50-make-run.sh" "$folder/timelined"
