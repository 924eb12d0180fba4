#!/bin/bash
# The JSON Schema that `timelinectl schema` prints, held against configurations by an implementation of JSON Schema and by a language server of TOML.
. "$(dirname "$0")/lib.sh"
command -v python3 >/dev/null || skip "needs python3"
[ -e "$stage/complete" ] || { echo "nothing is built: make build"; exit 1; }
scratch
venv=$checkout/.build/schema
[ -x "$venv/bin/taplo" ] || {
  python3 -m venv "$venv" && "$venv/bin/pip" install --quiet --disable-pip-version-check jsonschema==4.26.0 taplo==0.9.3
} || skip "needs jsonschema and taplo from PyPI"
"$venv/bin/python3" "$here/schema.py" "$checkout" "$scratch" "$venv/bin/taplo"
