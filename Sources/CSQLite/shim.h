#pragma once
#include <sqlite3.h>

/* SQLITE_TRANSIENT is a cast that Swift does not import: "copy the bytes before the call returns". */
static inline sqlite3_destructor_type timeline_sqlite_transient(void) { return SQLITE_TRANSIENT; }
