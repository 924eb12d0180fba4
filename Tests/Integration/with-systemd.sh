#!/bin/bash
# with-systemd.sh [-x DIRECTORY]... [-u DIRECTORY] [-r DIRECTORY] COMMAND...: boot a real systemd as process 1 of fresh namespaces, on a throw-away
# overlay of this machine's root, run COMMAND in it, and tear everything down. Nothing that happens inside is seen outside, and nothing
# that timelined, cron or an earlier test has left on the machine is seen inside (fresh-root.sh).
#
#   -x DIRECTORY  hides a directory (or a file) inside: what runs there runs without it
#   -u DIRECTORY  copies what is in it over the machine's root first, as if the machine had been used
#   -r DIRECTORY  boots the root in this directory, for example another Debian, instead of the machine's
#
# The checkout that holds this script is there too, read-only. There is no network but loopback's, and the clock is the
# machine's own. Exits as COMMAND does; with 77 and the reason where this machine does not permit it (not root, no
# overlay, no cgroup2). Limits that need controllers (MemoryMax=, CPUQuota=, TasksMax=) cannot be tried in it.
set -eu

checkout=$(cd "$(dirname "$0")/../.." && pwd)
. "$checkout/Tests/patience.sh"
. "$checkout/Tests/Integration/fresh-root.sh"

cannot() {
  echo "$1"
  exit 77
}

# Inside the new namespaces, before systemd: builds the root and turns into it.
if [ "${WITH_SYSTEMD_STAGE:-}" = init ]; then
  mount --make-rprivate /
  work=$WITH_SYSTEMD_SCRATCH/root
  mkdir "$work"
  mount -t tmpfs tmpfs "$work"
  mkdir "$work/up" "$work/work" "$work/root"
  root=$work/root
  mount -t overlay overlay -o "lowerdir=$WITH_SYSTEMD_LOWER,upperdir=$work/up,workdir=$work/work" "$root"
  [ -z "${WITH_SYSTEMD_USED:-}" ] || cp -a "$WITH_SYSTEMD_USED/." "$root"
  fresh "$root"
  mkdir -p "$root$checkout"
  mount --bind "$checkout" "$root$checkout"
  mount -o remount,bind,ro "$root$checkout"
  for hidden in "$@"; do
    if [ -d "$root$hidden" ]; then mount -t tmpfs -o ro tmpfs "$root$hidden"; fi
    if [ -f "$root$hidden" ]; then mount --bind /dev/null "$root$hidden"; fi
  done

  mount -t proc proc "$root/proc"
  mount --bind "$root/proc/sys" "$root/proc/sys"
  mount -o remount,bind,ro "$root/proc/sys"
  mount -t sysfs -o ro sysfs "$root/sys"
  mount -t cgroup2 cgroup2 "$root/sys/fs/cgroup"
  mount -t tmpfs -o mode=755 tmpfs "$root/dev"
  for device in null zero full random urandom tty; do
    : >"$root/dev/$device"
    mount --bind /dev/$device "$root/dev/$device"
  done
  mkdir "$root/dev/pts" "$root/dev/shm"
  mount -t devpts -o newinstance,ptmxmode=0666,mode=620,gid=5 devpts "$root/dev/pts"
  mount -t tmpfs -o mode=1777 tmpfs "$root/dev/shm"
  ln -s pts/ptmx "$root/dev/ptmx"
  ln -s /proc/self/fd "$root/dev/fd"
  for stream in 0:stdin 1:stdout 2:stderr; do ln -s "/proc/self/fd/${stream%:*}" "$root/dev/${stream#*:}"; done

  mount -t tmpfs -o mode=755 tmpfs "$root/run"
  mkdir -p "$root/run/systemd/system" "$root/etc/tmpfiles.d"
  # The least that counts as a machine that is up.
  printf '[Unit]\nRequires=basic.target\nAfter=basic.target\nAllowIsolate=yes\n' >"$root/run/systemd/system/ci.target"
  # Debian's own rule would empty /tmp of the overlay at boot, and the command with it when it lies there.
  ln -sf /dev/null "$root/etc/tmpfiles.d/tmp.conf"
  # A container's policy against starting services would hold inside as well.
  rm -f "$root/usr/sbin/policy-rc.d"
  cd "$root"
  mkdir -p .old
  pivot_root . .old
  umount -l /.old
  exec env -i container=ci PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
    /lib/systemd/systemd --system --unit=ci.target --show-status=0 --log-target=journal </dev/null >/dev/null 2>&1
fi

hidden=()
used=''
lower=/
while :; do
  case ${1:-} in
    -x) hidden+=("$2") ;;
    -u) used=$2 ;;
    -r) lower=$2 ;;
    *) break ;;
  esac
  shift 2
done
[ $# -gt 0 ] || { echo "usage: with-systemd.sh [-x DIRECTORY]... [-u DIRECTORY] [-r DIRECTORY] COMMAND..." >&2; exit 2; }
[ "$(id -u)" = 0 ] || cannot "needs root: namespaces and mounts"
[ -x "$lower/lib/systemd/systemd" ] || cannot "needs systemd to be installed"

scratch=$(mktemp -d)
group=$scratch/cgroup/with-systemd-$$
init=''
outer=''
# shellcheck disable=SC2317 # reached by the trap
cleanup() {
  set +e
  # With process 1 of the namespace everything in it goes.
  [ -n "$init" ] && kill -KILL "$init" 2>/dev/null
  [ -n "$outer" ] && wait "$outer" 2>/dev/null
  # The kernel empties the groups of the dead a moment after they are gone.
  for _ in $(seq 50); do
    find "$group" -depth -type d -exec rmdir {} + 2>/dev/null
    [ -d "$group" ] || break
    sleep 0.05
  done
  umount "$scratch/cgroup" 2>/dev/null
  rm -f "$scratch/log"
  rmdir "$scratch/cgroup" "$scratch/root" "$scratch" 2>/dev/null
  return 0
}
trap cleanup EXIT
mkdir "$scratch/cgroup"
if ! { mount -t cgroup2 cgroup2 "$scratch/cgroup" && mkdir "$group"; } 2>/dev/null; then
  cannot "this machine does not permit cgroup2 to be mounted"
fi

(
  echo "$BASHPID" >"$group/cgroup.procs"
  WITH_SYSTEMD_STAGE=init WITH_SYSTEMD_SCRATCH=$scratch WITH_SYSTEMD_USED=$used WITH_SYSTEMD_LOWER=$lower exec unshare --mount --pid --fork --kill-child --cgroup --ipc --uts --net \
    "$0" "${hidden[@]}"
) </dev/null >"$scratch/log" 2>&1 &
outer=$!
inside() {
  nsenter -t "$init" -m -p -C -i -u -n -r -w env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
    HOME=/ LANG=C.UTF-8 TIMELINED_SLOW="$TIMELINED_SLOW" "$@"
}
state=''
limit=$((SECONDS + $(patience 60)))
while [ "$SECONDS" -lt "$limit" ] && [ -d "/proc/$outer" ]; do
  init=$(tr -d ' ' <"/proc/$outer/task/$outer/children" 2>/dev/null || true)
  if [ -n "$init" ]; then
    state=$(inside systemctl is-system-running 2>/dev/null || true)
    case $state in running | degraded) break ;; esac
  fi
  sleep 0.02
done
case $state in
  running | degraded) ;;
  *) cannot "this machine does not permit a systemd in namespaces: $(head -n 1 "$scratch/log") ${state:+(it is $state)}" ;;
esac
rc=0
inside "$@" || rc=$?
exit $rc
