#!/bin/bash
# The Debian package on a real systemd: installed, a first job, upgraded with a run under way, removed and purged.
. "$(dirname "$0")/lib.sh"
packages=$checkout/.build/packages/plain
if [ "${1:-}" != inside ]; then
  deb=$(ls "$packages"/timelined_*.deb 2>/dev/null) || { echo "no package is made: Tests/run.sh deb"; exit 1; }
  # The same once more with a higher version: what an upgrade does is in the package's scripts.
  rm -rf "$packages/next"
  mkdir -p "$packages/next"
  dpkg-deb -R "$deb" "$packages/next/tree" && sed -i 's/^Version: .*/Version: 99/' "$packages/next/tree/DEBIAN/control" \
    && dpkg-deb -Znone -b "$packages/next/tree" "$packages/next/timelined.deb" >/dev/null || exit 1
  rm -rf "$packages/next/tree"
  exec "$here/with-systemd.sh" "$here/72-deb.sh" inside
fi

trap '[ "$failures" -eq 0 ] || journalctl -q --no-pager -n 60' EXIT
configuration=/etc/timelined/timelined.toml
marks=/run/marks

installs_package() {
  DEBIAN_FRONTEND=noninteractive dpkg --force-confold -i "$1"
}
main() {
  systemctl show timelined -P MainPID
}
main_changes() {
  [ "$(main)" != "$1" ] && systemctl is-active --quiet timelined
}
ended() {
  timelinectl history "$1" --json | grep -c '"outcome":"succeeded"' || true
}
# Everything that has our name, but for logs, the package's own records, this checkout and its parents, and temporary files: other tests
# run at the same time.
leftovers() {
  found | awk -v checkout="$checkout/" 'index(checkout, $0 "/") != 1'
}
found() {
  find / -xdev \( -path "$checkout" -o -path /proc -o -path /sys -o -path /var/log -o -path /var/lib/dpkg -o -path /var/cache -o -path /tmp -o -path /var/tmp \
    -o -path /work -o -path /root -o -path /home \) -prune -o \( -name '*timelined*' -o -name '*timelinectl*' \) -print
  find /run -name '*timelined*' ! -path '/run/systemd/*'
}

must "nothing of it is there before" is '' leftovers
must "the package is installed" installs_package "$packages"/timelined_*.deb
check "the service runs" is active systemctl is-active timelined
check "and is enabled" is enabled systemctl is-enabled timelined
check "and so is its socket" is enabled systemctl is-enabled timelined.socket
check "timelinectl status works" prints '0 jobs|jobs +0' timelinectl status
check "the configuration has only comments" fails grep -Ev '^(#.*)?$' $configuration
check "the installed files are as packaged" is '' dpkg -V timelined
check "the system user exists" getent passwd timelined
check "the search for what is left finds it" prints /usr/bin/timelinectl leftovers
check "members of its group may ask" setpriv --reuid nobody --regid timelined --clear-groups timelinectl status

# The example of the configuration without its comment signs is a first job.
sed -i 's/^#   \(\[job\|plugin\|schedule\|with\)/\1/' $configuration
check "the commented job is right" prints '1 job, no errors' timelinectl check
check "it is taken up" systemctl reload timelined
check "and runs" prints succeeded timelinectl trigger hello --wait

mkdir -p $marks
cat >$marks/long <<END
#!/bin/sh
echo start >>$marks/evidence
while [ ! -e $marks/end ]; do sleep 0.1; done
echo end >>$marks/evidence
END
chmod 755 $marks $marks/long
cat >/etc/timelined/jobs.d/long.toml <<END
[job.long]
plugin = "exec"
schedule = "on-demand"
with = { command = ["$marks/long"] }
END
cp $configuration $marks/edited
check "a second job" systemctl reload timelined
must "its run is under way" eval 'timelinectl trigger long && within 60 test -s $marks/evidence'
pid=$(main)
must "the package is upgraded" installs_package "$packages/next/timelined.deb"
check "the daemon is another" within 60 main_changes "$pid"
check "the edited configuration is kept" cmp $configuration $marks/edited
check "and its second file" prints long timelinectl list
check "the run goes on" is start cat $marks/evidence
check "and is listed as running" prints '"running":\[\{' timelinectl list --json
check "earlier outcomes are kept" is 1 ended hello
touch $marks/end
check "the run's result is collected" within 60 is 1 ended long
check "it ran once" is $'start\nend' cat $marks/evidence

must "the package is removed" dpkg -r timelined
check "the service is stopped" fails systemctl is-active --quiet timelined
check "no process is left" fails pgrep -f 'bin/timelined|^timeline-host'
check "the configuration is left" cmp $configuration $marks/edited
check "the state is left" test -s /var/lib/timelined/ledger.sqlite
check "programs and units are gone" is '' eval \
  'ls -d /usr/bin/timelined /usr/bin/timelinectl /lib/systemd/system/timelined.service /usr/lib/timelined 2>/dev/null'
must "it is installed again" installs_package "$packages/next/timelined.deb"
check "the service runs again" is active systemctl is-active timelined
check "with what it knew" is 1 ended long

must "the package is purged" dpkg -P timelined
check "nothing of it is left" is '' leftovers
check "but the user, as Debian keeps system users" getent passwd timelined
finish
