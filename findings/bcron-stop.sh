#!/bin/bash
# Stopping bcron by its init script, which is how systemd stops it, as the package has no unit.
# Guess: the script ends the process of the scheduler.
# What happens: the stop of bcron 0.11 (Debian 0.11-19) lists all processes except that of `bcron-start`, takes the first word of each
#   line, the header's `PID` included, and gives all of them to `kill -KILL`. dash refuses `PID` and kills nothing, so that bcron goes on
#   after `systemctl stop bcron-sched`. A shell that goes on after the wrong word would kill every process of the machine.
# Why it matters to a scheduler: what takes jobs over from a cron has to look for its processes after a stop that succeeded.
set -eu
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"
apt-get download -qq bcron 2> download.log || { cat download.log >&2; exit 1; }
dpkg-deb -f bcron_*.deb Package Version
[ "$(dpkg-deb -f bcron_*.deb Version)" = 0.11-19 ] || { echo "changed: not version 0.11-19" >&2; exit 1; }
dpkg-deb -x bcron_*.deb root
sed -n '/^do_stop_cmd_override/,/^}/p' root/etc/init.d/bcron-sched | tee stop.sh
[ -s stop.sh ] || { echo "changed: the script has no stop of its own" >&2; exit 1; }
# With a `ps` of three processes and a `kill` that prints its arguments.
cat > try.sh <<'SH'
DAEMON=/usr/sbin/bcron-start
ps() { printf '%s\n' 'PID TTY STAT TIME COMMAND' '1 ? Ss 0:01 /sbin/init' '200 ? Ss 0:00 /usr/sbin/bcron-start' '300 ? S 0:00 /usr/sbin/other'; }
kill() { echo "kill $*"; }
. ./stop.sh
do_stop_cmd_override
SH
found=$(sh try.sh)
echo "with bcron-start as process 200: $found"
[ "$found" = 'kill -KILL PID 1 300' ] || { echo "changed: $found" >&2; exit 1; }
