#!/bin/bash
# `make install` and `make uninstall` into a directory: every file in its place with its mode, the units with the right paths,
# a configuration of the administrator's untouched, nothing left behind and nothing built.
. "$(dirname "$0")/lib.sh"
[ -e "$stage/complete" ] || { echo "nothing is built: make build"; exit 1; }
scratch

root=$scratch/root
# With no toolchain in PATH: installing must not need one.
make_here() {
  make --no-print-directory -s -C "$checkout" SWIFT=no-toolchain-here DESTDIR="$root" "$@"
}
has() {
  local mode
  mode=$(stat -Lc %a "$root$2") && [ "$mode" = "$1" ] || { echo "$2 has mode ${mode:-none}"; return 1; }
}
modes_are_right() {
  has 755 "$1/bin/timelined" && has 755 "$1/bin/timelinectl" && has 755 "$1/lib/timelined/timeline-host" \
    && has 755 "$1/lib/timelined/timeline-calendar" && has 755 "$1/lib/timelined/timeline-store" \
    && has 644 "$1/include/timelined_plugin.h" && has 644 "$1/lib/systemd/system/timelined.service" \
    && has 644 "$1/lib/systemd/system/timelined.socket" && has 644 "$1/lib/sysusers.d/timelined.conf" \
    && has 644 "$1/lib/tmpfiles.d/timelined.conf" && has 644 "$1/share/timelined/drop-ins/hardened.conf" \
    && has 644 "$1/share/timelined/monitoring/timelined.rules.yml" \
    && has 644 "$1/share/timelined/drop-ins/notify-reload.conf" && has 755 "$1/lib/timelined/plugins/exec.so" \
    && has 755 "$1/lib/timelined/plugins/sampler.so" && [ -L "$root$1/lib/timelined/plugins/exec.so" ] \
    && has 644 "$1/share/bash-completion/completions/timelinectl" && has 644 "$1/share/zsh/site-functions/_timelinectl" \
    && has 644 "$1/share/fish/vendor_completions.d/timelinectl.fish" && has 644 "$1/share/doc/timelined/README.md" \
    && has 644 "$1/share/man/man1/timelinectl.1" && has 644 "$1/share/man/man8/timelined.8" \
    && has 644 "$1/share/doc/timelined/examples/hello.c" \
    && has 644 "$1/share/timelined/kit/Package.swift" && has 644 "$1/share/timelined/kit/Sources/TimelinePluginKit/Export.swift" \
    && pages_are_readable "$1" \
    && has 644 /etc/timelined/timelined.toml && has 755 /etc/timelined/jobs.d
}
# Every page of the clone but those about its tests, and the pictures.
pages_are_readable() {
  local page
  for page in README.md CHANGELOG.md $(cd "$checkout/docs" && ls ./*.md ./*.svg ./*.png); do
    page=${page##*/}
    [ "$page" = promises.md ] || has 644 "$1/share/doc/timelined/$page" || return 1
  done
}
no_marks_left() {
  fails grep -En '^[^#]*@[a-z]+@' "$root$1/lib/systemd/system/timelined.service" "$root$1"/share/man/man?/timeline*
}
# What the manual page FILE names by the macro PATTERN is what a program's help, on standard input, names.
names_the_same() {
  diff <(sed -nE "s/$2/\1/p" "$1" | sort -u) <(sort -u)
}
daemon_options() {
  "$stage/timelined" --help-hidden | grep -oE '^  (-[a-z], )?--[a-z-]+' | sed 's/.*--//' \
    | names_the_same "$root$1/share/man/man8/timelined.8" '^\.It .*Fl -([a-z-]+).*'
}
operator_verbs() {
  "$stage/timelinectl" --help | sed -nE '/SUBCOMMANDS:/,$ s/^  ([a-z-]+) .*/\1/p' \
    | names_the_same "$root$1/share/man/man1/timelinectl.1" '^\.It Ic ([a-z-]+).*'
}
# The verbs whose arguments the manual page and the help tell differently: r stands for a required one, o for one that may be missing.
verbs_that_differ() {
  local verb said taken
  # "[<options>]" is what the help shows in place of very many options.
  awk '/^\.It Ic / {
    verb = args = ""; kind = "r"
    for (i = 3; i <= NF && $i != "Ar" && $i != "Op"; i++) verb = verb " " $i
    for (; i <= NF; i++)
      if ($i == "Op") kind = "o"; else if ($i == "|" || $i == "Fl") i++; else if ($i != "Ar") args = args ($i == "..." ? $i : kind)
    print verb ":" args
  }' "$root$1/share/man/man1/timelinectl.1" | while IFS=: read -r verb said; do
    taken=$("$stage/timelinectl" $verb --help | sed -n '/^USAGE:/,/^$/p' | tr '\n' ' ' | sed -E 's/\[-[^]]*\]//g; s/\[<options>\]//' \
      | grep -oE '\[?<[^>]*>|\.\.\.' | sed -E 's/^\[.*/o/; s/^<.*/r/' | tr -d '\n')
    [ "$said" = "$taken" ] || echo "$verb: the page says '$said', the help '$taken'"
  done
}
# A new installation runs nothing: the sample is for whoever looks for it, and where it is must be told rightly.
configures_nothing() {
  local file=$root/etc/timelined/timelined.toml
  fails grep -Ev '^(#.*)?$' "$file" && fails grep '@' "$file" && [ -e "$root$1/share/timelined/timelined.toml" ] \
    && grep -qF "$1/share/timelined/timelined.toml" "$file" && grep -qF "$1/share/doc/timelined/reference.md" "$file" \
    && "$stage/timelinectl" check "$file" | grep -qF '0 jobs, no errors'
}
# Examples in comments are right too.
example_is_right() {
  sed -n 's/^#   \(\[job\|plugin\|schedule\|with\)/\1/p' "$root/etc/timelined/timelined.toml" >"$scratch/example.toml" \
    && "$stage/timelinectl" check "$scratch/example.toml" | grep -qF '1 job, no errors'
}
sets_cleanly() {
  groff -mandoc -Tutf8 -ww "$1" 2>&1 >/dev/null
}
unit_names() {
  grep -Eq "$2" "$root$1/lib/systemd/system/timelined.service"
}
# Of the installed pages' links those that lead nowhere; links into the page itself and the web left out, places in a page too: the
# architecture tests look at those.
dead_links() {
  local directory=$1/share/doc/timelined page link
  for page in "$root$directory"/*.md; do
    grep -o ']([^)#][^)]*)' "$page" | sed 's/^](//; s/)$//; s/#.*//' | grep -v '^https:' | sort -u \
      | while read -r link; do
          case $link in /*) ;; *) link=$directory/$link ;; esac
          [ -e "$root$link" ] || echo "${page##*/}: $link"
        done
  done
}
# The manual pages' pages of the documentation that are not there.
missing_pages() {
  local page
  cat "$root$1"/share/man/man?/timeline* "$root$1/lib/systemd/system/timelined.service" "$root/etc/timelined/timelined.toml" \
    | grep -oE "$1/share/doc/timelined/[A-Za-z-]+\.md" | sort -u \
    | while read -r page; do [ -e "$root$page" ] || echo "$page"; done
}
left_behind() {
  find "$root" -type f ! -path '*/etc/timelined/*'
}

