#include "CTimelineSQLite.h"

#include <sqlite3.h>
#include <stddef.h>
#include <string.h>

/* A frame, by SQLite's file format, section 4.2: a header, of which the second word is not zero in the last frame of a transaction,
 * and a page. Other things that are as long as a header are not written to a log. */
enum { header_length = 24, page_length = 4096, frame_length = header_length + page_length };

/* What one transaction of a busy turn writes; a longer one is written in pieces of this length. SQLite writes to the system's files
 * up to 131,071 bytes at once, and takes more for a full disk. */
enum { frames_max = 31 };

/* A write-ahead log. Of the system's file, which lies behind it, it differs in that frames that follow one another are kept until
 * their transaction is complete, the room for them is used up, or anything else is asked of the file. So a transaction is in the
 * file when SQLite takes it to be, and that it is not is told by the write of its last frame, as ever. */
typedef struct log_file {
  sqlite3_file base;
  /* Where what follows is kept, its length, and where in the file what follows goes. */
  char *frames;
  int length;
  sqlite3_int64 end;
  /* Whether the header kept last was that of the last frame of a transaction. */
  int is_last;
} log_file;

static sqlite3_file *system_file(log_file *log) { return (sqlite3_file *)(log + 1); }

static int write_kept(log_file *log) {
  if (log->length == 0) return SQLITE_OK;
  int length = log->length;
  log->length = 0;
  sqlite3_file *file = system_file(log);
  int code = file->pMethods->xWrite(file, log->frames, length, log->end - length);
  /* Where it ends is not known, so the next write is not kept. */
  if (code != SQLITE_OK) log->end = -1;
  return code;
}

static int keep(log_file *log, const void *bytes, int length) {
  if (log->frames == NULL) log->frames = sqlite3_malloc(frames_max * frame_length);
  if (log->frames == NULL) return SQLITE_NOMEM;
  memcpy(log->frames + log->length, bytes, (size_t)length);
  log->length += length;
  log->end += length;
  return SQLITE_OK;
}

static int log_write(sqlite3_file *file, const void *bytes, int length, sqlite3_int64 offset) {
  log_file *log = (log_file *)file;
  const char *header = bytes;
  if (offset == log->end && length == header_length) {
    /* Without room for it and its page. */
    if (log->length + frame_length > frames_max * frame_length) {
      int code = write_kept(log);
      if (code != SQLITE_OK) return code;
    }
    log->is_last = (header[4] | header[5] | header[6] | header[7]) != 0;
    return keep(log, bytes, length);
  }
  if (offset == log->end && length == page_length && log->length % frame_length == header_length) {
    int code = keep(log, bytes, length);
    return code == SQLITE_OK && log->is_last ? write_kept(log) : code;
  }
  int code = write_kept(log);
  if (code != SQLITE_OK) return code;
  code = system_file(log)->pMethods->xWrite(system_file(log), bytes, length, offset);
  if (code != SQLITE_OK) return code;
  /* What is written over is a checksum or a page of this transaction, and nothing follows it; the log begins anew at its start. */
  if (offset == 0 || offset + length > log->end) log->end = offset + length;
  return SQLITE_OK;
}

static int log_close(sqlite3_file *file) {
  log_file *log = (log_file *)file;
  int written = write_kept(log);
  sqlite3_free(log->frames);
  int closed = system_file(log)->pMethods->xClose(system_file(log));
  return closed == SQLITE_OK ? written : closed;
}

static int log_read(sqlite3_file *file, void *bytes, int length, sqlite3_int64 offset) {
  int code = write_kept((log_file *)file);
  file = system_file((log_file *)file);
  return code == SQLITE_OK ? file->pMethods->xRead(file, bytes, length, offset) : code;
}

static int log_truncate(sqlite3_file *file, sqlite3_int64 size) {
  log_file *log = (log_file *)file;
  int code = write_kept(log);
  log->end = -1;
  file = system_file(log);
  return code == SQLITE_OK ? file->pMethods->xTruncate(file, size) : code;
}

static int log_sync(sqlite3_file *file, int flags) {
  int code = write_kept((log_file *)file);
  file = system_file((log_file *)file);
  return code == SQLITE_OK ? file->pMethods->xSync(file, flags) : code;
}

static int log_size(sqlite3_file *file, sqlite3_int64 *size) {
  int code = write_kept((log_file *)file);
  file = system_file((log_file *)file);
  return code == SQLITE_OK ? file->pMethods->xFileSize(file, size) : code;
}

static int log_lock(sqlite3_file *file, int level) {
  file = system_file((log_file *)file);
  return file->pMethods->xLock(file, level);
}

