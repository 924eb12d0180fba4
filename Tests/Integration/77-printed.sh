#!/bin/bash
# Each command line that a program or a page prints, really run: on a real systemd with timelined as it is installed, as its user would.
. "$(dirname "$0")/lib.sh"
if [ "${1:-}" != inside ]; then
  command -v python3 >/dev/null || skip "needs python3"
  [ -e "$stage/complete" ] || { echo "nothing is built: make build"; exit 1; }
  [ -x "$checkout/.build/web/stage/timelined-web" ] || skip "needs timelined-web: make web"
  exec "$here/with-systemd.sh" "$here/77-printed.sh" inside
fi

# As at the start of a machine: systemd mounts credentials by it.
mount --make-rshared /
must "daemon and page are installed" make --no-print-directory -s -C "$checkout" install install-web
systemctl daemon-reload
python3 -B "$here/printed/printed.py" "$checkout"
status=$?
[ "$status" -ne 77 ] || skip "the commands of clusters: no PostgreSQL is installed"
exit "$status"
