#!/bin/sh
# deb.sh VERSION OUTPUT: makes the Debian packages of what is staged, without root. Equal stages give equal packages: each
# file's time is that of the last commit. Tests set COMPRESSION=-Znone, which takes seconds instead of half a minute.
set -eu
version=$1
mkdir -p "$2"
output=$(cd "$2" && pwd)
checkout=$(cd "$(dirname "$0")/.." && pwd)
umask 022

recipe=$output/recipe
rm -rf "$recipe"
mkdir "$recipe"
cp -R "$checkout/packaging/debian" "$recipe"
maintainer=$(sed -n 's/^Maintainer: //p' "$recipe/debian/control")
date=$(git -C "$checkout" log -1 --format=%cD 2>/dev/null || date -R)
cat >"$recipe/debian/changelog" <<END
timelined ($version-1) unstable; urgency=medium

  * See /usr/share/doc/timelined/CHANGELOG.md.

 -- $maintainer  $date
END
rm -f "$output"/*.deb
cd "$recipe"
# Installing builds nothing and must not see the flags of a make around it.
env -u MAKEFLAGS -u MAKELEVEL DEB_RULES_REQUIRES_ROOT=no SOURCE="$checkout" PACKAGES="$output" debian/rules binary \
  >"$output/log" 2>&1 || { tail -n 40 "$output/log" >&2; exit 1; }
cd "$output"
rm -rf "$recipe"
ls -l ./*.deb
# Limit of the download.
package=$(ls "timelined_$version"-*.deb)
size=$(stat -c %s "$package")
[ -n "${COMPRESSION:-}" ] || [ "$size" -le 11000000 ] \
  || { echo "deb.sh: error: $package: $size bytes: at most 11,000,000 are allowed" >&2; exit 1; }
