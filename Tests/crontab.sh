#!/bin/bash
# crontab.sh: judges crontabs as Debian's cron does. Reads files in base64 from standard input, a line each, and prints the exit status
# of `crontab -n` for each. With --install it puts the program into .build/crontab instead: the package is unpacked and not installed.
# The spool that crontab wants is in a mount namespace of its own, which needs root.
set -euo pipefail
directory=$(cd "$(dirname "$0")/.." && pwd)/.build/crontab
if [ "${1:-}" = --install ]; then
  [ ! -x "$directory/usr/bin/crontab" ] || exit 0
  mkdir -p "$directory"
  cd "$directory"
  apt-get -q download cron
  dpkg-deb -x cron_*.deb .
  exit
fi
if [ "${1:-}" != inside ]; then exec unshare -m "$0" inside; fi
mount -t tmpfs tmpfs /var/spool
mkdir -p /var/spool/cron/crontabs
file=/var/spool/file
while IFS= read -r text; do
  base64 -d <<<"$text" >"$file"
  status=0
  "$directory/usr/bin/crontab" -n "$file" >/dev/null 2>&1 </dev/null || status=$?
  echo "$status"
done