static int log_unlock(sqlite3_file *file, int level) {
  file = system_file((log_file *)file);
  return file->pMethods->xUnlock(file, level);
}

static int log_is_reserved(sqlite3_file *file, int *is_reserved) {
  file = system_file((log_file *)file);
  return file->pMethods->xCheckReservedLock(file, is_reserved);
}

static int log_control(sqlite3_file *file, int operation, void *argument) {
  int code = write_kept((log_file *)file);
  file = system_file((log_file *)file);
  return code == SQLITE_OK ? file->pMethods->xFileControl(file, operation, argument) : code;
}

static int log_sector_size(sqlite3_file *file) {
  file = system_file((log_file *)file);
  return file->pMethods->xSectorSize(file);
}

static int log_characteristics(sqlite3_file *file) {
  file = system_file((log_file *)file);
  return file->pMethods->xDeviceCharacteristics(file);
}

/* Shared memory and mapped pages, of which later versions speak, are never asked of a log. */
static const sqlite3_io_methods log_methods = {
    .iVersion = 1,
    .xClose = log_close,
    .xRead = log_read,
    .xWrite = log_write,
    .xTruncate = log_truncate,
    .xSync = log_sync,
    .xFileSize = log_size,
    .xLock = log_lock,
    .xUnlock = log_unlock,
    .xCheckReservedLock = log_is_reserved,
    .xFileControl = log_control,
    .xSectorSize = log_sector_size,
    .xDeviceCharacteristics = log_characteristics,
};

/* The system's own way, which is also asked for all that is not a log. */
static sqlite3_vfs *files_of_system(sqlite3_vfs *files) { return files->pAppData; }

static int files_open(sqlite3_vfs *files, const char *name, sqlite3_file *file, int flags, int *given_flags) {
  files = files_of_system(files);
  if ((flags & SQLITE_OPEN_WAL) == 0) return files->xOpen(files, name, file, flags, given_flags);
  log_file *log = (log_file *)file;
  *log = (log_file){.end = -1};
  int code = files->xOpen(files, name, system_file(log), flags, given_flags);
  /* Without methods it is not closed. */
  if (code == SQLITE_OK) {
    log->base.pMethods = &log_methods;
  } else if (system_file(log)->pMethods != NULL) {
    system_file(log)->pMethods->xClose(system_file(log));
  }
  return code;
}

static int files_delete(sqlite3_vfs *files, const char *name, int sync) {
  files = files_of_system(files);
  return files->xDelete(files, name, sync);
}

static int files_access(sqlite3_vfs *files, const char *name, int flags, int *result) {
  files = files_of_system(files);
  return files->xAccess(files, name, flags, result);
}

static int files_full_name(sqlite3_vfs *files, const char *name, int length, char *result) {
  files = files_of_system(files);
  return files->xFullPathname(files, name, length, result);
}

static int files_randomness(sqlite3_vfs *files, int length, char *bytes) {
  files = files_of_system(files);
  return files->xRandomness(files, length, bytes);
}

static int files_sleep(sqlite3_vfs *files, int microseconds) {
  files = files_of_system(files);
  return files->xSleep(files, microseconds);
}

static int files_day(sqlite3_vfs *files, double *day) {
  files = files_of_system(files);
  return files->xCurrentTime(files, day);
}

static int files_error(sqlite3_vfs *files, int length, char *text) {
  files = files_of_system(files);
  return files->xGetLastError(files, length, text);
}

static int files_milliseconds(sqlite3_vfs *files, sqlite3_int64 *milliseconds) {
  files = files_of_system(files);
  return files->xCurrentTimeInt64(files, milliseconds);
}

const char *timeline_sqlite_files(void) {
  static const char name[] = "timeline";
  static sqlite3_vfs ours;
  if (sqlite3_vfs_find(name) != NULL) return name;
  sqlite3_vfs *system = sqlite3_vfs_find(NULL);
  if (system == NULL || system->iVersion < 2) return NULL;
  /* Nothing is loaded from libraries through it, and what later versions have is there for tests. */
  ours = (sqlite3_vfs){
      .iVersion = 2,
      .szOsFile = (int)sizeof(log_file) + system->szOsFile,
      .mxPathname = system->mxPathname,
      .zName = name,
      .pAppData = system,
      .xOpen = files_open,
      .xDelete = files_delete,
      .xAccess = files_access,
      .xFullPathname = files_full_name,
      .xRandomness = files_randomness,
      .xSleep = files_sleep,
      .xCurrentTime = files_day,
      .xGetLastError = files_error,
      .xCurrentTimeInt64 = files_milliseconds,
  };
  return sqlite3_vfs_register(&ours, 0) == SQLITE_OK ? name : NULL;
}
