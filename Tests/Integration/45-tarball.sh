#!/bin/bash
# The archive with its installer: into a directory and out of it again, with each file's paths right, and refused where it cannot run;
# then on a real systemd.
. "$(dirname "$0")/lib.sh"
[ -e "$stage/complete" ] || { echo "nothing is built: make build"; exit 1; }
scratch

packages=$checkout/.build/packages/plain
version=$(sed -n 's/.*static let version = "\(.*\)"/\1/p' "$checkout/Sources/Daemon/TimelineLoading/Installation.swift")
name=timelined-$version-linux-$(uname -m)

if [ "${1:-}" = inside ]; then
  tar -C /run -xf "$packages/$name.tar.xz"
  must "installs on a systemd" prints 'next: `systemctl enable --now timelined`' /run/$name/install.sh
  must "the service starts" systemctl enable --now timelined
  check "and answers" prints '0 jobs|jobs +0' timelinectl status
  check "installs over a service that runs" prints 'after an upgrade: `systemctl restart timelined`' /run/$name/install.sh
  check "which goes on" timelinectl status
  check "uninstalls" prints 'left alone: /etc/timelined' /run/$name/install.sh --uninstall
  check "the service is stopped and gone" fails systemctl cat timelined
  check "no process is left" fails pgrep -f 'bin/timelined'
  check "the configuration is left" test -e /etc/timelined/timelined.toml
  finish
fi

must "makes the archive" env LEVEL=0 "$checkout/packaging/tarball.sh" "$version" "$packages"
must "it is unpacked" tar -C "$scratch" -xf "$packages/$name.tar.xz"
installer=$scratch/$name/install.sh
export DESTDIR=$scratch/root
root=$DESTDIR/opt/timelined
configuration=$DESTDIR/etc/timelined/timelined.toml

says() {
  printf '#!/bin/sh\n%s\n' "$3" >"$scratch/bin/$2"
  chmod 755 "$scratch/bin/$2"
  prints "$1" fails env PATH="$scratch/bin:$PATH" "$installer" --prefix /opt/other || return 1
  rm "$scratch/bin/$2"
}
mkdir "$scratch/bin"
check "glibc that is too old is refused" says 'glibc 2.31 is too old: 2.35' getconf 'echo glibc 2.31'
check "and a system without glibc" says 'no glibc here' getconf 'exit 1'
check "and another machine" says "this is riscv64" uname 'echo riscv64'
check "libraries that are missing are named" says 'missing libraries: libsqlite3.so.0' ldd 'echo "	libsqlite3.so.0 => not found"'
check "a prefix that is no absolute path is refused" prints 'expected an absolute path' fails "$installer" --prefix here
check "and one that leaves the root" prints 'expected a path without \.\.' fails "$installer" --prefix /opt/../t
check "and a prefix that is missing" prints 'expected a directory' fails "$installer" --prefix
check "and an option that is none" prints '\-\-prefix=/opt: no such option' fails "$installer" --prefix=/opt
check "it tells what it does" prints '^install.sh \[--prefix DIRECTORY\]' "$installer" --help
check "none of that left anything" test ! -e "$DESTDIR"

check "installs below another prefix" prints 'installed below /opt/timelined' "$installer" --prefix /opt/timelined
check "no mark of a path is left" fails grep -rI '@prefix@\|@[a-z]*dir@' "$DESTDIR"
check "the unit names its programs" grep -q '^ExecStart=/opt/timelined/bin/timelined .*/opt/timelined/lib/timelined/timeline-host$' \
  "$root/lib/systemd/system/timelined.service"
check "the daemon finds plugins and host" prints '^exec ' "$root/bin/timelinectl" plugin list
check "the configuration has only comments" fails grep -Ev '^(#.*)?$' "$configuration"
echo mine >"$configuration"
touch "$root/lib/timelined/plugins/mine.so"
echo old >"$root/lib/timelined/plugins/former.so"
echo lib/timelined/plugins/former.so >>"$root/share/timelined/installed-files"
check "installs over an older version" "$installer" --prefix /opt/timelined/
check "the administrator's configuration is left alone" is mine cat "$configuration"
check "uninstalls" "$installer" --prefix /opt/timelined --uninstall
check "only the administrator's plugin and configuration are left" is "$configuration
$root/lib/timelined/plugins/mine.so" eval 'find "$DESTDIR" -type f | sort'
check "a second time there is nothing to uninstall" prints 'nothing is installed' fails "$installer" --prefix /opt/timelined --uninstall

unset DESTDIR
"$here/with-systemd.sh" "$here/45-tarball.sh" inside
case $? in 0 | 77) ;; *) failures=$((failures + 1)) ;; esac
finish
