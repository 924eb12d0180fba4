#!/bin/sh
# image.sh VERSION OUTPUT: makes an OCI archive of what is staged, without a daemon and without root: the programs, the libraries that they
# load, zones, certificates, and busybox for jobs that are commands.
set -eu
version=$1
mkdir -p "$2"
output=$(cd "$2" && pwd)
checkout=$(cd "$(dirname "$0")/.." && pwd)
archive=$output/timelined-$version-linux-$(uname -m).oci.tar
umask 022

work=$output/image
rm -rf "$work"
mkdir -p "$work/root/bin" "$work/root/etc/ssl/certs" "$work/root/usr/share" "$work/root/var/lib/timelined" "$work/root/run/timelined"
root=$work/root
# A volume that is made of the directory keeps its mode.
chmod 750 "$root/var/lib/timelined"
mkdir -m 1777 "$root/tmp"
env -u MAKEFLAGS -u MAKELEVEL make -s -C "$checkout" install DESTDIR="$root" PREFIX=/usr UNITDIR=/units >/dev/null
# Nobody reads pages in it, and nothing reads units.
rm -rf "$root/units" "$root/usr/lib/sysusers.d" "$root/usr/lib/tmpfiles.d" "$root/usr/include" "$root/usr/share/man" "$root/usr/share/doc" \
  "$root/usr/share/bash-completion" "$root/usr/share/zsh" "$root/usr/share/fish" "$root/usr/share/timelined" \
  "$root/usr/lib/timelined/plugins/greeter.so" "$root/usr/lib/timelined/plugins/hello.so"
# The http plugin loads libcurl itself.
curl=$(ldconfig -p | sed -n 's/.*libcurl\.so\.4 .* => //p' | head -n 1)
install -D -m 755 "$curl" "$root$curl"
for file in "$root"/usr/bin/timelined "$root"/usr/lib/timelined/timeline-* "$root/usr/lib/timelined/bundled.so" "$curl"; do
  ldd "$file" | sed -n 's/.* => \(\/[^ ]*\) .*/\1/p; s/^[[:space:]]*\(\/[^ ]*ld-[^ ]*\) .*/\1/p'
done | sort -u | while read -r library; do install -D -m 755 "$library" "$root$library"; done
# Names are looked up by libraries that no program names.
library=$(dirname "$(ldd "$root/usr/bin/timelined" | sed -n 's/.*libc\.so\.6 => \([^ ]*\).*/\1/p')")
for name in libnss_files.so.2 libnss_dns.so.2 libresolv.so.2; do
  [ ! -e "$library/$name" ] || install -m 755 "$library/$name" "$root$library/$name"
done
cp -R /usr/share/zoneinfo "$root/usr/share"
rm -rf "$root/usr/share/zoneinfo/right" "$root/usr/share/zoneinfo/posix"
cp -L /etc/ssl/certs/ca-certificates.crt "$root/etc/ssl/certs"
printf 'root:x:0:0:root:/:/bin/sh\ntimelined:x:900:900:Timeline daemon:/var/lib/timelined:/bin/false\n' >"$root/etc/passwd"
printf 'root:x:0:\ntimelined:x:900:\n' >"$root/etc/group"
echo 'hosts: files dns' >"$root/etc/nsswitch.conf"
install -m 755 /bin/busybox "$root/bin/busybox"
/bin/busybox --list | while read -r name; do [ "$name" = busybox ] || ln -s busybox "$root/bin/$name"; done

image=$work/layout:latest
umoci init --layout "$work/layout"
umoci new --image "$image"
umoci insert --rootless --image "$image" "$root" / >/dev/null
umoci config --image "$image" --config.entrypoint /usr/bin/timelined --config.user root --config.env PATH=/usr/bin:/bin \
  --config.volume /var/lib/timelined --config.stopsignal SIGTERM \
  --config.label "org.opencontainers.image.title=timelined" --config.label "org.opencontainers.image.version=$version"
umoci gc --layout "$work/layout" >/dev/null
# The name by which podman and docker load it; umoci knows tags only.
sed -i 's|"org.opencontainers.image.ref.name":"latest"|"org.opencontainers.image.ref.name":"timelined:latest","io.containerd.image.name":"docker.io/library/timelined:latest"|' \
  "$work/layout/index.json"
tar -C "$work/layout" --sort=name --owner=0 --group=0 --numeric-owner -cf "$archive.new" .
mv "$archive.new" "$archive"
rm -rf "$work"
ls -l "$archive"
