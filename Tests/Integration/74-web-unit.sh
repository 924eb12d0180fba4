#!/bin/bash
# The unit of the web page on a real systemd: it runs without rights of its own, looks as a member of the group, changes what
# `control.users` lets it, and does not start without a token.
. "$(dirname "$0")/lib.sh"
if [ "${1:-}" != inside ]; then
  [ -e "$stage/complete" ] || { echo "nothing is built: make build"; exit 1; }
  [ -x "$checkout/.build/web/stage/timelined-web" ] || skip "needs timelined-web: make web"
  exec "$here/with-systemd.sh" "$here/74-web-unit.sh" inside
fi

trap '[ "$failures" -eq 0 ] || journalctl -q --no-pager -n 60' EXIT
address=127.0.0.1:8463
token=correct-horse-battery-staple

# asks METHOD PATH BODY: prints status and body of a signed-in browser's request.
asks() {
  python3 - "$(patience 20)" "$address" "$token" "$@" <<'END'
import http.client, json, sys
limit, address, token, method, path, body = sys.argv[1:]
headers = {"Host": address, "Origin": f"http://{address}", "Sec-Fetch-Site": "same-origin", "Content-Type": "application/json"}
def ask(method, path, body):
    connection = http.client.HTTPConnection(address, timeout=int(limit))
    connection.request(method, path, body, headers)
    reply = connection.getresponse()
    return reply, reply.read().decode()
reply, _ = ask("POST", "/api/session", json.dumps({"token": token}))
headers["Cookie"] = reply.getheader("Set-Cookie", "").split(";")[0]
reply, text = ask(method, path, body or None)
print(reply.status, text)
END
}
user() {
  stat -c %U "/proc/$(systemctl show timelined-web -P MainPID)"
}

# As at the start of a machine: systemd mounts credentials by it.
mount --make-rshared /
must "daemon and page are installed" make --no-print-directory -s -C "$checkout" PREFIX=/usr install install-web
cat >/etc/timelined/timelined.toml <<'END'
[job.hello]
plugin   = "exec"
schedule = "on-demand"
with     = { command = ["/bin/true"] }
END
must "the daemon starts" systemctl start timelined
check "without a token the page does not start" fails systemctl start timelined-web
systemctl reset-failed timelined-web
refuses() {
  install -m "$1" -o "$2" /dev/stdin /etc/timelined/other-token <<<"$token"
  check "a token of mode $1 and of $2 is refused" prints "$3.*run ch" fails timelined-web --token-file /etc/timelined/other-token
}
refuses 640 root 'others may read'
refuses 620 root 'others than its owner may change'
refuses 602 root 'others than its owner may change'
refuses 600 nobody 'belongs to user'
(umask 077; echo "$token" >/etc/timelined/web-token)
must "with a token it does" systemctl start timelined-web
within 60 prints '^200' asks GET / '' >/dev/null
check "as a user without rights" is timelined-web user
check "it shows the jobs, and the future of the configuration" prints 'simulated from /etc/timelined.*"name":"hello"' asks GET /api/window ''
check "it shows the name of the machine" prints "\"machine\":\"$(cat /proc/sys/kernel/hostname)\"" asks GET /api/window ''
check "it changes nothing unless the configuration lets it" prints '^409 .*permission denied' asks POST /api/trigger '{"job":"hello"}'
printf '[control]\nusers = ["timelined-web"]\n' >>/etc/timelined/timelined.toml
must "the daemon reads its configuration again" systemctl reload timelined
check "then it does" prints '^200 .*hello: ' asks POST /api/trigger '{"job":"hello"}'
check "and the daemon knows who it was" within 60 prints timelined-web timelinectl history hello --json
check "it writes nowhere" fails nsenter -t "$(systemctl show timelined-web -P MainPID)" -m touch /var/lib/timelined/x
finish
