# cronsim.sh, to be sourced in the root of the tree: puts Python's cronsim into .build and names its Python in
# TIMELINED_CRONSIM, so that cron rules are compared with it. Where PyPI cannot be reached it says so and names none.
if [ -z "${TIMELINED_CRONSIM:-}" ]; then
  if .build/cronsim/bin/python3 -c 'import cronsim' 2>/dev/null \
    || { python3 -m venv .build/cronsim && .build/cronsim/bin/pip install --quiet --disable-pip-version-check cronsim; }; then
    export TIMELINED_CRONSIM=$PWD/.build/cronsim/bin/python3
  else
    echo "== cronsim cannot be installed, so cron rules are not compared with it"
  fi
fi
