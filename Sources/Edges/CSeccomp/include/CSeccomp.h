// Filters of system calls by libseccomp, some of whose functions take a variable number of arguments and are not for Swift.
#pragma once

#include <stdint.h>

/// A filter that lets every call pass, of each architecture whose programs the machine runs.
struct timeline_filter;

/// Makes a filter; NULL if there is no memory.
struct timeline_filter *timeline_filter_make(void);
/// Has the call `name` fail with `error`; with `mask` only if those bits of the argument of that index, from 0 on, are `value`. Returns 0
/// or an errno value: EINVAL if libseccomp does not know the name. An architecture that has no such call is left as it is.
int timeline_filter_deny(
  struct timeline_filter *filter, const char *name, unsigned argument, uint64_t mask, uint64_t value, int error);
/// Puts the calling thread and what it starts under the filter, for good. Returns 0 or an errno value.
int timeline_filter_enter(struct timeline_filter *filter);
/// Puts the calling thread and what it starts under a filter by which calls of the number `first` and above fail with ENOSYS, for good.
/// libseccomp takes no numbers, only calls that it knows. Returns 0 or an errno value.
int timeline_filter_enter_below(uint32_t first);
/// Frees a filter.
void timeline_filter_free(struct timeline_filter *filter);
