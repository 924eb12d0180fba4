# The longest that tests wait on this machine; sourced by shell scripts. $TIMELINED_SLOW is the factor by which each limit of a wait is
# longer, from 1 to 999.999. Patience.swift and patience.py read it in the same way. A wait that succeeds is not longer for it.
# shellcheck shell=bash

[[ ${TIMELINED_SLOW:=1} =~ ^([1-9][0-9]{0,2})(\.([0-9]{1,3}))?$ ]] || {
  echo "TIMELINED_SLOW=$TIMELINED_SLOW: not a factor: set a number from 1 to 999.999, such as 3 or 2.5" >&2
  exit 2
}
export TIMELINED_SLOW
slow_fraction=${BASH_REMATCH[3]}000
slow_thousandths=$((BASH_REMATCH[1] * 1000 + 10#${slow_fraction:0:3}))

# patience SECONDS: prints how many whole seconds that limit has on this machine.
patience() {
  echo $((($1 * slow_thousandths + 999) / 1000))
}
