#!/bin/bash
# What an author of plugins finds: a new plugin in each language is built, tested and conformant, the program of docs/plugins.md runs under a
# daemon, and plugins that were built with former headers run in today's host.
. "$(dirname "$0")/lib.sh"
[ -e "$stage/complete" ] || { echo "nothing is built: make build"; exit 1; }
for tool in cc python3 rustc swift; do command -v "$tool" >/dev/null || skip "needs $tool"; done
scratch
chmod 755 "$scratch"
cd "$scratch" || exit 1
# Without the paths that an author can set: the Makefile finds the clone's header, kit and program.
TIMELINECTL=$stage/timelinectl
unset INCLUDE TIMELINED_KIT
export CFLAGS="-O2 -Wall -Wextra -Werror"
# Debian's compiler before one of rustup.
export PATH=/usr/bin:$PATH

# Without network, as far as this user may say so.
offline=()
[ "$(id -u)" -ne 0 ] || offline=(unshare --net)
options=(--plugins "$stage/plugins" --host "$stage/timeline-host")
for language in c rust python swift; do
  begin=$SECONDS
  check "a new plugin in $language is written" "$TIMELINECTL" plugin new "my-$language" --language $language
  check "it is built, does what its test asks, and is conformant" "${offline[@]}" make -C "my-$language" test
  sed -n '/^```toml$/,/^```$/p' "my-$language/README.md" |
    sed -e '/^```/d' -e "s|/usr/local/[a-z/]*/my-|$scratch/my-$language/my-|" >readme.toml
  check "the job of its README is right" "$TIMELINECTL" check "${options[@]}" readme.toml
  echo "   $language: $((SECONDS - begin)) s"
done
# As `make install` has it, without the clone.
mkdir -p prefix/bin prefix/lib/timelined prefix/share/timelined
cp "$stage/timelined" prefix/bin
ln -s timelined prefix/bin/timelinectl
cp "$stage/timeline-host" prefix/lib/timelined
cp -r "$stage/kit" prefix/share/timelined
for language in c swift; do
  rm -rf "my-$language"
  check "below a prefix a new plugin in $language is written" prefix/bin/timelinectl plugin new "my-$language" --language $language
  check "it finds header and kit below the prefix" prints "prefix/share/timelined/kit" make -C "my-$language" -n -B
done
check "and in C is built and conformant" make -C my-c test
check "the schema of the new plugin is shown" prints '^  word +text, not empty, required' "$TIMELINECTL" plugin inspect my-c/my-c.so
check "what is there is not overwritten" prints 'file exists' fails "$TIMELINECTL" plugin new my-c --language c

# Nothing listens on the port: each request fails, and that is no finding.
conformant() { "$TIMELINECTL" plugin conformance "$1" --with "$2" "${@:3}"; }
check "exec is conformant" conformant exec '{"command": ["true"]}' --cancel-with '{"command": ["sleep", "60"]}' --runs 200
check "http is conformant" conformant http '{"url": "http://127.0.0.1:1/"}' --runs 200
check "log is conformant" conformant log '{"message": "tea"}'

# The program and the job of the page, under a daemon.
sed -n '/^```python$/,/^```$/p' "$checkout/docs/plugins.md" | sed '/^```/d' >count.py
chmod 755 count.py
sed -n '/^\[job.count\]$/,/^```$/p' "$checkout/docs/plugins.md" | sed -e '/^```/d' -e "s|/usr/local/bin|$scratch|" -e 's/"every-minute"/"on-demand"/' >count.toml
cat >>count.toml <<END
[job.stopped]
plugin   = "process"
schedule = "on-demand"
with     = { command = ["$scratch/my-python/my-python.py"], parameters = { word = "tea", wait = 60 } }
[job.nonsense]
plugin   = "process"
schedule = "on-demand"
with     = { command = ["echo", "hello"] }
END
check "the job of the page is right" "$TIMELINECTL" check "${options[@]}" count.toml
"$stage/timelined" --config count.toml --state state --control control.sock "${options[@]}" >daemon.log 2>&1 &
daemon=$!
ctl() { "$TIMELINECTL" --socket control.sock "$@"; }
must "the daemon runs" within 60 ctl status
check "the program counts" prints '2 so far' ctl trigger count --wait
check "and goes on from the cursor in its next run" prints '4 so far' ctl trigger count --wait
check "its line is in the log, with its field" prints 'count counts.*count=4' cat daemon.log
check "a program that speaks nonsense fails with the line" prints 'it is not JSON: .*the line: hello' fails ctl trigger nonsense --wait
check "a long run begins" ctl trigger stopped
check "its progress is seen" within 60 prints 'waiting' ctl list
check "it is asked to stop" ctl cancel stopped
check "and ends by itself" within 60 prints 'cancelled' ctl history stopped
kill $daemon
wait $daemon

for header in "$checkout"/Tests/Headers/*/timelined_plugin.h; do
  name=$(basename "$(dirname "$header")")
  check "a plugin is built with the header $name" \
    cc -std=gnu17 -Wall -Wextra -Werror -shared -fPIC -fvisibility=hidden -I"$(dirname "$header")" -o "$name.so" my-c/my-c.c
  check "today's host runs it" prints '^result +tea, run 8$' "$TIMELINECTL" plugin test "./$name.so" --with '{"word": "tea"}' --cursor 7
  check "and it is conformant" conformant "./$name.so" '{"word": "tea"}' --cancel-with '{"word": "tea", "wait": 60}' --runs 100
done
finish
