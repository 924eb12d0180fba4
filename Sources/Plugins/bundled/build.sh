#!/bin/sh
set -eu
# The daemon refuses a plugin that users other than its owner can change, so the umask of the builder is not used.
umask 022

usage="usage: build.sh debug|release OUTPUT-DIRECTORY [PLUGIN-DIRECTORY...]"
configuration=${1:?$usage}
output=${2:?$usage}
shift 2

case $configuration in
debug) c_flags="-O1 -g" install="install" ;;
release) c_flags="-O2 -s -D_FORTIFY_SOURCE=2" install="install -s" ;;
*) echo "$usage" >&2 && exit 2 ;;
esac

here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../../.." && pwd)
mkdir -p "$output"
output=$(cd "$output" && pwd)
build_swift() {
  # On a terminal SwiftPM would add the option for colors to each call of the compiler, and therefore build everything again.
  swift build --no-color-diagnostics --package-path "$here" --scratch-path "$root/.build/plugins" -c "$configuration" "$@"
}
# library PRODUCT FILE: builds a Swift library that contains the runtime.
library() {
  build_swift --product "$1" -Xswiftc -static-stdlib -Xlinker --version-script="$here/plugin.map" -Xlinker -soname="$1.so" \
    -Xlinker -z -Xlinker now
  $install "$(build_swift --show-bin-path)/lib$1.so" "$2"
}

# If no directories are given, builds all plugins, and removes all other libraries from the output directory.
is_whole=
[ $# -gt 0 ] || { is_whole=1 && set -- "$here"/*/ "$here"/Examples/*/; }
put=$root/packaging/put.sh

bundled=
built=
for directory in "$@"; do
  directory=$(cd "$directory" && pwd)
  name=$(basename "$directory")
  link=
  [ ! -e "$directory/link" ] || link=$(cat "$directory/link")
  if ls "$directory"/*.c >/dev/null 2>&1; then
    ${CC:-cc} -std=c17 $c_flags -Wall -Wextra -Werror -D_GNU_SOURCE -fPIC -fvisibility=hidden -shared \
      -I"$root/Sources/Base/CTimelinePlugin/include" -Wl,--version-script="$here/plugin.map",-z,now \
      -o "$output/.$name.so" "$directory"/*.c $link
    chmod 755 "$output/.$name.so"
  elif [ "$(dirname "$directory")" = "$here" ] && ls "$directory"/*.swift >/dev/null 2>&1; then
    # The bundled plugins are one library with several names. It is beside the directory in which plugins are searched by name.
    if [ -z "$bundled" ]; then
      library bundled "$output/../.bundled.so"
      chmod 755 "$output/../.bundled.so"
      "$put" "$output/../.bundled.so" "$output/../bundled.so"
      bundled=1
    fi
    [ -L "$output/$name.so" ] || ln -sfn ../bundled.so "$output/$name.so"
  elif ls "$directory"/*.swift >/dev/null 2>&1; then
    library "$name" "$output/.$name.so"
    chmod 755 "$output/.$name.so"
  else
    continue
  fi
  [ ! -e "$output/.$name.so" ] || "$put" "$output/.$name.so" "$output/$name.so"
  built="$built $name.so"
  echo "built $output/$name.so"
done
[ -z "$is_whole" ] || for file in "$output"/*.so; do
  case " $built " in *" ${file##*/} "*) ;; *) rm "$file" ;; esac
done
