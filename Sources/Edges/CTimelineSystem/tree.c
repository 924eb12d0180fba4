// Removal of what foreign code has left in a directory. Whoever owns a directory in it may put a link in the place of another one meanwhile, so
// that each step goes by the descriptor of the last one and not by a path.
#include "CTimelineSystem.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

// Each holds a descriptor while what is below it is removed.
enum { depth_max = 64 };

static int remove_at(int parent, const char *name, int depth);

// Removes what is in an open directory, which this closes.
static int empty(int number, int depth) {
  DIR *directory = fdopendir(number);
  if (!directory) {
    close(number);
    return -1;
  }
  int failure = 0, found;
  // A removal may move what has not been listed yet: the last look finds nothing.
  do {
    found = 0;
    rewinddir(directory);
    for (struct dirent *entry; !failure && (entry = readdir(directory));) {
      if (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, "..")) continue;
      found = 1;
      failure = remove_at(number, entry->d_name, depth);
    }
  } while (found && !failure);
  int code = errno;
  closedir(directory);
  errno = code;
  return failure;
}

static int remove_at(int parent, const char *name, int depth) {
  if (!unlinkat(parent, name, 0) || errno == ENOENT) return 0;
  if (errno != EISDIR && errno != EPERM) return -1;
  // A mount point is busy here: nothing is removed from another file system.
  if (!unlinkat(parent, name, AT_REMOVEDIR) || errno == ENOENT) return 0;
  if (errno != ENOTEMPTY && errno != EEXIST) return -1;
  if (depth == depth_max) {
    errno = ELOOP;
    return -1;
  }
  int number = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (number < 0 || empty(number, depth + 1)) return -1;
  return unlinkat(parent, name, AT_REMOVEDIR);
}

int timeline_remove_tree(const char *path) { return remove_at(AT_FDCWD, path, 0); }
