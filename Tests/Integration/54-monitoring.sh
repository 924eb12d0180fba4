#!/bin/bash
# Metrics as Prometheus reads them: the text of a real daemon and the golden files, the alert rules with series on which each fires and
# does not, the dashboard, and the verdict of `status --exit-code`. promtool is that of Debian's package, which is not installed, because
# it would start a server.
. "$(dirname "$0")/lib.sh"
[ -e "$stage/complete" ] || { echo "nothing is built: make build"; exit 1; }
command -v python3 >/dev/null || skip "needs python3"
scratch
chmod 755 "$scratch"
rules=$checkout/etc/monitoring/timelined.rules.yml
dashboard=$checkout/etc/monitoring/timelined.dashboard.json
expositions=$checkout/Tests/Monitoring/Expositions

promtool=$(command -v promtool) || promtool=$checkout/.build/prometheus/usr/bin/promtool
if [ ! -x "$promtool" ] && command -v apt-get dpkg-deb >/dev/null; then
  mkdir "$scratch/package"
  chmod 777 "$scratch/package"
  (cd "$scratch/package" && timeout "$(patience 120)" apt-get -q download prometheus >/dev/null 2>&1) \
    && dpkg-deb --fsys-tarfile "$scratch"/package/*.deb | tar -x -C "$scratch/package" ./usr/bin/promtool \
    && install -D "$scratch/package/usr/bin/promtool" "$promtool"
fi

# promtool prints what it would name otherwise and exits 3; nothing printed is right.
lints() { is "" "$promtool" check metrics <"$1"; }
# Each alert has a test in which it fires and one in which it does not.
all_alerts_tested() {
  local alert
  for alert in $(sed -n 's/^ *- alert: //p' "$rules"); do
    grep -qx "  - name: $alert fires" "$checkout/Tests/Monitoring/rules.test.yml" \
      && grep -qx "  - name: $alert does not fire" "$checkout/Tests/Monitoring/rules.test.yml" \
      || { echo "$alert: has no two tests"; return 1; }
  done
}
# Metrics that a file uses and the daemon of the golden file does not have.
uses_known_metrics() {
  local unknown
  unknown=$(comm -23 <(grep -oE 'timelined_[a-z_]+' "$1" | sort -u) \
    <(sed -nE 's/^(timelined_[a-z_]+).*/\1/p' "$expositions/busy.prom" | sort -u))
  [ -z "$unknown" ] || { echo "$unknown"; return 1; }
}
# Each metric has a row in the page, and each row is one.
page_lists_all() {
  diff <(sed -nE 's/^# TYPE (timelined_[a-z_]+) .*/\1/p' "$expositions/busy.prom" | sort -u) \
    <(sed -nE 's/^\| `(timelined_[a-z_]+).*/\1/p' "$checkout/docs/monitoring.md" | sort -u)
}

check "the rules use only metrics that there are" uses_known_metrics "$rules"
check "the dashboard uses only metrics that there are" uses_known_metrics "$dashboard"
check "the dashboard is JSON" python3 -m json.tool "$dashboard" /dev/null
check "the page lists each metric" page_lists_all
check "each alert has its tests" all_alerts_tested

cat >"$scratch/daemon.toml" <<'END'
[job.steady]
plugin   = "log"
schedule = { periodic = { by = "1s" } }
with     = { message = "here" }

[job.failing]
plugin   = "exec"
schedule = "on-demand"
with     = { command = ["false"] }
END
cat >>"$scratch/daemon.toml" <<END

[job.tell]
plugin   = "notify"
schedule = "on-demand"
with     = { mail = { to = ["ops@example.org"], sendmail = "$scratch/sendmail" } }
END
checked() { "$stage/timelinectl" check "$scratch/daemon.toml" --plugins "$stage/plugins" --host "$stage/timeline-host"; }
check "a sendmail that is not there is found before a job fails" prints "error: there is no program \"$scratch/sendmail\"" checked
printf '#!/bin/sh\ncat >%s/mail\n' "$scratch" >"$scratch/sendmail"
chmod 755 "$scratch/sendmail"
check "and one that is there is not" checked
ctl() { "$stage/timelinectl" --socket "$scratch/control.sock" "$@"; }
"$stage/timelined" --config "$scratch/daemon.toml" --state "$scratch/state" --control "$scratch/control.sock" \
  --plugins "$stage/plugins" --host "$stage/timeline-host" >"$scratch/log" 2>&1 &
daemon=$!
trap 'kill "$daemon" 2>/dev/null; rm -rf "$scratch"' EXIT
must "a daemon answers" within 60 ctl status
check "a daemon without problems is well" within 60 prints '^well$' ctl status --exit-code
check "a run is counted" within 60 prints 'timelined_run_duration_seconds_count\{job="steady"\} [1-9]' ctl metrics
check "a job of notify that is triggered sends a test message" prints 'mailed tell: test message' ctl trigger tell --wait
check "it is a mail" grep -qx 'Subject: tell: test message' "$scratch/mail"
check "and spoils nothing" prints '^well$' ctl status --exit-code
check "a failure is triggered" prints failed ctl trigger failing --wait
status_is() { ctl status --exit-code >/dev/null 2>&1; [ $? = "$1" ]; }
check "it is a problem" prints '^problem: job failing: the last run failed' ctl status --exit-code
check "whose exit status is 1" status_is 1
check "the same as JSON" prints '"isWell":false' ctl status --exit-code --json
ctl metrics >"$scratch/now.prom"

# The collector is another user, and the umask of a job may be tight.
(umask 077; ctl metrics --output "$scratch/timelined.prom") || failures=$((failures + 1))
check "the file is for everybody" is 644 stat -c %a "$scratch/timelined.prom"
check "it has the same metrics" diff <(grep '^# TYPE' "$scratch/now.prom") <(grep '^# TYPE' "$scratch/timelined.prom")
check "nothing is left beside it" is "$scratch/timelined.prom" find "$scratch" -name 'timelined.prom*'
kill "$daemon"
wait "$daemon"
check "without a daemon the status is another" status_is 69
before=$(stat -c %Y%i "$scratch/timelined.prom")
check "and the file stays" fails ctl metrics --output "$scratch/timelined.prom"
check "as it was" is "$before" stat -c %Y%i "$scratch/timelined.prom"

if [ ! -x "$promtool" ]; then
  [ "$failures" -eq 0 ] || exit 1
  skip "promtool: Debian's package prometheus cannot be downloaded; all else held"
fi
for exposition in "$expositions"/*.prom "$scratch/now.prom"; do
  check "promtool takes ${exposition##*/}" lints "$exposition"
done
check "promtool takes the rules" "$promtool" check rules "$rules"
check "each alert fires when it should, and not else" "$promtool" test rules "$checkout/Tests/Monitoring/rules.test.yml"
finish
