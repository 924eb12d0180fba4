#!/bin/bash
# The installation of the README in a Debian that has nothing but its base: the package with what it depends on, then the archive. No
# toolchain is in it. The base and the packages are fetched once and kept below .build/debian; without a network it is skipped.
. "$(dirname "$0")/lib.sh"
packages=$checkout/.build/packages/plain
cache=$checkout/.build/debian

# The commands of the README's section, without sudo and remarks.
commands() {
  sed -n '/^## Install/,/^## /{/^```sh/,/^```/{/^```/d; s/ *# .*//; s/sudo //g; p}}' "$checkout/README.md"
}
if [ "${1:-}" != inside ]; then
  [ "$(id -u)" = 0 ] || skip "needs root: chroot"
  command -v debootstrap >/dev/null || skip "needs debootstrap"
  ls "$packages"/timelined_*.deb "$packages"/timelined-*.tar.xz >/dev/null || { echo "no package is made: Tests/run.sh deb tarball"; exit 1; }
  mkdir -p "$cache/archives/partial"
  if [ ! -e "$cache/complete" ]; then
    rm -rf "$cache/root"
    debootstrap --variant=minbase bookworm "$cache/root" >"$cache/log" 2>&1 || skip "no Debian to be had: $(tail -n 1 "$cache/log")"
    touch "$cache/complete"
  fi
  commands >"$cache/commands"
  exec unshare --mount --pid --fork --kill-child "$0" inside
fi

# Each part has a copy of the root that goes with it.
begin() {
  work=/mnt
  umount -R $work 2>/dev/null
  mount -t tmpfs tmpfs $work
  mkdir $work/up $work/work $work/root
  root=$work/root
  mount -t overlay overlay -o "lowerdir=$cache/root,upperdir=$work/up,workdir=$work/work" $root
  mount -t proc proc $root/proc
  mount --bind "$cache/archives" $root/var/cache/apt/archives
  for device in null urandom; do
    [ -e $root/dev/$device ] || : >$root/dev/$device
    mount --bind /dev/$device $root/dev/$device
  done
  cp -L /etc/resolv.conf $root/etc/resolv.conf
  # Nothing is to be started, as there is no systemd.
  printf '#!/bin/sh\nexit 101\n' >$root/usr/sbin/policy-rc.d
  chmod 755 $root/usr/sbin/policy-rc.d
  echo 'APT::Keep-Downloaded-Packages "true"; APT::Install-Recommends "false"; APT::Get::Assume-Yes "true";' >$root/etc/apt/apt.conf.d/90test
  mkdir $root/here
  cp "$packages"/timelined_*.deb "$packages"/timelined-*.tar.xz $root/here
}
inside() {
  env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin:/usr/local/bin DEBIAN_FRONTEND=noninteractive HOME=/root chroot $root sh -c "cd /here && $1"
}
# The command of the README that has the word in it.
command_with() {
  grep -- "$1" "$cache/commands"
}
runs_first_job() {
  # What systemd would do.
  inside 'mkdir -p /run/timelined && { timelined >/here/log 2>&1 & echo $! >/here/pid; }'
  check "the daemon runs" within 20 inside 'timelinectl status'
  check "the README's first job is taken up and runs" prints 'succeeded' inside "$(sed -n '/^echo/,/trigger/p' "$cache/commands")"
  check "it has said so" prints 'hello +hello' cat $root/here/log
  echo '30 2 * * * root true' >$root/etc/cron.d/night
  rm -f $root/etc/cron.d/e2scrub_all
  check "the import of what cron runs is proven" prints 'night:1: proven' inside 'timelinectl import crontab --system --prove'
  check "the README's [include] makes it jobs" prints '^night-true +2' inside "$(sed -n '/^printf/,/reload/p' "$cache/commands") && timelinectl list"
  check "the jobs are right" prints '3 jobs, no errors' inside 'timelinectl check'
  inside 'kill $(cat /here/pid); while kill -0 $(cat /here/pid) 2>/dev/null; do sleep 0.1; done'
}

mount --make-rprivate /
begin
check "no toolchain is there" fails inside 'command -v swift || command -v cc'
must "the README's command installs the package with what it depends on" inside "$(command_with 'apt install')"
check "recommended libraries can be left out" fails inside 'dpkg -s libical3'
runs_first_job
begin
must "xz can be had, which all but the barest systems have" inside 'apt install xz-utils'
check "the installer of the archive names what is missing" prints 'missing libraries: .*libsqlite3.so.0.*libsqlite3-0 libsystemd0' \
  fails inside "$(command_with 'tar ')"
must "that can be had" inside 'apt install libsqlite3-0 libsystemd0'
must "the README's command installs the archive" inside "$(command_with 'tar ')"
runs_first_job
umount -R /mnt
finish
