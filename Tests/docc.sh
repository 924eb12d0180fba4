#!/bin/bash
# docc.sh LIBRARY DIRECTORY [OPTION...]: builds the pages of a library into DIRECTORY/LIBRARY.doccarchive, from its catalog and the
# modules of `make tests`, with options of docc.
set -euo pipefail
cd "$(dirname "$0")/.."
library=$1 output=$2
shift 2
debug=.build/tests/debug
graphs=$output/$library.symbols
rm -rf "$graphs"
mkdir -p "$graphs"
maps=()
for map in "$debug"/*.build/module.modulemap; do maps+=(-Xcc "-fmodule-map-file=$map"); done
# Members that the standard library adds to every collection or clock are documented there.
swift symbolgraph-extract -module-name "$library" -I "$debug/Modules" "${maps[@]}" \
  -target "$(swiftc -print-target-info | sed -n 's/.*"triple": "\(.*\)",/\1/p' | head -n 1)" \
  -minimum-access-level public -skip-synthesized-members -skip-inherited-docs -emit-extension-block-symbols -output-dir "$graphs"
docc convert Sources/*/"$library/$library.docc" --additional-symbol-graph-dir "$graphs" \
  --output-path "$output/$library.doccarchive" --fallback-display-name "$library" \
  --fallback-bundle-identifier "timelined.$library" "$@"
