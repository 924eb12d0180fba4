// libsystemd, for TimelineSystemd alone.
#pragma once

// Without this the journal functions are macros, which Swift cannot see, and add the place of the call in C.
#define SD_JOURNAL_SUPPRESS_LOCATION

#include <systemd/sd-bus.h>
#include <systemd/sd-daemon.h>
#include <systemd/sd-journal.h>
