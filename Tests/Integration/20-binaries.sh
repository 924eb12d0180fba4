#!/bin/bash
# What is shipped stands on its own: static Swift, no ICU, lean, and nothing that only the build knew.
. "$(dirname "$0")/lib.sh"
[ -e "$stage/complete" ] || { echo "nothing is built: make build"; exit 1; }

needed() {
  readelf -d "$1" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p'
}
# No full Foundation, no Swift runtime, and nothing beyond what every Debian has or the package would depend on.
stands_alone() {
  local other
  readelf -d "$1" >/dev/null 2>&1 && needed "$1" | grep -q . || { echo "no dynamic program"; return 1; }
  other=$(needed "$1" | grep -Ev '^(ld-linux.*|libc|libm|libgcc_s|libstdc\+\+|libdl|libpthread|libsystemd|libsqlite3)\.so[.0-9]*$')
  [ -z "$other" ] || { echo "needs $other"; return 1; }
}
# The plugin host alone needs libseccomp, and not what the daemon speaks to.
needs_libseccomp_alone() {
  local other
  other=$(needed "$1" | grep -Ev '^(ld-linux.*|libc|libm|libgcc_s|libstdc\+\+|libdl|libpthread|libseccomp)\.so[.0-9]*$')
  [ -z "$other" ] || { echo "needs $other"; return 1; }
}
# The reader of calendars alone needs libical, which needs ICU.
needs_libical_alone() {
  local other
  other=$(needed "$1" | grep -Ev '^(ld-linux.*|libc|libm|libgcc_s|libstdc\+\+|libdl|libpthread|libical(ss|vcal)?)\.so[.0-9]*$')
  [ -z "$other" ] || { echo "needs $other"; return 1; }
}
# The store adapter alone needs libpq and libcurl, which need OpenSSL, Kerberos and LDAP.
needs_libpq_and_libcurl_alone() {
  local other
  other=$(needed "$1" | grep -Ev '^(ld-linux.*|libc|libm|libgcc_s|libstdc\+\+|libdl|libpthread|libpq|libcurl)\.so[.0-9]*$')
  [ -z "$other" ] || { echo "needs $other"; return 1; }
}
# ICU's tables carry this name; full Foundation brings 43 MB of them. `strings` would not see one split across sections.
no_icu() {
  fails grep -aq 'icudt[0-9]' "$1"
}
smaller() {
  local bytes
  bytes=$(stat -c %s "$1")
  awk -v bytes="$bytes" -v limit="$2" 'BEGIN { exit bytes > limit * 1000000 }' || { echo "$bytes bytes"; return 1; }
}
# The newest version of glibc whose functions it calls.
glibc_of() {
  objdump -T "$1" | grep -oE 'GLIBC_[0-9.]+' | sort -uV | tail -n 1 | sed 's/.*_//'
}
runs_with_glibc() {
  [ "$(printf '%s\n%s\n' "$1" "$(glibc_of "$2")" | sort -V | tail -n 1)" = "$1" ] || { echo "needs glibc $(glibc_of "$2")"; return 1; }
}
stripped() {
  fails grep -q '\.symtab' <(readelf -SW "$1")
}
# The linker may look beside the file, never where it was built.
no_build_path() {
  local path
  path=$(readelf -d "$1" | sed -n 's/.*R\(UN\)\?PATH.*\[\(.*\)\]/\2/p')
  case $path in '' | "\$ORIGIN") ;; *) echo "looks in $path"; return 1 ;; esac
  fails grep -aoF -m 1 "$checkout" "$1"
}

# The static ncurses carries the paths of its descriptions of terminals.
only_timelined_has_screens() {
  grep -aq /usr/share/terminfo "$stage/timelined" && fails grep -aq /usr/share/terminfo "$stage/timeline-host"
}

for program in timelined timeline-host; do
  file=$stage/$program
  check "$program has no ICU" no_icu "$file"
  check "$program is stripped" stripped "$file"
  check "$program runs with glibc 2.35" runs_with_glibc 2.35 "$file"
  check "$program has no path of the build in it" no_build_path "$file"
  echo "   $program: $(($(stat -c %s "$file") / 1000)) kB, needs $(needed "$file" | tr '\n' ' ')"
done
check "timelined needs no Swift libraries" stands_alone "$stage/timelined"
check "timeline-host needs libseccomp and nothing else that not all need" needs_libseccomp_alone "$stage/timeline-host"
# Measured: the bare runtime 6 MB, with FoundationEssentials 13.6 MB, with ArgumentParser 14.5 MB, with ICU 58 MB.
check "timelined is under 25 MB" smaller "$stage/timelined" 25
check "timelinectl is the same file" test "$stage/timelinectl" -ef "$stage/timelined"
check "timelinectl tells who names a file where jobs are named how to rehearse it" \
  prints 'jobs are named here: name the configuration by -c some/file.toml' "$stage/timelinectl" dry-run some/file.toml
check "timelined and timelinectl show a full screen without a library beside them, and no other program has one" \
  only_timelined_has_screens
check "timeline-host is under 16 MB" smaller "$stage/timeline-host" 16

file=$stage/timeline-calendar
check "timeline-calendar needs libical and nothing else that not all need" needs_libical_alone "$file"
check "timeline-calendar is stripped" stripped "$file"
check "timeline-calendar runs with glibc 2.35" runs_with_glibc 2.35 "$file"
check "timeline-calendar has no path of the build in it" no_build_path "$file"
check "timeline-calendar is under 100 kB" smaller "$file" 0.1
check "timeline-calendar reads a holiday that repeats" is $'event\t3\t4\t4\t20201224\t\tEve\nat\t5\t20271224\t20271225\t' \
  bash -c 'printf "BEGIN:VCALENDAR\nVERSION:2.0\nBEGIN:VEVENT\nDTSTART:20201224\nRRULE:FREQ=YEARLY\nSUMMARY:Eve\nEND:VEVENT\nEND:VCALENDAR\n" \
    | "$0" 2028 2027' "$file"

file=$stage/timeline-store
check "timeline-store needs libpq, libcurl and nothing else that not all need" needs_libpq_and_libcurl_alone "$file"
check "timeline-store has no ICU" no_icu "$file"
check "timeline-store is stripped" stripped "$file"
check "timeline-store runs with glibc 2.35" runs_with_glibc 2.35 "$file"
check "timeline-store has no path of the build in it" no_build_path "$file"
check "timeline-store is under 16 MB" smaller "$file" 16
echo "   timeline-store: $(($(stat -c %s "$file") / 1000)) kB, needs $(needed "$file" | tr '\n' ' ')"
check "timeline-store has the version of the others" is "timeline-store $("$stage/timelined" --version)" "$file" --version

for name in exec http log notify process; do
  check "$name.so is the bundled library" test "$stage/plugins/$name.so" -ef "$stage/bundled.so"
done
check "what runs commands does not load libcurl" fails eval 'needed "$stage/bundled.so" | grep curl'
for file in "$stage"/bundled.so $(find "$stage/plugins" -name '*.so' -type f); do
  name=${file##*/}
  check "$name needs no Swift libraries" stands_alone "$file"
  check "$name has no ICU" no_icu "$file"
  check "$name runs with glibc 2.35" runs_with_glibc 2.35 "$file"
  check "$name has no path of the build in it" no_build_path "$file"
  echo "   $name: $(($(stat -c %s "$file") / 1000)) kB, needs $(needed "$file" | tr '\n' ' ')"
done
finish
