#!/bin/bash
# The Debian packages: made from what is staged, without root; lintian has nothing against them, they are small, hardened, and equal
# when they are made twice.
. "$(dirname "$0")/lib.sh"
[ -e "$stage/complete" ] || { echo "nothing is built: make build"; exit 1; }
command -v dh >/dev/null || skip "needs debhelper"
scratch

packages=$checkout/.build/packages/plain
version=$(sed -n 's/.*static let version = "\(.*\)"/\1/p' "$checkout/Sources/Daemon/TimelineLoading/Installation.swift")
architecture=$(dpkg --print-architecture)
main=$packages/timelined_$version-1_$architecture.deb
cluster=$packages/timelined-cluster_$version-1_$architecture.deb
development=$packages/timelined-dev_$version-1_$architecture.deb
# Only if `make web` was run.
web=$packages/timelined-web_$version-1_$architecture.deb

# Compression is left out here for speed.
complaints() {
  lintian --allow-root --no-cfg --tag-display-limit 0 --suppress-tags uses-no-compression-for-control-tarball,uses-no-compression-for-data-tarball \
    "$@" 2>&1
}
# In bytes: what the files take, and dpkg's own estimate.
installed_size() {
  echo $(($(dpkg-deb -f "$1" Installed-Size) * 1024))
}
at_most() {
  local bytes
  bytes=$("${@:2}") && [ "$bytes" -le "$1" ] || { echo "$bytes bytes, expected at most $1"; return 1; }
}
holds() {
  local file
  for file in "${@:2}"; do
    grep -qxF "./$file" <(dpkg-deb --fsys-tarfile "$1" | tar t) || { echo "no $file"; return 1; }
  done
}
lacks() {
  fails grep -E "$2" <(dpkg-deb --fsys-tarfile "$1" | tar t)
}
hardened() {
  local file
  for file in "$scratch/tree/usr/bin/timelined" "$scratch"/tree/usr/lib/timelined/timeline-* "$scratch"/tree/usr/lib/timelined/{,plugins/}*.so; do
    readelf -lW "$file" | grep -q GNU_RELRO && readelf -dW "$file" | grep -q BIND_NOW \
      && readelf -hW "$file" | grep -q 'Type: *DYN' && fails grep -q 'GNU_STACK.*E ' <(readelf -lW "$file") \
      || { echo "${file##*/}: no relro, immediate binding, PIE, or stack without execution"; return 1; }
  done
}

export COMPRESSION=-Znone
must "makes the packages" "$checkout/packaging/deb.sh" "$version" "$packages"
if command -v lintian >/dev/null; then
  check "lintian has no errors and no warnings" is '' complaints "$packages"/*.deb
fi
dpkg-deb -x "$main" "$scratch/tree"
dpkg-deb -x "$cluster" "$scratch/tree"
echo "   timelined: $(installed_size "$main") bytes installed"
check "it takes at most 45 MB" at_most 45000000 installed_size "$main"
check "daemon, tool, plugin host, plugins, manual pages and completions are in it" holds "$main" \
  usr/bin/timelined usr/bin/timelinectl usr/lib/timelined/timeline-host usr/lib/timelined/plugins/{exec,http,log,notify,process}.so \
  usr/share/man/man8/timelined.8.gz usr/share/man/man1/timelinectl.1.gz usr/share/zsh/vendor-completions/_timelinectl \
  usr/share/bash-completion/completions/timelinectl usr/share/fish/vendor_completions.d/timelinectl.fish \
  lib/systemd/system/timelined.service usr/lib/sysusers.d/timelined.conf etc/timelined/timelined.toml
check "header and examples are not" lacks "$main" 'greeter|hello|\.h$'
check "the store adapter is in one of its own, which alone needs libpq" eval \
  'holds "$cluster" usr/lib/timelined/timeline-store && lacks "$main" timeline-store && dpkg-deb -f "$cluster" Depends | grep -q libpq5 \
    && fails grep -q libpq <(dpkg-deb -f "$main")'
if [ -x "$checkout/.build/web/stage/timelined-web" ]; then
  check "the web page is in one of its own, with its unit, and not started without a token" eval \
    'holds "$web" usr/bin/timelined-web lib/systemd/system/timelined-web.service usr/lib/sysusers.d/timelined-web.conf \
        usr/share/man/man8/timelined-web.8.gz && lacks "$main" timelined-web && dpkg-deb -I "$web" postinst | grep -q systemd-sysusers \
      && fails grep -q "deb-systemd-invoke.*start" <(dpkg-deb -I "$web" postinst)'
fi
check "they are in the other one, with the kit" holds "$development" usr/include/timelined_plugin.h \
  usr/share/timelined/kit/Package.swift usr/share/doc/timelined-dev/examples/Greeter.swift
check "programs and plugins are hardened" hardened
check "the configuration is kept over upgrades" grep -qx /etc/timelined/timelined.toml <(dpkg-deb -I "$main" conffiles)
check "the same stage gives the same packages" bash -c '
  before=$(sha256sum "$1"/*.deb) && "$2" "$3" "$1" >/dev/null && [ "$before" = "$(sha256sum "$1"/*.deb)" ]' \
  - "$packages" "$checkout/packaging/deb.sh" "$version"
finish
