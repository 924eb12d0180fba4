#!/bin/sh
# install.sh [--prefix DIRECTORY] [--uninstall]: copies the programs beside this script to their places, or removes them again.
# DESTDIR is put before each path. Configuration and state are never overwritten and never removed.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
prefix=/usr/local
uninstall=
usage() {
  echo "install.sh: error: $1" >&2
  echo "usage: install.sh [--prefix DIRECTORY] [--uninstall]" >&2
  exit 64
}
fail() {
  echo "install.sh: error: $1" >&2
  exit 1
}
while [ $# -gt 0 ]; do
  case $1 in
    --prefix)
      [ $# -ge 2 ] || usage "--prefix: expected a directory after it"
      prefix=$2
      shift
      ;;
    --uninstall) uninstall=1 ;;
    -h | --help)
      sed -n '2,3s/^# //p' "$0"
      exit
      ;;
    *) usage "$1: no such option" ;;
  esac
  shift
done
while [ "$prefix" != "${prefix%/}" ]; do prefix=${prefix%/}; done
case $prefix in
  */.. | */../*) fail "--prefix $prefix: expected a path without .." ;;
  /*) ;;
  *) fail "--prefix: expected an absolute path" ;;
esac
# It is written into units, which have no quotes for it, and put in by sed.
case $prefix in *[!A-Za-z0-9/._-]*) fail "--prefix $prefix: expected letters, digits and /._- only" ;; esac
root=${DESTDIR:-}
files=$root$prefix/share/timelined/installed-files
is_live() {
  [ -z "$root" ] && [ "$(id -u)" = 0 ] && [ -d /run/systemd/system ] && { [ "$prefix" = /usr/local ] || [ "$prefix" = /usr ]; }
}

if [ -n "$uninstall" ]; then
  [ -e "$files" ] || fail "$files: no such file: nothing is installed below $prefix"
  if is_live; then systemctl disable --now timelined.service timelined.socket || true; fi
  while read -r file; do rm -f "$root$prefix/$file"; done <"$files"
  rm -f "$files"
  # Only directories that are ours, and only if nothing else is in them.
  for directory in lib/timelined share/timelined share/doc/timelined; do
    [ ! -d "$root$prefix/$directory" ] || find "$root$prefix/$directory" -depth -type d -exec rmdir {} + 2>/dev/null || true
  done
  if is_live; then systemctl daemon-reload; fi
  echo "removed; left alone: /etc/timelined, /var/lib/timelined and the user timelined"
  exit 0
fi

machine=$(cat "$here/machine")
[ "$(uname -m)" = "$machine" ] || fail "these programs are for $machine, and this is $(uname -m): take the archive for it"
# The oldest version with all functions that the programs call.
glibc=$(getconf GNU_LIBC_VERSION 2>/dev/null | sed -n 's/^glibc //p')
[ -n "$glibc" ] || fail "no glibc here: take the image, or build from source"
[ "$(printf '2.35\n%s\n' "$glibc" | sort -V | head -n 1)" = 2.35 ] || fail "glibc $glibc is too old: 2.35 or later is needed"
missing=$(ldd "$here/tree/prefix/bin/timelined" "$here/tree/prefix/lib/timelined/timeline-host" \
  | sed -n 's/^[[:space:]]*\(.*\) => not found/\1/p' | sort -u | tr '\n' ' ')
[ -z "$missing" ] || fail "missing libraries: $missing: install the packages that have them (Debian: libseccomp2 libsqlite3-0 libsystemd0)"
mkdir -p "$root$prefix" 2>/dev/null && [ -w "$root$prefix" ] || fail "$root$prefix: permission denied: run this as root, or name another --prefix"

umask 022
cd "$here/tree/prefix"
new_files() { find . ! -type d | sed 's|^\./||'; }
# Before the first copy, so that an installation that was cut off can be removed; with the files of an older version.
mkdir -p "${files%/*}"
{ cat "$files" 2>/dev/null || true; new_files; } | sort -u >"$files.new"
mv -f "$files.new" "$files"
new_files | while read -r file; do
  mkdir -p "$root$prefix/$(dirname "$file")"
  # A new file in the place of the old one: a program that runs keeps its own.
  if [ -L "$file" ]; then
    ln -sf "$(readlink "$file")" "$root$prefix/$file"
  else
    # Text names the other files by the prefix.
    if grep -qI '/@prefix@' "$file"; then sed "s|/@prefix@|$prefix|g" "$file" >"$root$prefix/$file.new"; else cp "$file" "$root$prefix/$file.new"; fi
    if [ -x "$file" ]; then chmod 755 "$root$prefix/$file.new"; else chmod 644 "$root$prefix/$file.new"; fi
    mv -f "$root$prefix/$file.new" "$root$prefix/$file"
  fi
done

configuration=$root/etc/timelined/timelined.toml
if [ ! -e "$configuration" ] && mkdir -p "$root/etc/timelined/jobs.d" 2>/dev/null; then
  sed "s|/@prefix@|$prefix|g" "$here/tree/etc/timelined.toml" >"$configuration"
fi
if ldd "$root$prefix/lib/timelined/timeline-calendar" | grep -q 'not found'; then
  echo "iCalendar files cannot be read: libical is missing (Debian: libical3); everything else works"
fi
if ldd "$root$prefix/lib/timelined/timeline-store" | grep -q 'not found'; then
  echo "this machine cannot be a node of a cluster: libpq or libcurl is missing (Debian: libpq5, libcurl4); everything else works"
fi
if is_live; then
  systemd-sysusers "$prefix/lib/sysusers.d/timelined.conf"
  systemd-tmpfiles --create "$prefix/lib/tmpfiles.d/timelined.conf"
  systemctl daemon-reload
  echo "installed below $prefix; next: \`systemctl enable --now timelined\`; after an upgrade: \`systemctl restart timelined\`"
else
  echo "installed below $prefix; next: $prefix/bin/timelined --demo"
fi
