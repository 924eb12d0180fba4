#pragma once
#include <fcntl.h>
#include <sqlite3.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* SQLITE_TRANSIENT is a cast that Swift does not import: "copy the bytes before the call returns". */
static inline sqlite3_destructor_type timeline_sqlite_transient(void) { return SQLITE_TRANSIENT; }

/* Forces the write-ahead log to the disk, and with it all that was committed. Under synchronous=NORMAL no commit does; that
   the log can be forced at any other time, outside of a transaction, is in C because it goes through a table of functions. */
static inline int timeline_sqlite_sync_log(sqlite3 *connection) {
  sqlite3_file *file = NULL;
  int code = sqlite3_file_control(connection, "main", SQLITE_FCNTL_JOURNAL_POINTER, &file);
  if (code != SQLITE_OK) return code;
  if (file == NULL || file->pMethods == NULL) return SQLITE_OK;
  return file->pMethods->xSync(file, SQLITE_SYNC_NORMAL);
}

/* Forces the file itself to the disk, as it is without what the log holds. */
static inline int timeline_sqlite_sync_file(sqlite3 *connection) {
  sqlite3_file *file = NULL;
  int code = sqlite3_file_control(connection, "main", SQLITE_FCNTL_FILE_POINTER, &file);
  if (code != SQLITE_OK) return code;
  if (file == NULL || file->pMethods == NULL) return SQLITE_OK;
  return file->pMethods->xSync(file, SQLITE_SYNC_NORMAL);
}

/* Whether closing the connection leaves the files as they are. In C because sqlite3_db_config takes any number of arguments. */
static inline void timeline_sqlite_keep_files(sqlite3 *connection, int keep) {
  sqlite3_db_config(connection, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, keep, NULL);
}

/* An extended code; Swift does not import sums of macros. */
static inline int timeline_sqlite_short_read(void) { return SQLITE_IOERR_SHORT_READ; }

/* Another: a wait for the disk that failed. */
static inline int timeline_sqlite_failed_sync(void) { return SQLITE_IOERR_FSYNC; }

/* Whether there is a file of more than no bytes at the path: to SQLite an empty one is none. In C because it goes through a table of
   functions. */
static inline int timeline_sqlite_has_content(const char *path) {
  sqlite3_vfs *files = sqlite3_vfs_find(NULL);
  int has_content = 0;
  if (files == NULL || files->xAccess(files, path, SQLITE_ACCESS_EXISTS, &has_content) != SQLITE_OK) return 0;
  return has_content;
}

/* Makes the file at the path with mode 0600 if there is none; SQLite reports what fails. A file that is there is not opened: closing it would
   release the locks that this process has on it. */
static inline void timeline_sqlite_make_private(const char *path) {
  int made = open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
  if (made >= 0) close(made);
}

/* Takes the rights of group and others from a file that is there, links not followed; it is not opened either. */
static inline void timeline_sqlite_close_to_others(const char *path) {
  struct stat status;
  if (lstat(path, &status) || !S_ISREG(status.st_mode) || !(status.st_mode & 077)) return;
  fchmodat(AT_FDCWD, path, status.st_mode & 0700, AT_SYMLINK_NOFOLLOW);
}

/* The system's error text after SQLite failed to open or access a file; "Success" if there is none. Valid until the next call. */
static inline const char *timeline_sqlite_system_error(sqlite3 *connection) {
  return strerror(sqlite3_system_errno(connection));
}
