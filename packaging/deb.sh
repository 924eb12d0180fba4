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
# What a slow line or a small disk can be asked for.
[ -n "${COMPRESSION:-}" ] || [ "$(stat -c %s "timelined_$version"-*.deb)" -le 11000000 ] \
  || { echo "the package has more than 11 MB" >&2; exit 1; }
