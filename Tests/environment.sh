# Fixed environment of the tests; sourced by shell scripts. It keeps programs, the home, proxies and variables of the tests.
# shellcheck shell=bash

# shellcheck source=Tests/patience.sh
. "$(dirname "${BASH_SOURCE[0]}")/patience.sh"

same_environment() {
  local name
  for name in $(compgen -e); do
    case $name in
      TIMELINED_SOCKET) unset "$name" ;;
      PATH | HOME | SHLVL | PWD | SWIFT | SWIFTLY_* | PYENV_* | RUSTUP_* | CARGO_* | CC | SEED | STORE | RACE_SECONDS | TIMELINED_*) ;;
      *_proxy | *_PROXY | PIP_* | SSL_CERT_*) ;;
      # Of a script that starts itself in a namespace.
      scratch) ;;
      *) unset "$name" ;;
    esac
  done
  export LC_ALL=C.UTF-8 TZ=UTC PYTHONDONTWRITEBYTECODE=1 PATH=$PATH:/usr/local/sbin:/usr/sbin:/sbin
  umask 022
}
same_environment
