// Landlock: restrictions of what this process and its descendants may do to files. By the three system calls themselves, because no
// library has them: glibc has no wrappers and Debian no package.
#include "CTimelineSystem.h"

#include <fcntl.h>
#include <linux/landlock.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

int timeline_landlock_version(void) {
  return (int)syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);
}

int timeline_landlock_create(uint64_t handled) {
  struct landlock_ruleset_attr attributes = {.handled_access_fs = handled};
  return (int)syscall(SYS_landlock_create_ruleset, &attributes, sizeof attributes, 0);
}

int timeline_landlock_allow(int ruleset, const char *path, uint64_t tree, uint64_t file) {
  const int place = open(path, O_PATH | O_CLOEXEC);
  if (place < 0) return -1;
  struct stat facts;
  int result = fstat(place, &facts);
  if (result == 0) {
    // The kernel takes rights of directories only for a directory.
    struct landlock_path_beneath_attr rule = {.allowed_access = S_ISDIR(facts.st_mode) ? tree : file, .parent_fd = place};
    result = (int)syscall(SYS_landlock_add_rule, ruleset, LANDLOCK_RULE_PATH_BENEATH, &rule, 0);
  }
  close(place);
  return result;
}

int timeline_landlock_enter(int ruleset) { return (int)syscall(SYS_landlock_restrict_self, ruleset, 0); }
