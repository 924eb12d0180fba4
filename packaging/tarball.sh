#!/bin/sh
# tarball.sh VERSION OUTPUT: packs what is staged with an installer, for systems without packages of their own. Equal stages give
# equal archives. LEVEL is that of xz.
set -eu
version=$1
mkdir -p "$2"
output=$(cd "$2" && pwd)
checkout=$(cd "$(dirname "$0")/.." && pwd)
machine=$(uname -m)
name=timelined-$version-linux-$machine
umask 022

work=$output/$name
rm -rf "$work"
mkdir -p "$work/tree"
# The installer puts the prefix in the place of /@prefix@.
env -u MAKEFLAGS -u MAKELEVEL make -s -C "$checkout" install DESTDIR="$work/tree" PREFIX=/@prefix@ PLUGINPATH= SYSCONFDIR=/etc >/dev/null
mv "$work/tree/@prefix@" "$work/tree/prefix"
mv "$work/tree/etc/timelined/timelined.toml" "$work/tree/etc/timelined.toml"
rmdir "$work/tree/etc/timelined/jobs.d" "$work/tree/etc/timelined"
# The example in Swift is as large as all plugins for jobs; its source is there.
rm "$work/tree/prefix/lib/timelined/plugins/greeter.so"
echo "$machine" >"$work/machine"
cp "$checkout/LICENSE" "$checkout/packaging/NOTICE" "$work"
install -m 755 "$checkout/packaging/install.sh" "$work"
date=$(git -C "$checkout" log -1 --format=@%ct 2>/dev/null || date +@%s)
tar -C "$output" --sort=name --owner=0 --group=0 --numeric-owner --mtime="$date" -c "$name" | xz "-${LEVEL:-9}" >"$output/$name.tar.xz.new"
mv "$output/$name.tar.xz.new" "$output/$name.tar.xz"
rm -rf "$work"
ls -l "$output/$name.tar.xz"
