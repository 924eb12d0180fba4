#!/bin/bash
# The whole of it on a real systemd, where the Swift toolchain is hidden: installed by `make install`, started to READY,
# looked at, reloaded, hung, crashed, drained and uninstalled. What happens there is in inside-systemd.sh.
. "$(dirname "$0")/lib.sh"
[ -e "$stage/complete" ] || { echo "nothing is built: make build"; exit 1; }

hidden=()
if swift=$(command -v "${SWIFT:-swift}"); then
  toolchain=$(dirname "$(dirname "$(readlink -f "$swift")")")
  case $toolchain in
    /usr) # Unpacked over the system, as in swift.org's images: only what is Swift's can go.
      hidden=(-x /usr/lib/swift -x /usr/lib/swift_static -x /usr/libexec/swift)
      for program in /usr/bin/swift*; do hidden+=(-x "$program"); done
      ;;
    *) hidden=(-x "$toolchain") ;;
  esac
fi
exec "$here/with-systemd.sh" "${hidden[@]}" "$here/inside-systemd.sh"
