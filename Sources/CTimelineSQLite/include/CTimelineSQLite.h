#pragma once

/* The name, for sqlite3_open_v2, of a way to reach files: the system's own, but that the frames of a transaction are put together
 * and written to the write-ahead log at once. SQLite itself makes two system calls of each page, which take longer than all else
 * that a commit does without the disk. NULL, which stands for the system's own way, where there is none to build on.
 *
 * It is known to SQLite from the first call on, which is not made by two threads at a time. */
const char *timeline_sqlite_files(void);