# What the unit adds to the daemon's own search for plugins, by the prefix.
declare -A given=([/usr/local]='' [/usr]=' --plugins=-/usr/local/lib/timelined/plugins')

umask 077
for prefix in /usr/local /usr; do
  check "installs below $prefix without a toolchain" make_here PREFIX=$prefix install
  check "each file is in its place below $prefix with its mode" modes_are_right $prefix
  check "the configuration is empty and leads to the sample below $prefix" configures_nothing $prefix
  check "its example is right" example_is_right
  check "unit and manual pages name no mark of their templates" no_marks_left $prefix
  check "the unit runs $prefix/bin/timelined" unit_names $prefix "^ExecStart=$prefix/bin/timelined "
  check "plugins of the administrator's own are looked for first, without naming the bundled ones" \
    unit_names $prefix "^ExecStart=.* --host $prefix/lib/timelined/timeline-host${given[$prefix]}\$"
  check "the pages lead to what is installed below $prefix" is "" dead_links $prefix
  check "manual pages, unit and configuration name pages that are installed below $prefix" is "" missing_pages $prefix
  check "timelined(8) names the daemon's options" daemon_options $prefix
  check "timelinectl(1) names the operator's verbs" operator_verbs $prefix
  check "timelinectl(1) says which arguments they take" is "" verbs_that_differ $prefix
  for page in man1/timelinectl.1 man8/timelined.8; do
    check "$page is set without a warning" is "" sets_cleanly "$root$prefix/share/man/$page"
  done
  echo 'mine' >"$root/etc/timelined/timelined.toml"
  : >"$root$prefix/lib/timelined/plugins/mine.so"
  check "installs over itself" make_here PREFIX=$prefix install
  check "the administrator's configuration is left alone" is mine cat "$root/etc/timelined/timelined.toml"
  check "uninstalls" make_here PREFIX=$prefix uninstall
  check "only the administrator's plugin is left" is "$root$prefix/lib/timelined/plugins/mine.so" left_behind
  check "a second time as well" make_here PREFIX=$prefix uninstall
  rm -rf "$root"
done
# What root builds in a user's checkout the user can no longer clean: root is told, and builds nothing.
check "sudo make install does not build as root" prints 'make build. as ada first' \
  env SUDO_USER=ada make --no-print-directory -C "$checkout" STAGE="$scratch/none" DESTDIR="$root" install
check "and installs nothing" test ! -e "$root"
finish
