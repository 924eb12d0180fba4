# fresh ROOT: takes out of ROOT, a throw-away copy of this machine's root, what timelined, cron and other programs have left on the
# machine, so that tests in it find the same on each machine. Sourced by with-systemd.sh and with-uml.sh before anything is mounted in ROOT.
# shellcheck shell=bash

# Directories in which installations and services leave something.
fresh_directories=(etc lib usr/bin usr/sbin usr/lib usr/include usr/share usr/local opt srv var/lib var/spool)

fresh() {
  local root=$1 file
  # Programs, units, states, and links to them.
  for file in "${fresh_directories[@]}"; do
    # A merged /usr: what is behind the link is looked at by its own name.
    [ -L "$root/$file" ] || [ ! -d "$root/$file" ] || fresh_directory "$root" "$file"
  done
  fresh_packages "$root/var/lib/dpkg"
  for file in passwd group shadow gshadow; do
    [ ! -e "$root/etc/$file" ] || sed -i '/^timelined\(-[a-z]*\)\?:/d' "$root/etc/$file"
  done
  # Jobs of this machine, and timers, which may hold the lock of the package manager.
  rm -rf "$root"/etc/cron.d/* "$root"/var/spool/cron/crontabs/*
  [ ! -e "$root/etc/crontab" ] || : >"$root/etc/crontab"
  rm -f "$root/etc/systemd/system/cron.service"
  ln -sf /dev/null "$root/etc/systemd/system/timers.target"
  # The journal of this machine, and its zone.
  rm -rf "$root/var/log/journal"
  ln -sf /usr/share/zoneinfo/Etc/UTC "$root/etc/localtime"
}

# fresh_directory ROOT DIRECTORY: removes from it what has the name of a program of ours.
fresh_directory() {
  local checkout_in_root=$1${checkout:?}
  find "$1/$2" -xdev -path "$checkout_in_root" -prune -o \
    \( -name '*timelined*' -o -name '*timelinectl*' -o -name 'timeline-*' \) -prune -print0 | xargs -0 -r rm -rf --
}

# fresh_packages DIRECTORY: has the package manager forget our packages.
fresh_packages() {
  [ -e "$1/status" ] || return 0
  awk 'BEGIN { RS = ""; ORS = "\n\n" } !/^Package: timelined/' "$1/status" >"$1/status-without-ours"
  mv "$1/status-without-ours" "$1/status"
}
