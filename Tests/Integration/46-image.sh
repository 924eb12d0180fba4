#!/bin/bash
# The container image: made without a daemon, unpacked, and run in its own root, where there is nothing else.
. "$(dirname "$0")/lib.sh"
[ -e "$stage/complete" ] || { echo "nothing is built: make build"; exit 1; }
command -v umoci >/dev/null && [ -x /bin/busybox ] || skip "needs umoci and busybox-static"
[ "$(id -u)" = 0 ] || skip "needs root: chroot"
scratch

packages=$checkout/.build/packages/plain
version=$(sed -n 's/.*static let version = "\(.*\)"/\1/p' "$checkout/Sources/Daemon/TimelineLoading/Installation.swift")
must "makes the image" "$checkout/packaging/image.sh" "$version" "$packages"
archive=$packages/timelined-$version-linux-$(uname -m).oci.tar
echo "   $(stat -c %s "$archive") bytes"
check "the image has at most 55 MB" test "$(stat -c %s "$archive")" -le 55000000
mkdir "$scratch/layout"
tar -C "$scratch/layout" -xf "$archive"
check "it has a name" grep -q '"org.opencontainers.image.ref.name":"timelined:latest"' "$scratch/layout/index.json"
sed -i 's/"timelined:latest"/"latest"/' "$scratch/layout/index.json"
must "its layout is whole" eval 'umoci unpack --image "$scratch/layout:latest" "$scratch/bundle"'
root=$scratch/bundle/rootfs
check "its entry point is the daemon" prints '"/usr/bin/timelined"' cat "$scratch/bundle/config.json"

check "it says which user the daemon runs as" grep -Eqa '"User": ?"root"' -r "$scratch/layout/blobs"
check "the state is its owner's alone" is 750 stat -c %a "$root/var/lib/timelined"

inside() {
  unshare --mount --pid --net --fork --kill-child sh -c '
    mount -t proc proc "$0/proc" && touch "$0/dev/null" && mount --bind /dev/null "$0/dev/null" && exec chroot "$0" "$@"' "$root" "$@"
}
mkdir -p "$root/proc" "$root/dev"
check "the daemon runs its demonstration there" prints 'command +succeeded' inside /usr/bin/timelined --demo --demo-length 6s
check "zones are known" prints '2026-07-01 .*CEST' inside /usr/bin/timelinectl next '2026-07-01 12:00 Europe/Berlin' --from 2026-06-01T00:00:00Z -n 1
cat >"$root/etc/timelined/jobs.d/get.toml" <<'END'
[job.get]
plugin = "http"
schedule = "on-demand"
with = { url = "http://127.0.0.1:1/" }
END
check "the daemon runs with its own configuration, and http has libcurl" prints 'get: failed.*[Cc]onnect' inside /bin/sh -c \
  'timelined & until timelinectl status; do kill -0 $! || exit; sleep 0.1; done; timelinectl trigger get --wait'
check "each plugin is loaded" is $'exec\nhttp\nlog\nnotify\nprocess\nsampler' \
  eval 'inside /usr/bin/timelinectl plugin list | awk "{ print \$1 }" | grep -x "exec\|http\|log\|notify\|process\|sampler" | sort'
check "iCalendar files are read" prints '	20271224	' \
  eval 'printf "BEGIN:VCALENDAR\nVERSION:2.0\nBEGIN:VEVENT\nDTSTART:20271224\nSUMMARY:Eve\nEND:VEVENT\nEND:VCALENDAR\n" \
    | inside /usr/lib/timelined/timeline-calendar 2027 2028'
finish
