#!/bin/bash
# `etcdctl lock NAME -- COMMAND`, the usual way to let one of several machines run a job of cron at a time.
# Guess: it ends with the status of the command, passes a SIGTERM on to it, and the command does not outlive the lock.
# What happens: etcdctl 3.4.23 (Debian 3.4.23-4) ends with 1 for each status of the command but 0, also for one that a
#   signal ended; the number stands in a line on standard error alone. SIGTERM is not passed on: the command goes on to its
#   end, holds the lock as long, and the status is 0. After SIGKILL the lock goes with its lease, and the command runs on
#   beside the next holder's.
# Why it matters to a scheduler: statuses that are worth a retry, or that are permanent, cannot be told apart behind the
#   lock; a timeout has to reach the command itself, and everything that the run has started has to end with it.
set -eu
dir=$(mktemp -d); etcd=
trap '[ -z "$etcd" ] || kill "$etcd"; rm -rf "$dir"' EXIT
cd "$dir"
apt-get download -qq etcd-client etcd-server 2> download.log || { cat download.log >&2; exit 1; }
for package in etcd-*.deb; do
    dpkg-deb -f "$package" Package Version
    case $(dpkg-deb -f "$package" Version) in 3.4.23-4*) ;; *) echo "changed: not version 3.4.23-4" >&2; exit 1 ;; esac
    dpkg-deb -x "$package" root
done
export ETCDCTL_API=3 ETCDCTL_ENDPOINTS=http://127.0.0.1:23791
root/usr/bin/etcd --data-dir data --listen-client-urls "$ETCDCTL_ENDPOINTS" --advertise-client-urls "$ETCDCTL_ENDPOINTS" \
    --listen-peer-urls http://127.0.0.1:23801 > etcd.log 2>&1 & etcd=$!
for _ in $(seq 100); do root/usr/bin/etcdctl endpoint health > health 2>&1 && break; sleep 0.1; done
lock() { root/usr/bin/etcdctl lock --ttl 2 jobs -- "$@"; }
begun() { until [ -s "$1" ]; do sleep 0.05; done; }
cat > work <<'SH'
#!/bin/sh
trap 'echo stopped; exit' TERM
echo begins
n=0; while [ "$n" -lt 60 ]; do n=$((n + 1)); sleep 0.1; done
echo "whole, $(cat next) next holder"
SH
chmod +x work
echo no > next
{
    lock sh -c 'exit 3' && echo "status 0" || echo "status $?"
    lock sh -c 'kill -KILL $$' && echo "status 0" || echo "status $?"
    root/usr/bin/etcdctl lock --ttl 2 jobs -- ./work > out & holder=$!
    begun out; kill -TERM "$holder"
    wait "$holder" && echo "after SIGTERM: status 0, the command: $(tr '\n' ' ' < out)"
    : > out
    root/usr/bin/etcdctl lock --ttl 2 jobs -- ./work > out & holder=$!
    begun out; kill -KILL "$holder"; wait "$holder" 2> killed || true
    lock sh -c 'echo a > next'
    until grep -q whole out; do sleep 0.1; done
    echo "after SIGKILL: the command: $(tr '\n' ' ' < out)"
} > seen 2>&1
cat > expected <<'OUT'
Error: exit status 3
status 1
Error: signal: killed
status 1
after SIGTERM: status 0, the command: begins whole, no next holder 
after SIGKILL: the command: begins whole, a next holder 
OUT
cat seen
diff expected seen >&2 || { echo "changed: what the lock does to its command is no longer as recorded" >&2; exit 1; }
echo "as recorded: the status is lost, a SIGTERM is not passed on, and the command outlives the lock"
