#!/bin/bash
# with-uml.sh COMMAND...: boot Linux as a program (User Mode Linux) with a real systemd, on a throw-away overlay of this machine's root, run
# COMMAND in it, and tear everything down. It has version 2 of control groups with all controllers, whatever this machine has. Nothing that
# happens inside is seen outside.
#
# The checkout that holds this script is there too, read-only. There is no network. Exits as COMMAND does, with its output; with 77 and the reason
# where this machine does not permit it (not root, no overlay, no package user-mode-linux).
set -eu

checkout=$(cd "$(dirname "$0")/../.." && pwd)
. "$checkout/Tests/patience.sh"
. "$checkout/Tests/Integration/fresh-root.sh"
# All of it takes less than a minute on a machine with nothing else to do, and took three on a busy one.
seconds_max=$(patience 400)

cannot() {
  echo "$1"
  exit 77
}

# In a mount namespace of its own: builds the root, and boots.
if [ "${WITH_UML_STAGE:-}" = boot ]; then
  mount --make-rprivate /
  mount -t tmpfs tmpfs "$WITH_UML_SCRATCH"
  cd "$WITH_UML_SCRATCH"
  mkdir up work root memory
  mount -t overlay overlay -o "lowerdir=/,upperdir=$PWD/up,workdir=$PWD/work" root || cannot "this machine does not permit overlays"
  fresh root
  mkdir -p "root$checkout"
  mount --bind "$checkout" "root$checkout"
  mount -o remount,bind,ro "root$checkout"

  cat >root/uml-init <<'END'
#!/bin/sh
mount -t tmpfs -o mode=755 tmpfs /run
mkdir -p /run/systemd/system
# The least that counts as a machine that is up.
printf '[Unit]\nRequires=basic.target\nAfter=basic.target\nAllowIsolate=yes\nWants=uml-command.service\n' >/run/systemd/system/uml.target
cp /uml-command.service /run/systemd/system/
exec /lib/systemd/systemd --system --unit=uml.target --show-status=0 --log-target=journal
END
  cat >root/uml-command.service <<END
[Unit]
After=basic.target
[Service]
Type=oneshot
Environment=PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/ LANG=C.UTF-8 TIMELINED_SLOW=$TIMELINED_SLOW
ExecStart=/uml-command
ExecStopPost=/bin/sh -c 'echo o >/proc/sysrq-trigger'
END
  {
    echo '#!/bin/bash'
    printf '%q ' "$@"
    printf '>/uml-output 2>&1\necho $? >/uml-status\n'
  } >root/uml-command
  chmod 755 root/uml-init root/uml-command
  # Debian's own rule would empty /tmp of the overlay at boot, and the checkout with it when it lies there.
  mkdir -p root/etc/tmpfiles.d
  ln -sf /dev/null root/etc/tmpfiles.d/tmp.conf
  # A container's policy against starting services would hold inside as well.
  rm -f root/usr/sbin/policy-rc.d
  # No swap, so that a limit of memory is one.
  TMPDIR=$PWD/memory timeout -k 5 "$seconds_max" linux.uml mem=400M rootfstype=hostfs rootflags="$PWD/root" rw init=/uml-init \
    cgroup_no_v1=all systemd.unified_cgroup_hierarchy=1 con=null con0=null,fd:1 quiet </dev/null >console 2>&1 || true
  [ -e root/uml-output ] || cannot "this machine does not boot User Mode Linux within $seconds_max s: $(tail -n 1 console)"
  cat root/uml-output
  [ -e root/uml-status ] || { echo "the machine was stopped after $seconds_max s"; exit 1; }
  exit "$(cat root/uml-status)"
fi

[ $# -gt 0 ] || { echo "usage: with-uml.sh COMMAND..." >&2; exit 2; }
[ "$(id -u)" = 0 ] || cannot "needs root: mounts"
[ -x /lib/systemd/systemd ] || cannot "needs systemd to be installed"
command -v linux.uml >/dev/null || cannot "needs linux.uml of the Debian package user-mode-linux"

scratch=$(mktemp -d)
trap 'rmdir "$scratch"' EXIT
rc=0
WITH_UML_STAGE=boot WITH_UML_SCRATCH=$scratch unshare --mount --pid --fork --kill-child "$0" "$@" || rc=$?
exit $rc
