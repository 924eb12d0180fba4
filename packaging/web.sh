#!/bin/sh
# web.sh OPTION...: `swift build` of timelined-web, with these options. It sees the package through links and builds in a directory of its
# own, so that its dependencies are resolved and built beside those of the daemon, which never waits for them.
set -eu
checkout=$(cd "$(dirname "$0")/.." && pwd)
source=$checkout/.build/web/source
mkdir -p "$source"
for name in Package.swift Sources Tests; do ln -sfn "$checkout/$name" "$source/$name"; done
cd "$source"
TIMELINED_WEB=1 exec "${SWIFT:-swift}" build --scratch-path "$checkout/.build/web/build" "$@"
