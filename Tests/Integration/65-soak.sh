#!/bin/bash
# `make soak` leads lives: a few of those that are known to be good, so that it is the command that is tried and not the
# engine.
. "$(dirname "$0")/lib.sh"
must "a soak of two seconds leads lives and breaks nothing" env TIMELINED_SOAK_FROM=0 "$checkout/Tests/soak.sh" 2
check "it says what is no number of seconds" prints "'soon' is no number" "$checkout/Tests/soak.sh" soon
finish
